"""Checkers as other judges call them, in the real sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.checker import Convention

if TYPE_CHECKING:
    from .conftest import Bench

# Each reads the files as its judge gives them; the solution prints what it shall do then.
HUSTOJ = "given, answer, output = map(open, sys.argv[1:4])"
QDUOJ = "given, output = map(open, sys.argv[1:3]); answer = ['any']"
TESTLIB = "given, output, answer = map(open, sys.argv[1:4])"
PEG = "answer, output, given = map(open, sys.argv[1:4])"
SYZOJ = "given, output, answer = map(open, ('input', 'user_out', 'answer')); open('code')"
LEMON = TESTLIB + "; assert sys.argv[4] == '100'"
BODY = """
assert (list(given), list(answer)) == (['10'], ['any'])
exec(output.read())
"""
ACCEPTED, WRONG, BROKEN = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.SYSTEM_ERROR


def exits(code: int) -> str:
    return f"sys.exit({code})"


def tells(text: str, stream: str = "stdout", code: int = 0) -> str:
    return f"print({text!r}, file=sys.{stream}); sys.exit({code})"


def lemon(text: str) -> str:
    return f"open(sys.argv[5], 'w').write('{text}'); open(sys.argv[6], 'w').write('so so')"


@pytest.mark.parametrize(
    ("convention", "files", "does", "verdict", "score"),
    [
        (Convention.HUSTOJ, HUSTOJ, exits(0), ACCEPTED, "100"),
        (Convention.HUSTOJ, HUSTOJ, exits(77), WRONG, "0"),
        (Convention.HUSTOJ, HUSTOJ, "import os; os.abort()", BROKEN, "0"),
        (Convention.QDUOJ, QDUOJ, exits(0), ACCEPTED, "100"),
        (Convention.QDUOJ, QDUOJ, exits(1), WRONG, "0"),
        (Convention.QDUOJ, QDUOJ, exits(2), BROKEN, "0"),
        (Convention.LEMON, LEMON, lemon("100"), ACCEPTED, "100"),
        (Convention.LEMON, LEMON, lemon("12.5"), WRONG, "12.5"),
        (Convention.LEMON, LEMON, lemon("101"), BROKEN, "0"),
        (Convention.LEMON, LEMON, exits(0), BROKEN, "0"),
        (Convention.LEMON, LEMON, "import os; os.symlink('/app', sys.argv[5])", BROKEN, "0"),
        (Convention.SYZOJ, SYZOJ, tells("100"), ACCEPTED, "100"),
        (Convention.SYZOJ, SYZOJ, tells("40"), WRONG, "40"),
        (Convention.SYZOJ, SYZOJ, tells("nan"), BROKEN, "0"),
        (Convention.SYZOJ, SYZOJ, tells("9" * 100_000), BROKEN, "0"),
        (Convention.CMS, HUSTOJ, tells("1.0"), ACCEPTED, "100"),
        (Convention.CMS, HUSTOJ, tells("0.25"), WRONG, "25"),
        (Convention.CMS, HUSTOJ, tells("1e-05"), WRONG, "0.001"),
        (Convention.CMS, HUSTOJ, tells("1e99"), BROKEN, "0"),
        (Convention.CMS, HUSTOJ, tells("-0.5"), BROKEN, "0"),
        (Convention.CMS, HUSTOJ, tells("1.0", code=1), BROKEN, "0"),
        (Convention.DMOJ, TESTLIB, exits(0), ACCEPTED, "100"),
        (Convention.DMOJ, TESTLIB, exits(1), WRONG, "0"),
        (Convention.DMOJ, TESTLIB, exits(2), BROKEN, "0"),
        (Convention.COCI, TESTLIB, tells("partial 1/4", "stderr", 7), WRONG, "25"),
        (Convention.COCI, TESTLIB, tells("partial 5/4", "stderr", 7), BROKEN, "0"),
        (Convention.COCI, TESTLIB, tells("partial 0/0", "stderr", 7), BROKEN, "0"),
        (Convention.COCI, TESTLIB, exits(2), Verdict.PRESENTATION_ERROR, "0"),
        (Convention.PEG, PEG, exits(0), ACCEPTED, "100"),
        (Convention.PEG, PEG, tells("half\n5\n10", code=1), WRONG, "50"),
        (Convention.PEG, PEG, tells("10\n5", code=0), BROKEN, "0"),
        (Convention.PEG, PEG, exits(3), BROKEN, "0"),
        (Convention.UOJ, TESTLIB, exits(0), ACCEPTED, "100"),
        (Convention.UOJ, TESTLIB, tells("points 0.25 so so", "stderr", 7), WRONG, "25"),
        (Convention.UOJ, TESTLIB, tells("points 1", "stderr", 7), ACCEPTED, "100"),
        (Convention.UOJ, TESTLIB, tells("points 25", "stderr", 7), BROKEN, "0"),
        (Convention.UOJ, TESTLIB, exits(7), BROKEN, "0"),
    ],
)
async def test_a_checker_is_called_and_heard_as_its_judge_does(
    bench: Bench, convention: Convention, files: str, does: str, verdict: Verdict, score: str
) -> None:
    checker = f"import sys\n{files}{BODY}"
    case, judged = await bench.checked(checker, f"print({does!r})", convention=convention, scores=True)
    assert (case.verdict, judged.result.score) == (verdict, Score.points(score)), case.message
    if convention is Convention.LEMON and verdict is not BROKEN:
        assert case.message == "so so"


@pytest.mark.parametrize("convention", [Convention.DMOJ, Convention.COCI])
async def test_an_interactor_without_a_file_to_write_gets_two(bench: Bench, convention: Convention) -> None:
    talk = "import sys\nassert len(sys.argv) == 3\nn = int(open(sys.argv[1]).read())\nprint(n, flush=True)\n"
    talk += "sys.exit(0 if int(input()) == n + 1 else 1)"
    for solution, verdict in (("print(int(input()) + 1)", ACCEPTED), ("input(); print(0)", WRONG)):
        case, _ = await bench.checked(talk, solution, convention=convention, interactive=True)
        assert case.verdict is verdict


async def test_an_interactor_of_uoj_reads_the_solution_as_a_file(bench: Bench) -> None:
    talk = """
import sys
given, said, answer = map(open, sys.argv[1:])
n = int(given.read())
print(n, flush=True)
sys.exit(0 if int(said.readline()) == n + 1 and answer.read() == 'any' else 1)
"""
    for solution, verdict in (("print(int(input()) + 1)", ACCEPTED), ("input(); print(0)", WRONG)):
        case, _ = await bench.checked(talk, solution, convention=Convention.UOJ, interactive=True)
        assert case.verdict is verdict, case.message


INTERACTOR = """
import sys
n = int(open(sys.argv[1]).read())
print(n, flush=True)
said = sys.stdin.readline().strip()
WRITE
sys.exit(0 if said else 1)
"""
CHECKER = """
import sys
given, output, answer = (open(name).read() for name in sys.argv[1:4])
if not output: sys.exit(2)
if output == 'half': print('points 50', file=sys.stderr); sys.exit(7)
sys.exit(0 if int(output) == int(given) + 1 and answer == 'any' else 1)
"""


@pytest.mark.parametrize(
    ("solution", "writes", "verdict", "score"),
    [
        ("print(int(input()) + 1)", True, ACCEPTED, "100"),
        ("input(); print(0)", True, WRONG, "0"),
        ("input(); print('half')", True, WRONG, "50"),
        ("print(int(input()) + 1)", False, Verdict.PRESENTATION_ERROR, "0"),
        ("input(); print()", True, WRONG, "0"),
        ("input(); raise SystemExit(3)", True, Verdict.RUNTIME_ERROR, "0"),
    ],
    ids=["right", "wrong", "points", "nothing written", "rejected by the interactor", "crash"],
)
async def test_a_checker_looks_at_what_an_interactor_wrote(
    bench: Bench, solution: str, *, writes: bool, verdict: Verdict, score: str
) -> None:
    talk = INTERACTOR.replace("WRITE", "open(sys.argv[2], 'w').write(said)" if writes else "")
    case, judged = await bench.checked(
        talk, solution, convention=Convention.TESTLIB, interactive=True, after=CHECKER
    )
    assert (case.verdict, judged.result.score) == (verdict, Score.points(score)), case.message


async def test_arguments_of_a_checker_may_hold_anything(bench: Bench) -> None:
    words = ("a b", "'quoted' \"twice\"", "<in> | $(out); `x` && ../..", "求和")
    heard = f"import sys\nsys.exit(0 if sys.argv[-4:] == {list(words)!r} else 1)"
    for interactive in (False, True):
        case, _ = await bench.checked(
            heard, "print(1)", convention=Convention.DMOJ, arguments=words, interactive=interactive
        )
        assert case.verdict is ACCEPTED, case.message


async def test_a_checker_after_an_interactor_that_breaks_is_a_system_error(bench: Bench) -> None:
    talk = INTERACTOR.replace("WRITE", "")
    case, _ = await bench.checked(
        talk,
        "input(); print(1)",
        convention=Convention.TESTLIB,
        interactive=True,
        after="raise SystemExit(99)",
    )
    assert (case.verdict, "unknown exit code 99" in case.message) == (BROKEN, True)
