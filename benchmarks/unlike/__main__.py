"""How alike two unlike hosts tell the time of one program: what a single number for a host's speed leaves.

    uv run python -m benchmarks.unlike --times 9

Needs root, for the sandbox, and compilers. The reference is this machine. The other host is the same machine
while a program on each core reads through memory without end: caches and memory are worse, arithmetic is not.
Both measure themselves as workers do (ADR 0174). The last column is what the other tells, in the reference's
time, over what the reference tells. The fastest of `--times` runs counts, since the machine may be busy.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path
from typing import Final

import uvloop

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_judgement.commands.judge.steps.compile import compile_source
from deepoj_judgement.commands.judge.steps.run_program import command_of, furnish
from deepoj_judgement.commands.worker.measure_speed import MeasureSpeed
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_kit.embedded.process import ProcessSpec, running
from deepoj_languages.canaries import canary_of
from deepoj_languages.table import language_table

LIMITS: Final = Limits(cpu_ms=60_000, memory_kib=512 * 1024, output_kib=64)
CANARIES: Final = ("c11", "python3", "java17", "node")
JUMPS: Final = """#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned n = SIZE / 4, *next = malloc(4 * n), s = 1, at = 0;
    for (unsigned i = 0; i < n; i++) next[i] = i;
    for (unsigned i = n - 1; i > 0; i--) {
        s = s * 1664525 + 1013904223;
        unsigned j = (unsigned)((unsigned long long)s * i >> 32), t = next[i];
        next[i] = next[j]; next[j] = t;
    }
    for (unsigned i = 0; i < COUNT; i++) at = next[at];
    printf("%u\\n", at);
}
"""
LIBRARY: Final = """#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>
int main() {
    unsigned s = 1;
    std::vector<unsigned> numbers(COUNT);
    for (auto &each : numbers) each = s = s * 1664525 + 1013904223;
    BODY
    std::printf("%u\\n", numbers[COUNT / 2]);
}
"""
SORT: Final = LIBRARY.replace("COUNT", "2000000").replace(
    "BODY", "std::sort(numbers.begin(), numbers.end());"
)
COUNT_KEYS: Final = LIBRARY.replace("COUNT", "250000").replace(
    "BODY", "std::map<unsigned, int> seen; for (auto each : numbers) seen[each >> 8]++;"
)
HOG: Final = """#include <stdlib.h>
int main(void) {
    volatile char *all = calloc(1, 64 << 20);
    for (;;) for (unsigned i = 0; i < 64 << 20; i += 64) all[i]++;
}
"""


@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    language: str
    source: str
    given: str = ""


def jumps(name: str, size: int, count: int) -> Sample:
    return Sample(
        f"jumps through {name}", "c11", JUMPS.replace("SIZE", str(size)).replace("COUNT", str(count))
    )


def samples() -> list[Sample]:
    canaries = [(each, canary_of(language_slug(each))) for each in CANARIES]
    return [
        *(Sample(f"arithmetic, {name}", name, row.source, str(row.rounds)) for name, row in canaries if row),
        jumps("256 KiB", 1 << 18, 60_000_000),
        jumps("8 MiB", 1 << 23, 8_000_000),
        jumps("64 MiB", 1 << 26, 2_000_000),
        Sample("sort of 2 million numbers", "cpp17", SORT),
        Sample("map of 250,000 keys", "cpp17", COUNT_KEYS),
    ]


@dataclass(frozen=True, slots=True)
class Host:
    sandbox: AgentSandbox
    toolchains: InstalledToolchains
    times: int

    async def speed(self) -> int:
        return (await MeasureSpeed(self.toolchains, self.sandbox)(self.times)).fastest_ms

    async def fastest(self, sample: Sample) -> int:
        toolchain = self.toolchains.find(language_slug(sample.language))
        async with self.sandbox.workspace(RunRef("unlike", 0)) as workspace:
            files = {toolchain.language.source_name: sample.source.encode()}
            program = await compile_source(workspace, toolchain, files)
            if isinstance(program, CompileFailed):
                raise SystemExit(f"{sample.name} does not compile: {program.log!r}")
            given = await workspace.file("given", sample.given.encode())
            command = command_of(toolchain, program, LIMITS)
            async with workspace.box() as box:
                await furnish(box, program)
                return min([(await box.run(command, stdin=given)).report.time_ms for _ in range(self.times)])


@contextmanager
def memory_under_pressure(home: Path) -> Iterator[None]:
    (home / "hog.c").write_text(HOG)
    subprocess.run(["gcc", "-O1", "-o", str(home / "hog"), str(home / "hog.c")], check=True)
    with ExitStack() as stack:
        for _ in range(cpu_count() or 1):
            hog = stack.enter_context(subprocess.Popen([str(home / "hog")]))
            stack.callback(hog.kill)
        yield


async def compare(home: Path, socket: Path, times: int) -> list[str]:
    wanted = {*CANARIES, "c11", "cpp17"}
    toolchains = InstalledToolchains(tuple(row for row in language_table() if row.slug in wanted))
    await toolchains.detect()
    host = Host(AgentSandbox(socket, home), toolchains, times)
    reference = await host.speed(), [await host.fastest(each) for each in samples()]
    with memory_under_pressure(home):
        other = await host.speed(), [await host.fastest(each) for each in samples()]
    pace = other[0] / reference[0]
    rows = [f"| the program that measures | {reference[0]} ms | {other[0]} ms | 1.00 |"]
    for each, ours, theirs in zip(samples(), reference[1], other[1], strict=True):
        rows.append(f"| {each.name} | {ours} ms | {theirs} ms | {theirs / pace / ours:.2f} |")
    return [
        "| program | reference | other host | told of the reference's |",
        "| --- | --- | --- | --- |",
        *rows,
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=9)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory(prefix="deepoj-bench-") as directory:
        home = Path(directory)
        socket = home / "agent.sock"
        argv = (sys.executable, "-m", "deepoj_sandbox", "agent", "--socket", str(socket))
        options = ("--boxes", "2", "--state", str(home / "state"))
        with running(ProcessSpec("sandbox", (*argv, *options), ready=socket.exists), home / "log"):
            rows = uvloop.run(compare(home, socket, times))
    sys.stdout.write("\n".join(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
