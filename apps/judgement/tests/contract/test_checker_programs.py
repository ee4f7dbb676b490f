"""Setters' own checkers in the real sandbox: their conventions, and that a broken one is never WA."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deepoj_domain.kernel.score import Score, Share
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.checker import Convention
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.suite import Group, GroupScoring
from deepoj_judgement.outbound.sandbox.one_shot import OneShotSandbox

if TYPE_CHECKING:
    from .conftest import Bench

ICPC, TESTLIB = Convention.ICPC, Convention.TESTLIB
SUM_ICPC = """
import sys
given, answer, feedback = sys.argv[1:4]
open(feedback + 'judgemessage.txt', 'w').write('a sum was asked for')
open(feedback + 'teammessage.txt', 'w').write('add again')
right = sum(map(int, input().split())) == int(open(given).read())
sys.exit(42 if right and open(answer).read() == 'any' else 43)
"""
SUM_TESTLIB = """
import sys
given, output, answer = (open(name).read() for name in sys.argv[1:4])
if not output.strip(): sys.exit(2)
print('ok, a sum', file=sys.stderr)
sys.exit(0 if sum(map(int, output.split())) == int(given) else 1)
"""
POINTS_ICPC = """
import sys
for name, text in zip(sys.argv[4::2], sys.argv[5::2]):
    open(sys.argv[3] + name, 'w').write(text)
sys.exit(int(input()))
"""
POINTS_TESTLIB = """
import sys
print(' '.join(sys.argv[4:]), file=sys.stderr)
sys.exit(int(open(sys.argv[2]).read()))
"""
ENDLESS = "while True: pass"
SHORT = Limits(cpu_ms=300, memory_kib=64 * 1024, output_kib=64)


@pytest.mark.parametrize(
    ("checker", "convention", "output", "verdict"),
    [
        (SUM_ICPC, ICPC, "3 7", Verdict.ACCEPTED),
        (SUM_ICPC, ICPC, "3 8", Verdict.WRONG_ANSWER),
        (SUM_TESTLIB, TESTLIB, "4 6", Verdict.ACCEPTED),
        (SUM_TESTLIB, TESTLIB, "4 7", Verdict.WRONG_ANSWER),
        (SUM_TESTLIB, TESTLIB, "", Verdict.PRESENTATION_ERROR),
        (POINTS_TESTLIB, TESTLIB, "4", Verdict.PRESENTATION_ERROR),
        (POINTS_TESTLIB, TESTLIB, "8", Verdict.PRESENTATION_ERROR),
    ],
)
async def test_a_checker_program_decides_by_its_convention(
    bench: Bench, checker: str, convention: Convention, output: str, verdict: Verdict
) -> None:
    case, judged = await bench.checked(checker, f"print({output!r})", convention=convention)
    assert (case.verdict, judged.result.verdict) == (verdict, verdict)
    if checker is SUM_ICPC:
        assert case.message == "a sum was asked for\n(to the team) add again"
    if verdict is Verdict.ACCEPTED and convention is TESTLIB:
        assert case.message == "ok, a sum"


@pytest.mark.parametrize(
    ("feedback", "points", "share", "score"),
    [
        (("score.txt", "33.3333339"), Score.points("33.333333"), Share(1_000_000), "33.333333"),
        (("score_multiplier.txt", "0.25"), None, Share(250_000), "25"),
        ((), None, Share(1_000_000), "100"),
    ],
)
async def test_an_icpc_validator_may_give_points(
    bench: Bench, feedback: tuple[str, ...], points: Score | None, share: Share, score: str
) -> None:
    case, judged = await bench.checked(POINTS_ICPC, "print(42)", scores=True, arguments=feedback)
    assert (case.verdict, case.points, case.share) == (Verdict.ACCEPTED, points, share)
    assert judged.result.score == Score.points(score)
    case, judged = await bench.checked(POINTS_ICPC, "print(43)", scores=True, arguments=feedback)
    assert (case.verdict, judged.result.score) == (Verdict.WRONG_ANSWER, Score.points(0))


@pytest.mark.parametrize(
    ("exit_code", "said", "verdict", "score"),
    [
        (7, ("points", "62.5", "nearly"), Verdict.WRONG_ANSWER, "62.5"),
        (7, ("100", "all"), Verdict.ACCEPTED, "100"),
        (0, ("partially", "correct", "(0)", "nothing"), Verdict.WRONG_ANSWER, "0"),
        (1, ("partially", "correct", "(1)"), Verdict.WRONG_ANSWER, "1"),
        (5, ("partially", "correct", "(5)"), Verdict.WRONG_ANSWER, "5"),
        (7, ("partially", "correct", "(7)"), Verdict.WRONG_ANSWER, "7"),
        (50, ("partially", "correct", "(50)", "half"), Verdict.WRONG_ANSWER, "50"),
        (100, ("partially", "correct", "(100)"), Verdict.ACCEPTED, "100"),
        (16 + 40, ("partially", "correct", "(40)"), Verdict.WRONG_ANSWER, "40"),
        (50 + 100, ("partially", "correct", "(100)"), Verdict.ACCEPTED, "100"),
    ],
)
async def test_a_testlib_checker_may_give_points(
    bench: Bench, exit_code: int, said: tuple[str, ...], verdict: Verdict, score: str
) -> None:
    case, judged = await bench.checked(
        POINTS_TESTLIB, f"print({exit_code})", convention=TESTLIB, scores=True, arguments=said
    )
    assert (case.verdict, judged.result.score) == (verdict, Score.points(score))


@pytest.mark.parametrize(
    ("convention", "exit_code", "arguments"),
    [
        (ICPC, 42, ("score.txt", "100.1")),
        (ICPC, 42, ("score.txt", "many")),
        (ICPC, 42, ("score.txt", "-1")),
        (ICPC, 42, ("score_multiplier.txt", "1.5")),
        (TESTLIB, 7, ("points",)),
        (TESTLIB, 7, ("points", "101")),
        (TESTLIB, 50, ()),
        (TESTLIB, 101, ("partially", "correct", "(101)")),
        (TESTLIB, 42, ("partially", "correct", "(50)")),
        (ICPC, 42, ("score.txt", "1", "score_multiplier.txt", "1")),
    ],
)
async def test_points_that_make_no_sense_are_a_broken_checker(
    bench: Bench, convention: Convention, exit_code: int, arguments: tuple[str, ...]
) -> None:
    checker = POINTS_ICPC if convention is ICPC else POINTS_TESTLIB
    case, _ = await bench.checked(
        checker, f"print({exit_code})", convention=convention, scores=True, arguments=arguments
    )
    assert case.verdict is Verdict.SYSTEM_ERROR, case


async def test_without_a_bound_a_checker_gives_what_it_likes(bench: Bench) -> None:
    unbounded = Group("all", Score.points(0), unbounded=True)
    _, judged = await bench.checked(
        POINTS_ICPC, "print(42)", scores=True, arguments=("score.txt", "1234.5"), group=unbounded
    )
    assert judged.result.score == Score.points("1234.5")


async def test_without_a_bound_a_checker_that_accepts_must_give_points(bench: Bench) -> None:
    unbounded = Group("all", Score.points(0), unbounded=True)
    case, _ = await bench.checked(POINTS_ICPC, "print(42)", scores=True, group=unbounded)
    assert case.verdict is Verdict.SYSTEM_ERROR


@pytest.mark.parametrize("points", [0, 100])
async def test_points_do_not_count_where_all_or_nothing_is_asked_for(bench: Bench, points: int) -> None:
    group = Group("all", Score.points(points), scoring=GroupScoring.ALL)
    case, judged = await bench.checked(
        POINTS_ICPC, "print(42)", scores=True, arguments=("score.txt", "200"), group=group
    )
    assert (case.verdict, case.points, judged.result.score) == (Verdict.ACCEPTED, None, Score.points(points))


@pytest.mark.parametrize(
    ("checker", "reason"),
    [
        ("import sys; print('oh', file=sys.stderr); sys.exit(1)", "the unknown exit code 1: oh"),
        ("raise ValueError('oh')", "the unknown exit code 1: Traceback"),
        ("import os; os.abort()", "was killed by signal 6"),
        ("x = bytearray(2 << 30)", "ran out of memory"),
        ("import sys\nwhile True: print('x' * 1000, file=sys.stderr)", "wrote too much"),
        ({"a.py": "import b", "b.txt": ""}, "the unknown exit code 1: Traceback"),
        ({"notes.txt": "no program"}, "does not compile: no file ends in .py"),
    ],
)
async def test_a_broken_checker_is_a_system_error_with_its_reason_and_log(
    bench: Bench, checker: str, reason: str
) -> None:
    case, judged = await bench.checked(checker, "print('3 7')")
    assert judged.result.verdict is Verdict.SYSTEM_ERROR
    assert reason in case.message
    assert judged.result.message == "the judge failed on case 1", "contestants learn no more"
    assert judged.logs is not None
    if "oh" in reason:
        assert judged.logs.cases[0].checker == b"oh\n"


async def test_a_checker_has_limits_of_its_own_and_a_second_try_when_late(bench: Bench) -> None:
    case, _ = await bench.checked(ENDLESS, "print('3 7')", checker_limits=SHORT)
    assert case.verdict is Verdict.SYSTEM_ERROR
    assert "ran out of time" in case.message


async def test_an_argument_the_sandbox_refuses_is_the_checkers_fault(bench: Bench) -> None:
    case, _ = await bench.checked(SUM_ICPC, "print('3 7')", arguments=("a\0b",))
    assert case.verdict is Verdict.SYSTEM_ERROR
    assert "cannot be started" in case.message


async def test_a_checker_of_several_files_is_compiled_once(bench: Bench) -> None:
    files = {
        "main.cpp": '#include "sum.h"\nint main() { return sum(40, 2); }',
        "sum.h": "int sum(int a, int b);",
        "sum.cpp": "int sum(int a, int b) { return a + b; }",
    }
    for _ in range(2):
        case, _ = await bench.checked(files, "print(1)", language="cpp17")
        assert case.verdict is Verdict.ACCEPTED, case
    assert len(bench.programs.kept) == 1
    (kept,) = bench.programs.kept.values()
    assert set(kept.files) == {"main"}


async def test_inv_7_a_checker_program_works_with_the_one_shot_command_too(
    bench: Bench, private_home: Path
) -> None:
    bench.sandbox = OneShotSandbox(private_home, ("--state", str(private_home / "one")), lambda _: None)
    case, _ = await bench.checked(SUM_ICPC, "print('3 7')")
    assert case.verdict is Verdict.ACCEPTED
    assert case.message.startswith("a sum was asked for")
