"""What judging a compiled solution costs beside running it: a hundred short cases, judged and bare.

    uv run python -m benchmarks.judging --rounds 20

Needs root, for the sandbox, and g++. Rounds of both kinds take turns; the medians are compared, because the
machine may be busy. Judging is all of the judge command but the compiler: spec, data cache on disk, boxes,
runs, checks, result. Bare is posix_spawn and waitpid of the same program with files as input and output.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import uvloop

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import TokenChecker
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.suite import Group, Suite
from deepoj_domain.submission.submit import SourceCode
from deepoj_domain.testing import NOW, QUESTION
from deepoj_judgement.commands.judge.judge import Judge, JudgeOrder
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.testing import (
    MemoryJudgeCache,
    MemoryLogs,
    MemoryPrograms,
    Notebook,
    OneSpec,
)
from deepoj_judgement.outbound.cache.disk import DiskCache
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_kit.embedded.process import ProcessSpec, running
from deepoj_languages.table import language_table

CASES = 100
CPP = language_slug("cpp17")
REVISION = RevisionRef(QUESTION, 1)
SOURCE = '#include <cstdio>\nint main() { long a, b; scanf("%ld %ld", &a, &b); printf("%ld\\n", a + b); }\n'
TEXTS = [(f"{number} {number + 1}\n".encode(), f"{2 * number + 1}\n".encode()) for number in range(CASES)]


@dataclass
class Stopwatch(Notebook):
    """Knows how long the compiler took, which is not judging."""

    compiling: float = field(default=0.0)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        if name == "compile":
            self.compiling = time.perf_counter() - begun


@dataclass(frozen=True)
class Directory:
    """Where the data cache gets its files from."""

    home: Path

    async def download(self, content: ContentHash, path: Path) -> None:
        shutil.copyfile(self.home / content, path)


def a_spec() -> JudgeSpec:
    cases = tuple(
        Case(str(number), "all", hash_of(given), hash_of(answer))
        for number, (given, answer) in enumerate(TEXTS, start=1)
    )
    return JudgeSpec(
        suite=Suite((Group("all", Score.points(100)),), cases),
        limits=Limits(cpu_ms=5000, memory_kib=256 * 1024, output_kib=1024),
        checker=TokenChecker(),
    )


async def judged(judge: Judge, watch: Stopwatch) -> float:
    begun = time.perf_counter()
    done = await judge(
        JudgeOrder(ref=RunRef("job", 1), revision=REVISION, language=CPP, source=SourceCode.parse(SOURCE))
    )
    if done.result.verdict is not Verdict.ACCEPTED:
        raise SystemExit(f"not accepted: {done.result}")
    return time.perf_counter() - begun - watch.compiling


def bare(program: Path, home: Path) -> float:
    begun = time.perf_counter()
    for given, _ in TEXTS:
        source = os.open(home / hash_of(given), os.O_RDONLY)
        target = os.open(home / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        files = [(os.POSIX_SPAWN_DUP2, source, 0), (os.POSIX_SPAWN_DUP2, target, 1)]
        os.waitpid(os.posix_spawn(program, [str(program)], {}, file_actions=files), 0)
        os.close(source)
        os.close(target)
    return time.perf_counter() - begun


async def compare(home: Path, socket: Path, rounds: int) -> tuple[float, float]:
    """Return the median seconds, judged and bare."""
    program = home / "program"
    (home / "program.cpp").write_text(SOURCE)
    argv = ["g++", "-O2", "-static", "-o", str(program), str(home / "program.cpp")]
    subprocess.run(argv, check=True)  # noqa: ASYNC221 — nothing else runs yet
    for text in (text for case in TEXTS for text in case):
        (home / hash_of(text)).write_bytes(text)
    toolchains = InstalledToolchains(tuple(row for row in language_table() if row.slug == CPP))
    await toolchains.detect()
    data, watch = DiskCache(home / "cache", Directory(home), 1 << 30), Stopwatch()
    times: list[tuple[float, float]] = []
    for _ in range(rounds + 1):
        judge = Judge(
            specs=OneSpec(REVISION, a_spec()), data=data, programs=MemoryPrograms(), cache=MemoryJudgeCache(),
            toolchains=toolchains, sandbox=AgentSandbox(socket, home), logs=MemoryLogs(), observer=watch,
            clock=lambda: NOW, new_id=lambda: UUID(int=1),
        )  # fmt: skip
        times.append((await judged(judge, watch), bare(program, home)))
    # The first round fills the caches.
    ours, theirs = zip(*times[1:], strict=True)
    return statistics.median(ours), statistics.median(theirs)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="deepoj-bench-") as directory:
        home = Path(directory)
        socket = home / "agent.sock"
        argv = (sys.executable, "-m", "deepoj_sandbox", "agent", "--socket", str(socket))
        options = ("--boxes", "4", "--state", str(home / "state"))
        with running(ProcessSpec("sandbox", (*argv, *options), ready=socket.exists), home / "log"):
            ours, theirs = uvloop.run(compare(home, socket, rounds))
    judging, running_bare = f"judged {ours * 1000:.0f} ms", f"bare {theirs * 1000:.0f} ms"
    sys.stdout.write(f"{CASES} cases: {judging}, {running_bare}, ratio {ours / theirs:.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
