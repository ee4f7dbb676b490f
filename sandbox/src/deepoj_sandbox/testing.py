"""For tests of whoever runs programs in boxes: compile, run, attack, and look at what is left."""

import hashlib
import io
import os
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from deepoj_sandbox.cgroups.port import CgroupKind, read_field, read_number
from deepoj_sandbox.host import files
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.drive import run
from deepoj_sandbox.host.stdin import safe_stdin
from deepoj_sandbox.host.workshop import Workshop
from deepoj_sandbox.request import BoxSpec, RunRequest, SandboxLimits
from deepoj_sandbox.result import RunResult, RunStatus

# The keeper's own pages may grow a little; what a test leaves behind would be larger.
_RESIDUE_BYTES = 2 << 20
_HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'
_GRACE_SECONDS = 10.0
_PAUSE_SECONDS = 0.005
_PIDS_CURRENT = 7
_MEMORY_STAT = 5


class DirtyError(AssertionError):
    """Something was left behind."""


@dataclass(frozen=True, slots=True)
class Finished:
    result: RunResult
    stdout: bytes
    stderr: bytes

    @property
    def status(self) -> RunStatus:
        return self.result.status


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a box holds between two runs."""

    processes: int
    charged: int
    descriptors: int
    entries: int


@dataclass(slots=True)
class Laboratory:
    workshop: Workshop
    directory: Path
    limits: SandboxLimits = field(default_factory=lambda: SandboxLimits(cpu_ms=2000, wall_ms=10_000))

    def c(self, source: str, *flags: str, compiler: str = "gcc") -> Path:
        """Compile on the host, once for each text."""
        name = hashlib.sha256("\0".join((source, compiler, *flags)).encode()).hexdigest()[:16]
        program = self.directory / name
        if not program.exists():
            suffix = ".cpp" if compiler == "g++" else ".c"
            text = program.with_suffix(suffix)
            text.write_text(source)
            # Renamed when complete: another test process may want the same program.
            partial = program.with_suffix(f".{os.getpid()}")
            subprocess.run([compiler, "-O1", "-w", str(text), "-o", str(partial), *flags], check=True)
            partial.rename(program)
        return program

    def put(self, box: Box, name: str, content: bytes | Path, *, executable: bool = False) -> None:
        data = content.read_bytes() if isinstance(content, Path) else content
        source = _memfd(data)
        try:
            files.put(box, name, source, executable=executable)
        finally:
            os.close(source)

    def run(
        self,
        box: Box,
        *argv: str,
        stdin: bytes = b"",
        limits: SandboxLimits | None = None,
        keep_scratch: bool = False,
    ) -> Finished:
        request = RunRequest(argv=argv, limits=limits or self.limits, keep_scratch=keep_scratch)
        return self.run_request(box, request, stdin)

    def run_request(self, box: Box, request: RunRequest, stdin: bytes = b"") -> Finished:
        given = _memfd(stdin)
        try:
            return self.run_descriptor(box, request, safe_stdin(given, request.limits.input_bytes))
        finally:
            os.close(given)

    def run_descriptor(self, box: Box, request: RunRequest, stdin: int) -> Finished:
        """Run with this very descriptor as input, and close it."""
        output, errors = io.BytesIO(), io.BytesIO()
        try:
            result = run(box, request, stdin, output, errors)
        finally:
            os.close(stdin)
        return Finished(result, output.getvalue(), errors.getvalue())

    def footprint(self, box: Box) -> Footprint:
        kept = Path(f"/proc/{box.keeper_pid}/fd")
        files_of_meter = box.group.meter_files()
        counted = self.workshop.cgroup is not CgroupKind.NONE
        return Footprint(
            processes=read_number(files_of_meter[_PIDS_CURRENT]) if counted else 1,
            charged=self._charged(files_of_meter[_MEMORY_STAT]) if counted else 0,
            descriptors=len(list(kept.iterdir())),
            entries=entries(box.work),
        )

    def _charged(self, stat: int) -> int:
        """Memory of processes and files; names the kernel caches for its own sake are left out."""
        anonymous = b"rss" if self.workshop.cgroup is CgroupKind.V1 else b"anon"
        return read_field(stat, anonymous) + read_field(stat, b"shmem")

    def attack(
        self,
        program: Path,
        *arguments: str,
        stdin: bytes = b"",
        limits: SandboxLimits | None = None,
        spec: BoxSpec | None = None,
    ) -> Finished:
        """Run a compiled program in a box of its own, then demand a clean box and a healthy next run."""
        box = self.workshop.make(spec)
        try:
            self.put(box, "attack", program, executable=True)
            return self.attack_in(box, "/app/attack", *arguments, stdin=stdin, limits=limits)
        finally:
            box.close()

    def attack_in(
        self, box: Box, *argv: str, stdin: bytes = b"", limits: SandboxLimits | None = None
    ) -> Finished:
        self.put(box, "hello", self.c(_HELLO, "-static"), executable=True)
        self.expect_healthy(box)
        before = self.footprint(box)
        ours = entries("/proc/self/fd")
        finished = self.run(box, *argv, stdin=stdin, limits=limits)
        if entries("/proc/self/fd") > ours:
            raise DirtyError("the host kept a descriptor of the run")
        if finished.result.box_lost:
            self._expect_new_box_healthy()
        else:
            self.expect_clean(box, before)
            self.expect_healthy(box)
        return finished

    def expect_clean(self, box: Box, before: Footprint) -> None:
        box.reset()
        after = self.footprint(box)
        if (after.processes, after.entries) != (1, 0) or after.descriptors > before.descriptors:
            raise DirtyError(f"{before} became {after}")
        # The kernel frees stacks and page tables of the dead after a grace period of its own.
        give_up = time.monotonic() + _GRACE_SECONDS
        while self.footprint(box).charged > before.charged + _RESIDUE_BYTES:
            if time.monotonic() > give_up:
                raise DirtyError(f"memory still charged: {before} became {self.footprint(box)}")
            time.sleep(_PAUSE_SECONDS)

    def expect_healthy(self, box: Box) -> None:
        finished = self.run(box, "/app/hello")
        if (finished.status, finished.stdout) != (RunStatus.OK, b"hello\n"):
            raise DirtyError(f"the next run is not healthy: {finished}")

    def _expect_new_box_healthy(self) -> None:
        box = self.workshop.make()
        try:
            self.put(box, "hello", self.c(_HELLO, "-static"), executable=True)
            self.expect_healthy(box)
        finally:
            box.close()


def entries(directory: int | str) -> int:
    with os.scandir(directory) as found:
        return sum(1 for _ in found)


def _memfd(content: bytes) -> int:
    descriptor = os.memfd_create("content", os.MFD_CLOEXEC)
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    return descriptor


def missing_tools(*names: str) -> str:
    """Name what has to be installed, for a skip; empty when nothing is missing."""
    missing = [name for name in names if shutil.which(name) is None]
    return f"needs {', '.join(missing)} on PATH" if missing else ""
