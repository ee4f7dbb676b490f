"""Managers that talk with copies of a submission, in the real sandbox: what they say, and who is to blame."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.checker import Communication, Convention, SourceFile
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.submission_form import IncludedFiles, SubmissionForm
from deepoj_domain.question.suite import Group, GroupScoring

if TYPE_CHECKING:
    from deepoj_domain.judgement.result import CaseResult
    from deepoj_judgement.commands.judge.judge import Judged

    from .conftest import Bench

# Sends the input through all copies, each of which is to add one; a share for how far it got.
MANAGER = """
import signal, sys
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
assert input() == open('input.txt').read()
channels = sys.argv[1:]
number = 10
for given, to in zip(channels[::2], channels[1::2]):
    hears, speaks = open(given), open(to, 'w')
    try: print(number, file=speaks, flush=True)
    except BrokenPipeError: pass
    number += (hears.readline().strip() == str(number + 1))
copies = len(channels) // 2
print((number - 10) / copies)
print(number - 10, 'of', copies, file=sys.stderr)
"""
CPP_MANAGER = """
#include <cstdio>
int main(int argc, char **argv) {
    int n = 0, r = 0;
    if (scanf("%d", &n) != 1) return 1;
    FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    fprintf(out, "%d\\n", n);
    fflush(out);
    if (fscanf(in, "%d", &r) != 1) r = -1;
    fprintf(stderr, "got %d", r);
    printf("%s\\n", r == n + 1 ? "1.0" : "0.0");
}
"""
CPP_STUB = """
#include <cstdio>
int step(int);
int main(int argc, char **argv) {
    FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    int n;
    if (fscanf(in, "%d", &n) != 1) return 1;
    fprintf(out, "%d\\n", step(n));
    fclose(out);
}
"""
STEP = "print(int(input()) + 1)"
STEP_BY_NAME = """
import sys
with open(sys.argv[1]) as given, open(sys.argv[2], 'w') as answer:
    print(int(given.readline()) + 1, file=answer)
"""
ALONE, THREE = Communication(), Communication(copies=3)
LIMITS = Limits(cpu_ms=10_000, memory_kib=128 * 1024, output_kib=1024)
SHORT = Limits(cpu_ms=400, memory_kib=128 * 1024, output_kib=1024)
SHARED = Group("all", Score.points(100), GroupScoring.MIN)


async def judged(
    bench: Bench,
    manager: str,
    solution: str,
    communication: Communication = THREE,
    *,
    limits: Limits = LIMITS,
    checker_limits: Limits | None = None,
) -> tuple[CaseResult, Judged]:
    return await bench.checked(
        manager, solution, limits=limits, checker_limits=checker_limits, group=SHARED,
        convention=Convention.CMS, interactive=True, scores=True, communication=communication,
    )  # fmt: skip


async def verdict(bench: Bench, manager: str, solution: str, limits: Limits = LIMITS) -> Verdict | None:
    return (await judged(bench, manager, solution, limits=limits))[0].verdict


@pytest.mark.parametrize("copies", [1, 3])
@pytest.mark.parametrize(("by_name", "step"), [(True, STEP_BY_NAME), (False, STEP)], ids=["names", "streams"])
async def test_a_manager_talks_with_every_copy(
    bench: Bench, copies: int, step: str, *, by_name: bool
) -> None:
    how = Communication(copies=copies, by_name=by_name)
    case, result = await judged(bench, MANAGER, step, how)
    assert (case.verdict, case.message) == (Verdict.ACCEPTED, f"{copies} of {copies}")
    assert result.result.score == Score.points(100)


async def test_copies_know_their_number_and_a_manager_may_give_a_share(bench: Bench) -> None:
    last_is_wrong = "import sys\nassert len(sys.argv) == 2\nprint(int(input()) + (sys.argv[1] != '2'))"
    case, result = await judged(bench, MANAGER, last_is_wrong)
    assert (case.verdict, case.message) == (Verdict.WRONG_ANSWER, "2 of 3")
    assert result.result.score == Score.points("66.6666")


async def test_a_single_copy_has_no_number(bench: Bench) -> None:
    case, _ = await judged(bench, MANAGER, f"import sys\nassert sys.argv[1:] == []\n{STEP}", ALONE)
    assert case.verdict is Verdict.ACCEPTED


async def test_a_stub_is_compiled_with_the_submission(bench: Bench) -> None:
    stub = IncludedFiles(
        languages=frozenset(), files=(SourceFile("stub.cpp", hash_of(CPP_STUB.encode())),), main="stub.cpp"
    )
    bench.form = SubmissionForm(included=(stub,))
    for solution, expected in (("int step(int n) { return n + 1; }", Verdict.ACCEPTED),
                               ("int step(int n) { return n; }", Verdict.WRONG_ANSWER)):  # fmt: skip
        result = await bench.judge(
            solution, language="cpp17", group=SHARED, contents=(CPP_STUB, CPP_MANAGER),
            checker=bench.program(
                {"main.cpp": CPP_MANAGER}, language="cpp17", convention=Convention.CMS, interactive=True,
                scores=True, communication=Communication(by_name=True),
            ),
        )  # fmt: skip
        assert result.result.cases[0].verdict is expected, result


async def test_one_copy_that_fails_gives_the_verdict_whatever_the_others_wait_for(bench: Bench) -> None:
    crash = f"import sys\nif sys.argv[1] == '1': raise SystemExit(3)\n{STEP}"
    assert await verdict(bench, MANAGER, crash) is Verdict.RUNTIME_ERROR
    greedy = f"import sys\nif sys.argv[1] == '2': x = bytearray(1 << 30)\n{STEP}"
    assert await verdict(bench, MANAGER, greedy) is Verdict.MEMORY_LIMIT
    spin = f"import sys\nwhile sys.argv[1] == '0': pass\n{STEP}"
    assert await verdict(bench, MANAGER, spin, SHORT) is Verdict.TIME_LIMIT
    sleep = f"import sys, time\nif sys.argv[1] == '0': time.sleep(1000)\n{STEP}"
    assert await verdict(bench, MANAGER, sleep, SHORT) is Verdict.TIME_LIMIT


async def test_a_copy_that_crashes_is_a_runtime_error_even_if_the_manager_stumbles_over_it(
    bench: Bench,
) -> None:
    stumbling = MANAGER.replace(
        "number += (hears.readline().strip() == str(number + 1))", "int(hears.readline())"
    )
    assert await verdict(bench, stumbling, "raise SystemExit(3)") is Verdict.RUNTIME_ERROR


async def test_copies_share_the_time_limit(bench: Bench) -> None:
    busy = f"import time\nwhile time.process_time() < SECONDS: pass\n{STEP}"
    limits = Limits(cpu_ms=1500, memory_kib=128 * 1024, output_kib=64)
    case, _ = await judged(bench, MANAGER, busy.replace("SECONDS", "0.15"), limits=limits)
    assert case.verdict is Verdict.ACCEPTED
    assert 400 < case.usage.time_ms < 1500
    case, _ = await judged(bench, MANAGER, busy.replace("SECONDS", "0.4"), limits=replace(limits, cpu_ms=800))
    assert case.verdict is Verdict.TIME_LIMIT, "no copy alone is late"


async def test_a_copy_that_leaves_early_is_wrong(bench: Bench) -> None:
    assert await verdict(bench, MANAGER, "") is Verdict.WRONG_ANSWER
    writes_on = "import sys\nto = open(sys.argv[2], 'w')\nwhile True: print(1, file=to, flush=True)"
    case, _ = await judged(bench, writes_on, "")
    assert (case.verdict, case.message) == (Verdict.WRONG_ANSWER, "the solution left the conversation")


@pytest.mark.parametrize(
    ("manager", "reason"),
    [
        ("raise ValueError('oh')", "unknown exit code 1"),
        ("import os; os.abort()", "killed by signal 6"),
        ("print('nothing')", "does not begin with a number"),
        ("", "does not begin with a number"),
        ("print(1.5)", "is no part of"),
        ("import sys\nwhile True: print('x' * 1000, file=sys.stderr)", "wrote too much"),
    ],
)
async def test_a_manager_that_breaks_is_a_system_error(bench: Bench, manager: str, reason: str) -> None:
    case, _ = await judged(bench, manager, "import sys; sys.stdin.read()")
    assert (case.verdict, reason in case.message) == (Verdict.SYSTEM_ERROR, True), case.message


async def test_a_manager_that_keeps_copies_waiting_is_a_system_error(bench: Bench) -> None:
    patient = "import sys; sys.stdin.read()"
    case, _ = await judged(bench, "while True: pass", patient, checker_limits=SHORT)
    assert (case.verdict, "ran out of time" in case.message) == (Verdict.SYSTEM_ERROR, True)


async def test_who_earns_a_share_must_still_end_well(bench: Bench) -> None:
    crashing = f"{STEP}\nimport sys\nsys.stdout.flush()\nsys.stdin.read()\nraise SystemExit(3)"
    assert await verdict(bench, MANAGER, crashing) is Verdict.RUNTIME_ERROR


async def test_a_copy_that_floods_is_over_its_output_limit(bench: Bench) -> None:
    reading = MANAGER.replace("hears.readline()", "hears.read()")
    flood = "input()\nwhile True: print('x' * 10000)"
    assert await verdict(bench, reading, flood, SHORT) is Verdict.OUTPUT_LIMIT
