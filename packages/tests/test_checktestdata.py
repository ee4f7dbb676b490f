"""The language of checktestdata: by its specification, and against Python where both say the same."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepoj_packages.grammars.interpreter import with_interpreter
from deepoj_packages.grammars.longest_match import Automaton, compiled
from deepoj_packages.grammars.posix_pattern import parse
from deepoj_packages.grammars.validate import verdict
from deepoj_packages.spec import ProblemSpec
from deepoj_packages.testing import PackageReader


def said(grammar: str, data: str) -> str:
    return verdict("checktestdata", grammar.encode("latin-1"), data.encode("latin-1"))


@pytest.mark.parametrize(
    ("grammar", "data"),
    [
        ("", ""),
        ("INT(1,10) SPACE INT(-5,-1) NEWLINE", "10 -5\n"),
        ("INT(0,10^30,n) NEWLINE ASSERT(n == 10^29 * 10)", f"{10**30}\n"),
        ('FLOAT(-1,1.5) NEWLINE FLOAT(0,1,x,FIXED) STRING("e")', "-1e0\n0.5e"),
        ("FLOAT(0,20,x,SCIENTIFIC) ASSERT(x == 12.50)", "1.25E1"),
        ("FLOATP(0,1,2,3) SPACE FLOATP(0,100,1,1,x,SCIENTIFIC)", "0.123 2.5e1"),
        ('STRING("a\\"\\\\\\101\\n")', 'a"\\A\n'),
        ('REGEX("(a|ab)(c|bcd)*", w) ASSERT(STRLEN(w) == 4)', "abcd"),
        ('REGEX("[[:upper:]][^\\n]{0,5}") NEWLINE', "Hello \n"),
        ("REP(3, SPACE) INT(1,9) END", "1 2 3"),
        (
            "INT(0,9,n) REPI(i, n) SPACE INT(i,i,a[i]) END ASSERT(i == n && UNIQUE(a) && INARRAY(2, a))",
            "3 0 1 2",
        ),
        ("WHILE(!ISEOF) INT(1,9) NEWLINE END", "1\n2\n"),
        ('WHILEI(i, MATCH("ab "), SPACE) REGEX("[ab]") IF(i == 1) NEWLINE END END', "a b\n"),
        ('IF(MATCH("-")) STRING("-") ELSE STRING("+") END # a comment', "+"),
        ("SET(a[1,2] = 7 / -2, b = -7 % 3, c = -2^2) ASSERT(a[1,2] == -3 && b == -1 && c == -4)", ""),
        ("SET(a = 2^3^2) ASSERT(a == 64 || 1 == 2)", ""),
        ('SET(s = "abc", t = "abd") ASSERT((s < t) && !(s == t))', ""),
        ("SET(a[1]=1) UNSET(a) SET(a[2]=1) ASSERT(UNIQUE(a))", ""),
        ("EOF", ""),
    ],
)
def test_data_that_is_as_described_is_taken(grammar: str, data: str) -> None:
    assert said(grammar, data) == ""


@pytest.mark.parametrize(
    ("grammar", "data", "sentence"),
    [
        ("INT(1,10)", "11", "line 1, character 1: 11 is not from 1 to 10"),
        ("INT(1,10)", "01", "not how an integer is written"),
        ("INT(-1,10)", "-0", "not how an integer is written"),
        ("INT(1,10)", "", "an integer is expected, not the end of the data"),
        ("INT(1,10) NEWLINE", "5\r\n", "line 1, character 2: '\\n' is expected, not '\\r'"),
        ("INT(1,10) NEWLINE", "5\n\n", "line 2, character 1: the end is expected"),
        ("FLOAT(0,1)", "0.", "lacks digits"),
        ("FLOAT(0,1)", "00.5", "begins with zeros"),
        ("FLOAT(0,1)", "1e", "lacks digits"),
        ("FLOAT(0,1,x,SCIENTIFIC)", "0.5", "has no exponent"),
        ("FLOATP(0,1,2,3)", "0.1", "has not 2 to 3 decimals"),
        ("FLOATP(0,100,1,1)", "0.5e1", "one digit other than 0"),
        ('REGEX("[a-c]+")', "xyz", "a match of '[a-c]+' is expected"),
        ("REP(2,SPACE) INT(1,9) END", "1 2 3", "the end is expected"),
        ("REPI(i,2) INT(1,9,a[i]) NEWLINE END ASSERT(UNIQUE(a))", "1\n1\n", "assertion in line 1"),
        ("ASSERT(1 == 2)", "", "assertion"),
    ],
)
def test_data_that_is_not_as_described_is_refused_with_its_place(
    grammar: str, data: str, sentence: str
) -> None:
    assert sentence in said(grammar, data)


@pytest.mark.parametrize(
    ("grammar", "sentence"),
    [
        ("INT(1,10", "line 1: ) is expected"),
        ("\nREP(3) SPACE", "line 2: END is expected"),
        ("FROB", "a command is expected"),
        ("END", "a command is expected"),
        ("INT(1,n)", "the variable n has no value"),
        ("ASSERT(1)", "a comparison is expected"),
        ("SET(a = (1 == 1))", "a test has no value"),
        ('ASSERT("a" < 1)', "cannot be compared"),
        ("SET(a = 1 / 0)", "divided by zero"),
        ("SET(a = 2 ^ -1)", "the exponent -1 is negative"),
        ("REP(-1) SPACE END", "repeated -1 times"),
        ('REGEX("a{3,1}")', "from a number to a larger one"),
        ('REGEX("(a")', "a bracket is not closed"),
        ('REGEX("[[:nope:]]")', "class of characters"),
        ("STRING(5)", "5 is not a string"),
        ("ASSERT(INARRAY(1, a))", "the variable a has no value"),
        ('"unfinished', "is not expected here"),
    ],
)
def test_a_grammar_that_makes_no_sense_says_where(grammar: str, sentence: str) -> None:
    told = said(grammar, "1")
    assert told.startswith("the grammar is wrong: ")
    assert sentence in told


@pytest.mark.parametrize(
    "grammar",
    [
        "SET(a = 9^(9^9))",
        "SET(a = 10^1000000000)",
        'REGEX("((a{1,1000}){1,1000}){1,1000}")',
        f"SET(a = {'(' * 3000}1{')' * 3000})",
        f"{'REP(1) ' * 3000}{'END ' * 3000}",
        f"ASSERT({'!' * 3000}1==1)",
    ],
    ids=("tower", "power", "repeats", "brackets", "blocks", "negations"),
)
def test_a_grammar_that_asks_for_too_much_is_refused_at_once(grammar: str) -> None:
    assert said(grammar, "a" * 1000).startswith("the grammar is wrong: ")


def test_a_pattern_that_would_be_tried_for_ever_is_matched_in_one_pass() -> None:
    assert "the end is expected" in said('REGEX("(a*)*(a|a)*")', "a" * 20_000 + "b")


_LETTERS = st.sampled_from("ab")
_PATTERNS = st.recursive(
    st.sampled_from(["a", "b", "[ab]", "[^a]", ".", "a?", "b*", "[ab]+", "a{1,2}"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}|{two[1]})"),
        inner.map(lambda one: f"({one})*"),
        inner.map(lambda one: f"({one}){{0,2}}"),
    ),
    max_leaves=6,
)


@given(_PATTERNS, st.text(_LETTERS, max_size=7))
def test_a_match_is_the_longest_of_all(pattern: str, text: str) -> None:
    ends = [end for end in range(len(text) + 1) if re.fullmatch(pattern, text[:end], re.DOTALL)]
    longest = max(ends, default=None)
    assert compiled(pattern)(text, 0) == longest
    assert Automaton(parse(pattern)).match(text, 0) == longest


_NUMBERS = st.integers(-50, 50)
_ARITHMETIC = st.recursive(
    _NUMBERS.map(lambda value: (f"({value})", value)),
    lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(
        lambda three: (
            f"({three[0][0]} {three[1]} {three[2][0]})",
            {
                "+": three[0][1] + three[2][1],
                "-": three[0][1] - three[2][1],
                "*": three[0][1] * three[2][1],
            }[three[1]],
        )
    ),
    max_leaves=8,
)


@given(_ARITHMETIC, _NUMBERS.filter(bool))
def test_integers_are_computed_as_in_c_without_limits(computed: tuple[str, int], divisor: int) -> None:
    text, value = computed
    quotient = abs(value) // abs(divisor) * (1 if (value < 0) == (divisor < 0) else -1)
    claims = f"q == ({quotient}) && q * ({divisor}) + ({text}) % ({divisor}) == ({value})"
    assert said(f"SET(q = {text} / ({divisor})) ASSERT({claims})", "") == ""


def test_the_interpreter_is_a_program_of_its_own(tmp_path: Path) -> None:
    """As it runs in a box: without anything of this project but its own files."""
    grammar = b"INT(1, 10^5000) NEWLINE"
    for name, content in with_interpreter("checktestdata", grammar).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)

    def run(data: str) -> tuple[int, str]:
        command = [sys.executable, "-E", "-s", "-S", "-B", str(tmp_path / "main.py")]
        ran = subprocess.run(command, input=data, capture_output=True, text=True, cwd=tmp_path, check=False)
        return ran.returncode, ran.stderr

    assert run("7" * 5000 + "\n") == (42, "")
    assert run("0\n")[0] == 43
    assert "0 is not from 1 to" in run("0\n")[1]


def test_a_package_may_have_no_other_validator(legacy: PackageReader) -> None:
    spec: ProblemSpec = legacy({"input_validators/x.ctd": "EOF"}, without=("input_validators",))
    (validator,) = spec.input_validators
    assert (validator.name, validator.language) == ("x.ctd", "checktestdata")
    assert not any("validator" in warning for warning in spec.warnings)
