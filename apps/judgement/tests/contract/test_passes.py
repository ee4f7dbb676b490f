"""Several runs on one case in the real sandbox: who asks for them, what stays, and where it ends."""

from __future__ import annotations

from dataclasses import replace
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

# Counts down from the input, each run on what the last one printed. Notes stay, the order does not.
COUNT = """
import os, sys
given, answer, feedback = sys.argv[1:4]
n = int(open(given).read())
assert not os.path.exists(feedback + 'nextpass.in')
with open(feedback + 'judgemessage.txt', 'a') as notes: notes.write(f'{n} ')
if int(input()) != n - 1: sys.exit(43)
if n - 1 > END: open(feedback + 'nextpass.in', 'w').write(str(n - 1))
sys.exit(42)
"""
# The same, asking for the number in a talk.
TALK = COUNT.replace("if int(input())", "print(n, flush=True)\nif int(input())")
STEP = "print(int(input()) - 1)"
# Fails unless every run starts in an empty directory.
FORGETFUL = "import os\nassert os.listdir('.') == []\nopen('kept', 'w')\n" + STEP


@pytest.mark.parametrize("interactive", [False, True], ids=["runs", "talks"])
async def test_a_solution_is_run_again_on_what_the_checker_wrote(bench: Bench, *, interactive: bool) -> None:
    checker = (TALK if interactive else COUNT).replace("END", "7")
    case, _ = await bench.checked(checker, FORGETFUL, passes=3, interactive=interactive)
    assert (case.verdict, case.message) == (Verdict.ACCEPTED, "10 9 8")
    wrong = "n = int(input())\nprint(n - 1 if n != 9 else 0)"
    case, _ = await bench.checked(checker, wrong, passes=3, interactive=interactive)
    assert (case.verdict, case.message) == (Verdict.WRONG_ANSWER, "10 9")
    late = "n = int(input())\nif n == 9: raise SystemExit(3)\nprint(n - 1)"
    case, _ = await bench.checked(checker, late, passes=3, interactive=interactive)
    assert case.verdict is Verdict.RUNTIME_ERROR


@pytest.mark.parametrize("interactive", [False, True], ids=["runs", "talks"])
async def test_a_checker_that_never_stops_asking_is_broken(bench: Bench, *, interactive: bool) -> None:
    checker = (TALK if interactive else COUNT).replace("END", "-1000")
    case, _ = await bench.checked(checker, STEP, passes=4, interactive=interactive)
    assert (case.verdict, "asks for more than 4 runs" in case.message) == (Verdict.SYSTEM_ERROR, True)


async def test_a_checker_that_rejects_and_asks_for_more_is_broken(bench: Bench) -> None:
    checker = COUNT.replace("END", "0").replace("sys.exit(42)", "sys.exit(43)")
    case, _ = await bench.checked(checker, STEP, passes=2)
    assert (case.verdict, "does not accept this one" in case.message) == (Verdict.SYSTEM_ERROR, True)


async def test_what_a_checker_of_one_run_writes_asks_for_nothing(bench: Bench) -> None:
    case, _ = await bench.checked(COUNT.replace("END", "0"), STEP)
    assert case.verdict is Verdict.ACCEPTED


async def test_only_the_last_run_is_worth_points(bench: Bench) -> None:
    scoring = COUNT.replace("END", "8").replace(
        "sys.exit(42)", "open(feedback + 'score.txt', 'w').write(str(n))\nsys.exit(42)"
    )
    _, judged = await bench.checked(scoring, STEP, passes=2, scores=True)
    assert judged.result.score == Score.points(9)


async def test_limits_hold_for_each_run_and_the_largest_use_is_told(bench: Bench) -> None:
    busy = "import time\nn = int(input())\nwhile time.process_time() < SECONDS: pass\nprint(n - 1)"
    checker = COUNT.replace("END", "7")
    # All runs together take longer than one may; a busy machine has almost a second to spare for each.
    limits = Limits(cpu_ms=1400, memory_kib=128 * 1024, output_kib=64)
    case, _ = await bench.checked(checker, busy.replace("SECONDS", "0.5"), passes=3, limits=limits)
    assert case.verdict is Verdict.ACCEPTED
    assert 450 < case.usage.time_ms < 1400
    slow_last = busy.replace("SECONDS", "(0.1 if n > 8 else 5)")
    case, _ = await bench.checked(checker, slow_last, passes=3, limits=replace(limits, cpu_ms=600))
    assert case.verdict is Verdict.TIME_LIMIT


# Hands the input out digit by digit, in another order; the second run has to put them together again.
SHUFFLE = """
import sys
given, written, answer = sys.argv[1:4]
digits = open(given).read().strip()
print("encode", digits, flush=True)
code = input()
if code == "no": sys.exit(1)
open(written, "w").write("decode\\n" + "".join(reversed(code)))
sys.exit(0)
"""
UNSHUFFLED = """
import sys
given, output, answer = (open(name).read().strip() for name in sys.argv[1:4])
print("said", output, file=sys.stderr)
sys.exit(0 if output == given and answer == "any" else 1)
"""
TWICE = """
import os
assert not os.path.exists("kept")
open("kept", "w").write("from the first run")
words = input().split()
ENCODE
if words[0] == "encode": print(words[1])
else:
    DECODE
"""


@pytest.mark.parametrize(
    ("encode", "decode", "verdict"),
    [
        ("", "print(input()[::-1])", Verdict.ACCEPTED),
        ("", "print(input())", Verdict.WRONG_ANSWER),
        ("", "raise SystemExit(3)", Verdict.RUNTIME_ERROR),
        ("", "print('x' * 10**7)", Verdict.OUTPUT_LIMIT),
        ("words[1] = 'no'", "print(10)", Verdict.WRONG_ANSWER),
        ("if words[0] == 'encode': raise SystemExit(3)", "print(10)", Verdict.RUNTIME_ERROR),
    ],
    ids=["right", "wrong", "crash", "flood", "rejected at once", "crash at once"],
)
async def test_a_second_run_reads_what_an_interactor_wrote(
    bench: Bench, encode: str, decode: str, verdict: Verdict
) -> None:
    solution = TWICE.replace("ENCODE", encode).replace("DECODE", decode)
    case, _ = await bench.checked(
        SHUFFLE, solution, interactive=True, convention=Convention.TESTLIB, passes=2, after=UNSHUFFLED
    )
    assert case.verdict is verdict, case.message
    if verdict is Verdict.ACCEPTED:
        assert case.message == "said 10", "of the second run"


async def test_what_takes_several_runs_needs_the_agent_and_says_so(bench: Bench, private_home: Path) -> None:
    bench.sandbox = OneShotSandbox(private_home, ("--state", str(private_home / "one")), lambda _: None)
    with pytest.raises(SandboxFailedError, match="needs the agent"):
        await bench.checked(COUNT.replace("END", "8"), STEP, passes=2)
