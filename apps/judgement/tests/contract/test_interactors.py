"""Interactors in the real sandbox: how a talk ends, and who is to blame when it goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.checker import Convention
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.errors import SandboxFailedError
from deepoj_judgement.outbound.sandbox.one_shot import OneShotSandbox

if TYPE_CHECKING:
    from .conftest import Bench

GUESSING = """
import sys
secret = int(open(sys.argv[1]).read())
tries = 0
while True:
    line = sys.stdin.readline()
    if not line: sys.exit(LEFT)
    tries += 1
    guess = int(line)
    print("=" if guess == secret else "<" if secret < guess else ">", flush=True)
    if guess == secret: break
    if tries > 10: sys.exit(NO)
print(tries, 'tries', file=sys.stderr)
sys.exit(YES)
"""
ICPC = GUESSING.replace("LEFT", "43").replace("NO", "43").replace("YES", "42")
TESTLIB = GUESSING.replace("LEFT", "2").replace("NO", "1").replace("YES", "0")
BISECTING = """
low, high = 0, 1000
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    answer = input()
    if answer == "=": break
    if answer == "<": high = middle
    else: low = middle + 1
"""
GUESSING_BADLY = "for n in range(500, 520):\n    print(n, flush=True)\n    input()"
SILENT = "input()"
DEFAULT_SIGPIPE = "import signal\nsignal.signal(signal.SIGPIPE, signal.SIG_DFL)\n"
READER = "import sys; sys.stdin.read(); sys.exit(43)"
CLOSES_FIRST = """
import os, sys
print(21, flush=True)
os.close(1)
sys.exit(42 if sys.stdin.read().split() == ["42"] else 43)
"""
READS_TO_THE_END = "import sys\nprint(2 * int(sys.stdin.read()))"
HOARDER = "import sys\nheld = []\nwhile data := sys.stdin.read(1 << 20): held.append(data)\nsys.exit(43)"
DRAIN = "import sys\nwhile sys.stdin.read(1 << 20): pass\nsys.exit(42)"
FLOOD = "while True: print('x' * 10000)"
UNSEEN_FLOOD = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if os.fork(): time.sleep(1000)
while True: print('x' * 10000)
"""
LIMITS = Limits(cpu_ms=10_000, memory_kib=128 * 1024, output_kib=1024)
SHORT_WALL = Limits(cpu_ms=1000, memory_kib=128 * 1024, output_kib=1024)
SHORT_CPU = Limits(cpu_ms=300, memory_kib=128 * 1024, output_kib=1024)


async def verdict(
    bench: Bench,
    interactor: str,
    solution: str,
    limits: Limits = LIMITS,
    checker_limits: Limits | None = None,
) -> tuple[Verdict | None, str]:
    case, _ = await bench.checked(
        interactor, solution, interactive=True, limits=limits, checker_limits=checker_limits
    )
    return case.verdict, case.message


@pytest.mark.parametrize(
    ("interactor", "convention", "left"),
    [
        (ICPC, Convention.ICPC, Verdict.WRONG_ANSWER),
        (TESTLIB, Convention.TESTLIB, Verdict.PRESENTATION_ERROR),
    ],
)
async def test_both_conventions_accept_and_reject(
    bench: Bench, interactor: str, convention: Convention, left: Verdict
) -> None:
    async def said(solution: str) -> tuple[Verdict | None, str]:
        case, _ = await bench.checked(interactor, solution, interactive=True, convention=convention)
        return case.verdict, case.message

    assert await said(BISECTING) == (Verdict.ACCEPTED, "10 tries")
    assert (await said(GUESSING_BADLY))[0] is Verdict.WRONG_ANSWER
    assert (await said(""))[0] is left, "a solution that leaves at once"


async def test_an_interactor_may_give_points(bench: Bench) -> None:
    scoring = ICPC + "\n"
    scoring = scoring.replace(
        "sys.exit(42)", "open(sys.argv[3] + 'score.txt', 'w').write('7.5')\nsys.exit(42)"
    )
    _, judged = await bench.checked(scoring, BISECTING, interactive=True, scores=True)
    assert judged.result.score == Score.points("7.5")


async def test_two_that_wait_for_each_other_are_the_solutions_fault(bench: Bench) -> None:
    assert (await verdict(bench, READER, SILENT, SHORT_WALL))[0] is Verdict.TIME_LIMIT


async def test_two_that_wait_for_each_other_end_long_before_their_limits(bench: Bench) -> None:
    patient = Limits(cpu_ms=60_000, memory_kib=128 * 1024, output_kib=1024)
    case, judged = await bench.checked(
        READER, SILENT, interactive=True, limits=patient, checker_limits=patient
    )
    assert case.verdict is Verdict.TIME_LIMIT
    assert judged.logs is not None
    assert judged.logs.cases[0].report.wall_ms < patient.wall_ms / 4
    asleep = "import time\ntime.sleep(1000)"
    said, message = await verdict(bench, asleep, SILENT, patient, patient)
    assert (said, message) == (Verdict.SYSTEM_ERROR, "the interactor used up the time")


async def test_a_solution_over_a_limit_has_its_own_verdict(bench: Bench) -> None:
    assert (await verdict(bench, READER, "while True: pass", SHORT_CPU))[0] is Verdict.TIME_LIMIT
    assert (await verdict(bench, READER, "x = bytearray(1 << 30)"))[0] is Verdict.MEMORY_LIMIT


async def test_a_solution_that_crashes_first_is_a_runtime_error_whatever_the_interactor_does(
    bench: Bench,
) -> None:
    for ending in ("sys.exit(43)", "raise ValueError"):
        reader = f"import sys\nsys.stdin.read()\n{ending}"
        assert (await verdict(bench, reader, "raise SystemExit(3)"))[0] is Verdict.RUNTIME_ERROR


async def test_a_rejection_stands_whatever_becomes_of_the_solution(bench: Bench) -> None:
    reject = "import sys; sys.exit(43)"
    assert (await verdict(bench, reject, SILENT))[0] is Verdict.WRONG_ANSWER
    spin = "try: input()\nexcept EOFError:\n    while True: pass"
    assert (await verdict(bench, reject, spin, SHORT_CPU))[0] is Verdict.WRONG_ANSWER


@pytest.mark.parametrize(("code", "word"), [(42, Verdict.ACCEPTED), (43, Verdict.WRONG_ANSWER)])
async def test_writing_to_an_interactor_that_has_decided_is_no_runtime_error(
    bench: Bench, code: int, word: Verdict
) -> None:
    decide = f"import sys; input(); sys.exit({code})"
    talker = "while True: print(1, flush=True)"
    assert (await verdict(bench, decide, talker))[0] is word, "an exception, the way of Python"
    assert (await verdict(bench, decide, DEFAULT_SIGPIPE + talker))[0] is word, "the signal"


async def test_an_accepted_solution_must_still_end_well(bench: Bench) -> None:
    accept = "import sys; input(); sys.exit(42)"
    assert (await verdict(bench, accept, "print(1)\nraise SystemExit(3)"))[0] is Verdict.RUNTIME_ERROR
    late = "print(1, flush=True)\nwhile True: pass"
    assert (await verdict(bench, accept, late, SHORT_CPU))[0] is Verdict.TIME_LIMIT


@pytest.mark.parametrize(
    ("interactor", "reason"),
    [
        ("raise ValueError('oh')", "unknown exit code 1"),
        ("import os; os.abort()", "killed by signal 6"),
        ("import sys\nwhile True: print('x' * 1000, file=sys.stderr)", "wrote too much"),
    ],
)
async def test_an_interactor_that_breaks_is_a_system_error(
    bench: Bench, interactor: str, reason: str
) -> None:
    patient = "import sys; sys.stdin.read()"
    said, message = await verdict(bench, interactor, patient)
    assert (said, reason in message) == (Verdict.SYSTEM_ERROR, True), message


async def test_an_interactor_that_cannot_be_started_is_a_system_error(bench: Bench) -> None:
    case, _ = await bench.checked(ICPC, BISECTING, interactive=True, arguments=("a\0b",))
    assert (case.verdict, "cannot be started" in case.message) == (Verdict.SYSTEM_ERROR, True)


async def test_an_interactor_that_computes_for_ever_is_a_system_error(bench: Bench) -> None:
    patient = "import sys; sys.stdin.read()"
    said, message = await verdict(bench, "while True: pass", patient, checker_limits=SHORT_CPU)
    assert (said, "ran out of time" in message) == (Verdict.SYSTEM_ERROR, True), message


async def test_a_solution_kept_waiting_by_the_interactor_is_not_late(bench: Bench) -> None:
    patient = "import sys; sys.stdin.read()"
    sleeping = "import time\ntime.sleep(60)"
    said, message = await verdict(bench, sleeping, patient, SHORT_WALL, SHORT_WALL)
    assert (said, message) == (Verdict.SYSTEM_ERROR, "the interactor used up the time")


async def test_an_interactor_that_floods_a_solution_that_left_is_told_by_the_signal(bench: Bench) -> None:
    flood = "while True: print('x' * 1000)"
    for interactor in (flood, DEFAULT_SIGPIPE + flood):
        said, message = await verdict(bench, interactor, "input()")
        assert (said, message) == (Verdict.WRONG_ANSWER, "the solution left the conversation")


LEAVES = "import os, time\nprint(1, flush=True)\nos.close(0)\n"


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("time.sleep(60)", Verdict.TIME_LIMIT),
        ("while True: pass", Verdict.TIME_LIMIT),
        ("1 / 0", Verdict.RUNTIME_ERROR),
        ("x = bytearray(1 << 33)", Verdict.MEMORY_LIMIT),
    ],
)
@pytest.mark.parametrize("start", ["", DEFAULT_SIGPIPE], ids=["exception", "signal"])
async def test_a_solution_that_stops_listening_cannot_make_its_end_the_interactors_fault(
    bench: Bench, start: str, end: str, said: Verdict
) -> None:
    flood = "while True: print('x' * 10000)"
    limits = SHORT_CPU if said is Verdict.TIME_LIMIT else LIMITS
    found, message = await verdict(bench, start + flood, LEAVES + end, limits)
    assert found is said, message


async def test_a_solution_that_reads_to_the_end_sees_the_end_of_an_interactor_that_goes_on(
    bench: Bench,
) -> None:
    assert await verdict(bench, CLOSES_FIRST, READS_TO_THE_END) == (Verdict.ACCEPTED, "")


async def test_an_interactor_that_reads_to_the_end_sees_the_end_of_a_solution_that_goes_on(
    bench: Bench,
) -> None:
    interactor = f"{READS_TO_THE_END}\nsys.exit(42)"
    solution = CLOSES_FIRST.replace("42 if", "0 if").replace("43", "1")
    assert await verdict(bench, interactor, solution) == (Verdict.ACCEPTED, "")


@pytest.mark.parametrize("interactor", [HOARDER, DRAIN], ids=["hoards", "forgets"])
@pytest.mark.parametrize("solution", [FLOOD, DEFAULT_SIGPIPE + FLOOD], ids=["exception", "signal"])
async def test_a_solution_that_floods_is_over_its_output_limit(
    bench: Bench, interactor: str, solution: str
) -> None:
    assert await verdict(bench, interactor, solution, SHORT_CPU, LIMITS) == (Verdict.OUTPUT_LIMIT, "")


async def test_a_flood_that_nobody_counts_is_told_by_what_drowned_in_it(bench: Bench) -> None:
    assert await verdict(bench, HOARDER, UNSEEN_FLOOD, SHORT_WALL, LIMITS) == (Verdict.OUTPUT_LIMIT, "")


async def test_an_interactor_that_floods_is_a_system_error(bench: Bench) -> None:
    flood = f"import sys\nfor _ in range(30): print('x' * {10 << 20})\nsys.exit(42)"
    drain = "import sys\nwhile sys.stdin.read(1 << 20): pass"
    said, message = await verdict(bench, flood, drain)
    assert (said, "wrote too much" in message) == (Verdict.SYSTEM_ERROR, True), message


async def test_the_one_shot_command_cannot_run_a_talk_and_says_so(bench: Bench, private_home: Path) -> None:
    bench.sandbox = OneShotSandbox(private_home, ("--state", str(private_home / "one")), lambda _: None)
    with pytest.raises(SandboxFailedError, match="needs the agent"):
        await verdict(bench, ICPC, BISECTING)
