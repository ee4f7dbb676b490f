"""The language of VIVA, by its user's guide; each row was also asked of the tool."""

import pytest

from deepoj_packages.grammars.validate import verdict
from deepoj_packages.testing import PackageReader


def said(pattern: str, data: str) -> str:
    return verdict("viva", pattern.encode("latin-1"), data.encode("latin-1"))


_COUNTED = "n (0<n<=20);\n{[*n] x y (0<x, 0<y); }"
_TRIANGLE = "<[*3] x y (-9<=x<=9) [(y[1]-y[0])*(x[2]-x[0]) != (y[2]-y[0])*(x[1]-x[0])]>;"
_NESTED = (
    "{[*2] n (0<=n<=10); {[*2] m (0<=m<=10);"
    " [sum(m) + sum(n) + sum(6) + sum(n#) + sum(m#) >= 16 + m[0] + m[1] + 2*n]} [sum(4) = 8]}"
)


@pytest.mark.parametrize(
    ("pattern", "data"),
    [
        ("n (0 <= n <= 1000);", "5\n"),
        ("{ x y (0<x, 0<y); }", "1 2\n3 4\n"),
        ("{ x y (0<x, 0<y); }", ""),
        (_COUNTED, "2\n1 2\n3 4\n"),
        ("n (0<n<=20) <[*n] x (0<x)>;", "2 1 1\n"),
        ("<x (0<x)>;", "1 2 3\n"),
        ("{[= x y (x=y=0)] x y (0<x, 0<y); }", "1 2\n0 0\n"),
        ('<[= s:string (s %% "END")] s:string>;', "a b END\n"),
        ("{ x (x#=1 || x[x#-2] < x[x#-1]); }", "1\n2\n5\n"),
        (_TRIANGLE, "0 0 1 1 1 2\n"),
        ("{ x y; [unique(x,y)] }", "5 6\n5 5\n"),
        ("{ x (x>0, sum(x)<5*x#); }", "1\n2\n"),
        (_NESTED, "1\n2\n3\n2\n2\n3\n"),
        ("{ x@[5] y@[5] (0<x, 0<y); }", "    1    2\n8273648596\n"),
        ("{ a:string@[2] @1@ y:string@[2]; }", "ab cd\n"),
        ('x:double (x$ %% "\\\\d\\\\.\\\\d\\\\d");', "1.25\n"),
        ("x:double (x<=1);", "1.0000001\n"),
        ("x:long (x<=1000000000000000000L);", "1000000000000000000\n"),
        ("x (7/2=3, -7/2=-3, -7%3=-1, 1<<3=8, (5&3)=1, (5|3)=7, (5^3)=6, ~0=-1);", "1\n"),
        ("x y (x+y>0 && !(x=y) || x=7 ^^ y=8);", "1 2\n"),
        ("{ x; [nondecreasing(x) && count(x>1)=1] }", "1\n2\n"),
        ("x y (distance(0,0,x,y)=5, if(x>5,x<10,x>2));", "3 4\n"),
        ('# ignoreblanks="true" # x y;', " 1  2 \n"),
        ('# eofstyle="both" # x y;', "1 2"),
        ('# javaint="true" # x;', "+01\n"),
        ("x (x='A'); // a comment", "65\n"),
        ("n; {[*n] k <[*k] a (a<10)>; [sum(k)<10]}", "2\n1 5\n2 5 6\n"),
    ],
)
def test_data_that_is_as_described_is_taken(pattern: str, data: str) -> None:
    assert said(pattern, data) == ""


@pytest.mark.parametrize(
    ("pattern", "data", "sentence"),
    [
        ("n (0 <= n <= 1000);", "1001\n", "line 1: a constraint in line 1 of the pattern does not hold"),
        ("n;", " 5\n", "a value is expected, not a blank"),
        ("n;", "5 \n", "more than is expected on the line"),
        ("n;", "5", "the last line does not end"),
        ("n;", "5\n\n", "the data goes on"),
        ("n;", "05\n", "not how an integer is written"),
        ("n;", "2147483648\n", "too large for integer"),
        ("n;", "", "the data ends where another line is expected"),
        ("x:double;", "1e2\n", "not how a double is written"),
        ("x y;", "1  2\n", "a value is expected, not a blank"),
        ("x y;", "1\t2\n", "a blank and another value"),
        (_COUNTED, "2\n1 2\n", "the data ends"),
        ("{[= x (x=0)] x (0<x); }", "1\n", "the data ends"),
        (_TRIANGLE, "0 0 1 1 2 2\n", "does not hold"),
        ("{ x y; [unique(x,y)] }", "5 6\n5 6\n", "does not hold"),
        ("{ x; [increasing(x)] }", "2\n2\n", "does not hold"),
        ("{ a:string@[2] @1@ y:string@[2]; }", "abxcd\n", "is not blank"),
        ("{ x@[5] y@[5]; }", "    1   2\n", "too short for a field"),
        ('# eofstyle="windows" # x;', "1\n", "the last line ends"),
    ],
)
def test_data_that_is_not_as_described_is_refused_with_its_line(
    pattern: str, data: str, sentence: str
) -> None:
    assert sentence in said(pattern, data)


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("x (x < );", "a value is expected"),
        ("x", "; is expected"),
        (";x;", "a pattern is expected"),
        ("x (y < 3);", "'y' is not known here"),
        ("x (x);", "neither true nor false"),
        ("x (f(x));", "there is no function 'f'"),
        ("x (sqrt(x, x) = 1);", "has 1 arguments, not 2"),
        ("x (x[5] = 1);", "x[5] has no value"),
        ("x (x / 0 = 1);", "divided by zero"),
        ("x (ln(0) = 1);", "has no result"),
        ('x:string (x %% "(");', "cannot be read"),
        ("x:money;", "there is no type 'money'"),
        ("{[*1000000000] x; }", "repeated 1000000000 times"),
        ('# ignoreeoln="yes" # x;', "ignoreeoln is not supported"),
        (f"x ({'(' * 3000}x{')' * 3000} = 1);", "nested too deeply"),
        (f"{'{' * 3000}x;{'}' * 3000}", "nested too deeply"),
    ],
    ids=range(16),
)
def test_a_pattern_that_makes_no_sense_says_where(pattern: str, sentence: str) -> None:
    told = said(pattern, "1\n")
    assert told.startswith("the grammar is wrong: ")
    assert sentence in told


def test_a_package_may_have_no_other_validator(modern: PackageReader) -> None:
    (validator,) = modern({"input_validators/v.viva": "x;"}, without=("input_validators",)).input_validators
    assert (validator.name, validator.language) == ("v.viva", "viva")
