"""The sandbox as the judging steps see it."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from deepoj_domain.kernel.verdict import SandboxVerdict

JudgeJson = dict[str, str | int | bool]


class Blob(Protocol):
    """Bytes that lie in a file for as long as whoever gave it keeps it."""

    @property
    def path(self) -> Path: ...

    @property
    def size(self) -> int: ...

    def open(self) -> BinaryIO: ...


@dataclass(frozen=True, slots=True)
class RunRef:
    """For whom something runs: passed through the judge protocol and compared with what comes back."""

    job_id: str
    attempt_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    cpu_ms: int
    wall_ms: int
    memory_bytes: int
    output_bytes: int
    error_bytes: int
    processes: int
    memory_slack_bytes: int = 0
    idle_ms: int = 0
    """How long all of it may sleep; 0: as long as it runs."""
    stack_bytes: int = 0
    """0: as much as there is memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Programs run one after the other in one box, each under the limits, up to the first that fails."""

    steps: tuple[tuple[str, ...], ...]
    limits: RunLimits
    environment: tuple[str, ...] = ()
    alone: bool = False
    """Nothing else runs on this host meanwhile: for a second opinion on a result near the limit."""
    arguments: tuple[str, ...] = ()
    """More for the last program: texts of a question, which may hold anything."""
    continued: bool = False
    """It finds in its working directory what the run before left there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """What the sandbox saw; the fields of judge JSON v1 that decide something."""

    verdict: SandboxVerdict
    time_ms: int
    memory_kib: int
    exit_code: int = 0
    signal: int = 0
    wall_ms: int = 0
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    ended: int = 0
    """Of one that talks: how many had ended before it."""
    read_bytes: int = 0
    """Of one that talks: all it read, from wherever."""

    def judge_json(self, ref: RunRef) -> JudgeJson:
        return {
            "schema_version": 1,
            "job_id": ref.job_id,
            "attempt_id": ref.attempt_id,
            "verdict": str(self.verdict),
            "time_ms": self.time_ms,
            "mem_kb": self.memory_kib,
            "exit_signal": self.signal,
            "sandbox_error": "",
            "exit_code": self.exit_code,
            "wall_ms": self.wall_ms,
            "stdout_truncated": self.stdout_truncated,
            "stderr_truncated": self.stderr_truncated,
        }


@dataclass(frozen=True, slots=True)
class Ran:
    report: RunReport
    stdout: Blob
    stderr: Blob
    taken: Mapping[str, Blob]
    """Files the program left, however it ended; only those that were asked for and are there."""


class JudgeBox(Protocol):
    async def put(self, name: str, content: Blob | bytes, *, executable: bool = False) -> None:
        """Place a file under /app, where programs can read it and not change it."""
        ...

    async def run(self, command: Command, *, stdin: Blob | None = None, take: tuple[str, ...] = ()) -> Ran:
        """Output stays readable until the next run in this box."""
        ...


@dataclass(frozen=True, slots=True)
class Talkers:
    """Programs that talk: one leads, the others talk with it alone."""

    leader: Command
    members: tuple[Command, ...]
    stdin: Blob | None = None
    """Of a leader that opens its channels by name; None: they are its standard input and output."""
    by_name: bool = False
    """The others open theirs by name."""


def channels_of_leader(member: int) -> tuple[str, str]:
    """The names under which a leader has what a member says, and what a member hears."""
    return _channel(2 * member), _channel(2 * member + 1)


CHANNELS_OF_MEMBER: Final = ("/proc/self/fd/3", "/proc/self/fd/4")
"""The names under which a member has what the leader says, and what the leader hears."""


def _channel(number: int) -> str:
    return f"/proc/self/fd/{3 + number}"


class Company(Protocol):
    """Boxes whose programs talk. There is one more than there are members."""

    @property
    def leader(self) -> JudgeBox: ...

    @property
    def members(self) -> Sequence[JudgeBox]: ...

    async def run(self, talkers: Talkers, *, take: tuple[str, ...] = ()) -> tuple[Ran, list[Ran]]:
        """Only the last steps talk; `take` names files of the leader, whose ending comes first."""
        ...


class Workspace(Protocol):
    """A directory of one judgement; its boxes are used one after the other."""

    def box(self) -> AbstractAsyncContextManager[JudgeBox]: ...

    def company(self, members: int) -> AbstractAsyncContextManager[Company]:
        """Raise PolicyViolationError where there are not so many boxes."""
        ...

    async def file(self, name: str, content: bytes) -> Blob: ...


class Sandbox(Protocol):
    """Raises SandboxFailedError when it breaks and PolicyViolationError for what it refuses to run."""

    def workspace(self, ref: RunRef) -> AbstractAsyncContextManager[Workspace]: ...
