"""Graders and several checkers of a question, in the real sandbox. Whoever breaks is ours to answer for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.checker import Grader, ProgramChecker, SourceFile
from deepoj_domain.question.suite import Group, GroupScoring

if TYPE_CHECKING:
    from deepoj_judgement.commands.judge.judge import Judged

    from .conftest import Bench

CASES = (("1", "1"), ("2", "2"), ("3", "3"))
ECHO = "print(input())"
ONE_WRONG = "n = input(); print(0 if n == '2' else n)"
CRASHES = "n = input(); print(n if n == '1' else 1 // 0)"
BEST_TWO = """
import sys
found = [line.split() for line in sys.stdin]
scores = sorted(float(score) for verdict, score in found if verdict in ("AC", sys.argv[1]))
print("AC" if any(verdict == "AC" for verdict, _ in found) else "WA", sum(scores[-2:]))
print([verdict for verdict, _ in found], sys.argv[1:], file=sys.stderr)
"""


async def graded(bench: Bench, grader: str, solution: str = ECHO, most: int = 100) -> Judged:
    bench.grader = Grader(
        sources=(SourceFile("grade.py", hash_of(grader.encode())),), language=language_slug("python3")
    )
    group = Group("all", Score.points(most), GroupScoring.GRADED, grader_arguments=("no $(such); thing",))
    return await bench.judge(solution, CASES, group=group, contents=(grader,))


@pytest.mark.parametrize(
    ("solution", "verdict", "score"),
    [
        (ECHO, Verdict.ACCEPTED, "20"),
        (ONE_WRONG, Verdict.WRONG_ANSWER, "20"),
        (CRASHES, Verdict.RUNTIME_ERROR, "10"),
        ("print(0)", Verdict.WRONG_ANSWER, "0"),
    ],
)
async def test_a_grader_makes_one_score_of_the_cases(
    bench: Bench, solution: str, verdict: Verdict, score: str
) -> None:
    bench.case_points = Score.points(10)
    judged = await graded(bench, BEST_TWO, solution)
    assert (judged.result.verdict, str(judged.result.score)) == (verdict, score), judged.result
    assert judged.result.groups[0].group == "all"


async def test_points_of_who_is_not_accepted_are_nothing(bench: Bench) -> None:
    judged = await graded(bench, "print('TLE 77')")
    assert (judged.result.verdict, str(judged.result.score)) == (Verdict.ACCEPTED, "0")


@pytest.mark.parametrize(
    ("grader", "said"),
    [
        ("", "which is no verdict and score"),
        ("print('AC')", "which is no verdict and score"),
        ("print('AC 5\\nAC 5')", "which is no verdict and score"),
        ("print('JE 0')", "which is no verdict and score"),
        ("print('AC nan')", "which is no verdict and score"),
        ("print('AC 1e9')", "which is no verdict and score"),
        ("print('AC -1')", "points that make no sense"),
        ("print('AC 999999999999')", "points that make no sense"),
        ("print('AC 101')", "more than 100"),
        ("print('AC 5'); exit(1)", "ended with RE, exit code 1"),
        ("print('AC 5', flush=True); x = bytearray(1 << 33)", "ended with"),
        ("while True: print('AC 5')", "ended with OLE"),
        ("import os\nos.kill(os.getppid(), 9)\nopen('/app/p', 'w')", "ended with RE"),
        ("def", "ended with RE"),
    ],
)
async def test_a_grader_that_breaks_is_a_system_error(bench: Bench, grader: str, said: str) -> None:
    judged = await graded(bench, grader)
    result = judged.result
    assert (result.verdict, result.groups) == (Verdict.SYSTEM_ERROR, ()), result
    assert result.message == "the judge failed on case 3", "contestants learn nothing of the grader"
    assert result.cases[-1].message.startswith("the grader of all: ")
    assert said in result.cases[-1].message, result.cases[-1].message


async def test_a_grader_finds_nothing_of_the_submission_nor_of_its_data(bench: Bench) -> None:
    nosy = """
import os
found = {name for at in ("/app", "/box") for _, _, names in os.walk(at) for name in names}
print("AC", len(found - {"main.py"}))
"""
    assert str((await graded(bench, nosy)).result.score) == "0"


SAYS = (
    "import sys\nprint('{0}', file=sys.stderr)\nsys.exit(42 if sys.stdin.read().split()[0] in {1!r} else 43)"
)
FIRST, SECOND = SAYS.format("first", "12"), SAYS.format("second", "23")
BREAKS = "import sys\nsys.exit(3)"


@pytest.mark.parametrize(
    ("output", "others", "verdict", "message"),
    [
        ("2", (SECOND,), Verdict.ACCEPTED, "second"),
        ("1", (SECOND,), Verdict.WRONG_ANSWER, "second"),
        ("3", (SECOND,), Verdict.WRONG_ANSWER, "first"),
        ("3", (BREAKS,), Verdict.WRONG_ANSWER, "first"),
        ("1", (BREAKS, SECOND), Verdict.SYSTEM_ERROR, "unknown exit code 3"),
        ("1", ("def",), Verdict.SYSTEM_ERROR, "checker"),
    ],
)
async def test_all_of_several_checkers_must_accept(
    bench: Bench, output: str, others: tuple[str, ...], verdict: Verdict, message: str
) -> None:
    also = tuple(bench.program(each) for each in others)
    first = bench.program(FIRST)
    checker = ProgramChecker(
        sources=first.sources, language=first.language, convention=first.convention, also=also
    )
    judged = await bench.judge(f"print({output})", checker=checker, contents=(FIRST, *others))
    case = judged.result.cases[0]
    assert (case.verdict, message in case.message) == (verdict, True), case
