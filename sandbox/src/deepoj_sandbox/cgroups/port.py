"""The port: `Hierarchy` and `Group` on the host's side, `Meter` inside the box.

The host creates the group and opens its files; the box's keeper joins it once, by itself, and every
program inherits the membership. Migrating a process per run would cost more than the run.
"""

import os
from enum import StrEnum
from typing import NamedTuple, Protocol


class CgroupKind(StrEnum):
    V1 = "v1"
    V2 = "v2"
    NONE = "none"


class Usage(NamedTuple):
    cpu_ns: int
    peak_bytes: int
    oom_kills: int


class Meter(Protocol):
    """Used by the keeper for one run after another, through files opened before it was confined."""

    # How long a run may be left unwatched; zero: until a limit can be reached.
    pause_ns: int

    def begin(self, memory_bytes: int, processes: int, kept_bytes: int = 0) -> None:
        """Set the limits of the next run.

        Whatever the box holds beyond its keeper counts, also what an earlier run left: `kept_bytes` of it
        are files the caller asked to keep, for the rest the kernel gets a moment to free it.
        """

    def cpu_ns(self) -> int:
        """Processor time of everything in the box, the keeper too, since the meter was made or ended a run.

        Between two runs only the keeper works, and it knows what it used itself.
        """

    def over_memory(self) -> bool:
        """Look where the kernel keeps no peak; tell whether a limit that is ours to hold is passed."""

    def relax(self) -> None:
        """Lift the memory limit until the next `begin`.

        Scratch files stay charged when their program is dead. Under a full limit the keeper would be the
        only process left for the kernel to kill, as soon as it needs a page to remove them.
        """

    def alone(self) -> bool:
        """Tell whether the keeper is known to be the only process left in the box."""

    def end(self) -> Usage: ...


class Group(Protocol):
    def join_files(self) -> tuple[int, ...]:
        """Return descriptors into which a task writes "0" to become a member."""

    def meter_files(self) -> tuple[int, ...]: ...

    def oom_kills(self) -> int:
        """Count kills since the group was made: the only witness left when the keeper itself died."""

    def remove(self) -> None:
        """Remove the group. A second call does nothing."""


class Hierarchy(Protocol):
    kind: CgroupKind

    def create(self, name: str) -> Group: ...

    def roots(self) -> tuple[str, ...]:
        """List the directories this agent made, for whoever has to clean up after it."""

    def remove(self) -> None: ...


def read_number(descriptor: int) -> int:
    return int(os.pread(descriptor, 64, 0))


def read_field(descriptor: int, name: bytes) -> int:
    """One value of a flat keyed file such as memory.stat."""
    text = b"\n" + os.pread(descriptor, 8192, 0)
    start = text.find(b"\n" + name + b" ")
    if start < 0:
        return 0
    return int(text[start + len(name) + 2 :].split(b"\n", 1)[0])


def write_number(descriptor: int, value: int) -> None:
    os.pwrite(descriptor, b"%d" % value, 0)
