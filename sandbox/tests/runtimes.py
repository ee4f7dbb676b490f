"""For tests: how whoever asks for a run holds a managed runtime to a memory limit.

A JVM or V8 reserves far more address space than it uses, and keeps code, stacks and collector data beside
its heap. So RLIMIT_AS is out of the question; the heap gets a cap of its own at the limit, the cgroup
allows some slack above it, and the way the runtime dies of a full heap is told apart from a crash.
"""

import signal
from dataclasses import dataclass, replace

from deepoj_sandbox.request import MemoryExit, RunRequest, SandboxLimits

_MB = 1 << 20
_SLACK = 96 * _MB


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """`options` go right after the program; {mb} stands for the limit in mebibytes."""

    options: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    slack_bytes: int = 0
    exits: tuple[MemoryExit, ...] = ()

    def adapt(self, request: RunRequest) -> RunRequest:
        """The same run with the runtime's memory rules."""
        size = max(request.limits.memory_bytes // _MB, 1)
        options = tuple(option.format(mb=size) for option in self.options)
        variables = tuple(variable.format(mb=size) for variable in self.environment)
        limits: SandboxLimits = replace(request.limits, memory_slack_bytes=self.slack_bytes)
        return replace(
            request,
            argv=(request.argv[0], *options, *request.argv[1:]),
            environment=(*request.environment, *variables),
            limits=limits,
            memory_exits=(*request.memory_exits, *self.exits),
        )


NATIVE = Runtime()
JAVA = Runtime(
    options=(
        "-Xmx{mb}m",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        # The line that says so would otherwise be mixed into the program's output.
        "-XX:+DisplayVMOutputToStderr",
        "-XX:-UsePerfData",
    ),
    slack_bytes=_SLACK,
    exits=(MemoryExit(exit_code=3, stderr_contains="java.lang.OutOfMemoryError"),),
)
NODE = Runtime(
    options=("--max-old-space-size={mb}",),
    slack_bytes=_SLACK,
    exits=tuple(
        MemoryExit(signal=number, stderr_contains="heap out of memory")
        for number in (signal.SIGABRT, signal.SIGTRAP, signal.SIGILL)
    ),
)
# Go has no hard heap cap: GOMEMLIMIT only makes its collector work harder near the limit. So its slack
# is no more than what the runtime itself needs.
GO = Runtime(environment=("GOMEMLIMIT={mb}MiB",), slack_bytes=6 * _MB)
