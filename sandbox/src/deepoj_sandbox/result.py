"""What happened to a program: a value, whatever it did. Our own failures are errors.SandboxError."""

from enum import StrEnum
from typing import NamedTuple


class RunStatus(StrEnum):
    OK = "OK"
    TLE = "TLE"
    WALL_TLE = "WALL_TLE"
    MLE = "MLE"
    OLE = "OLE"
    RE = "RE"


class RunResult(NamedTuple):
    """A tuple because it is made once a run, and a frozen dataclass takes ten times as long to make."""

    status: RunStatus
    # Exactly one of the two is set.
    exit_code: int | None
    signal: int | None
    cpu_ns: int
    wall_ns: int
    peak_bytes: int
    # Of one that talks: all that its processes wrote, to wherever.
    stdout_bytes: int
    stderr_bytes: int
    stdout_truncated: bool
    stderr_truncated: bool
    # The kernel chose the box's keeper as the victim of the program's memory: the box is gone.
    box_lost: bool = False
    # Of one that talks: how many had ended before it. Whose end is a consequence of another's comes later.
    ended: int = 0
    # Of one that talks: all that its processes read, from wherever.
    read_bytes: int = 0

    @property
    def cpu_ms(self) -> int:
        return self.cpu_ns // 1_000_000

    @property
    def wall_ms(self) -> int:
        return self.wall_ns // 1_000_000
