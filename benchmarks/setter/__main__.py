"""Judging a compiled solution on many small cases, against running the same cases bare.

    uv run python -m benchmarks.setter --cases 100 --work-ms 0 --work-ms 10

Bare is a posix_spawn, a wait and nothing else: no box, no limits, no comparison of the output. Judged is from
the first case to the last as `deepoj judge` does it, the compiler left out. Both take turns, so that a busy
machine slows both. Needs root and gcc.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dependency_injector import providers

from deepoj_judgement.commands.setter.judge_solution import Solution
from deepoj_judgement.commands.setter.problem import understand
from deepoj_judgement.commands.setter.tally import Tally
from deepoj_judgement.container.sandbox import make_directories
from deepoj_judgement.container.setter import SetterContainer
from deepoj_judgement.container.setter_program import own_sandbox
from deepoj_judgement.settings import SetterSettings
from deepoj_packages.read_package import read_directory
from deepoj_packages.spec import ProblemSpec
from deepoj_packages.testing import write_package

SUBMISSION = "submissions/accepted/add.c"
SOURCE = """
#include <stdio.h>
#include <time.h>

int main(void) {
    long long a, b;
    struct timespec now;
    if (scanf("%%lld %%lld", &a, &b) != 2) return 1;
    do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < %d);
    printf("%%lld\\n", a + b);
    return 0;
}
"""


class StepClock(Tally):
    def __init__(self) -> None:
        super().__init__()
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - begun


def make_problem(root: Path, cases: int, work_ms: int) -> Path:
    files = {
        "problem.yaml": "name: Add\nlimits: {time_limit: 2}\n",
        "problem_statement/problem.en.md": "Add.\n",
        SUBMISSION: SOURCE % work_ms,
    }
    for number in range(cases):
        files[f"data/secret/{number:04}.in"] = f"{number} {number}\n"
        files[f"data/secret/{number:04}.ans"] = f"{2 * number}\n"
    return write_package(root, files)


def run_bare(program: Path, inputs: list[Path], output: Path) -> float:
    begun = time.perf_counter()
    for given in inputs:
        actions = (
            (os.POSIX_SPAWN_OPEN, 0, str(given), os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(output), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        )
        os.waitpid(os.posix_spawn(program, [str(program)], {}, file_actions=actions), 0)
    return time.perf_counter() - begun


def build(source: Path, program: Path) -> Path:
    subprocess.run(["gcc", "-O2", "-static", "-o", program, source], check=True)
    return program


def report(bare: list[float], judged: list[float], compiling: float) -> str:
    once, again = statistics.median(bare), statistics.median(judged)
    return (
        f"bare {once * 1000:8.1f} ms, judged {again * 1000:8.1f} ms, ratio {again / once:.2f} "
        f"(compile {compiling * 1000:.0f} ms besides)"
    )


async def measure(home: Path, package: ProblemSpec, program: Path, rounds: int) -> str:
    settings = SetterSettings(home=home, sandbox_state=home / "sandbox", precompile=False)
    make_directories(settings)
    clock = StepClock()
    container = SetterContainer(settings=settings, package=package, emit=providers.Object(lambda _: None))
    container.tally.override(providers.Object(clock))
    await container.toolchains().detect()
    inputs = [package.path(case.input) for case in package.cases]
    bare, judged = [], []
    async with own_sandbox(container, settings):
        problem = understand(package, container.files(), container.choose())
        (submission,) = package.submissions
        solution = Solution(submission.name, submission.program, container.choose()("c"))
        spec = problem.variant(time_ms=2000, run_all=False)
        for _ in range(rounds):
            bare.append(run_bare(program, inputs, home / "output"))
            result = (await container.judge_solution()(solution, spec)).result
            judged.append(clock.seconds["run_cases"])
            if result.passed_cases != len(inputs):
                raise SystemExit(f"judged {result.verdict}, so nothing was measured")
    return report(bare, judged, clock.seconds["compile"])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.setter", description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work-ms", type=int, action="append", help="CPU time a case; repeatable")
    told = parser.parse_args()
    for work_ms in told.work_ms or (0, 1, 10):
        with tempfile.TemporaryDirectory(prefix="deepoj-bench-") as directory:
            home = Path(directory)
            package = read_directory(make_problem(home / "problem", told.cases, work_ms))
            program = build(package.root / SUBMISSION, home / "bare")
            measured = asyncio.run(measure(home, package, program, told.rounds))
        print(f"work {work_ms:3} ms a case, {told.cases} cases: {measured}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
