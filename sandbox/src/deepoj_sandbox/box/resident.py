"""What a program holds of memory that is charged to nobody in its box: files others have in memory too.

The limit is about what is charged. Who reads a result expects the program and its libraries in it, as other
judges show them.
"""

import os
import resource
from pathlib import Path

from deepoj_sandbox.cgroups.polling_meter import shared_bytes

# In its first runs a program is looked at while it loads; short ones are not.
_FIRST_LOOK_NS = 2_000_000
_RUNS_TO_KNOW = 3


class Resident:
    def __init__(self) -> None:
        self._program: list[bytes] = []
        self._runs = 0
        self._shared = 0

    def begin(self, argv: list[bytes]) -> None:
        if argv != self._program:
            self._program, self._runs, self._shared = argv, 0, _own_bytes(argv[0])
        self._runs += 1

    def pause_ns(self, elapsed_ns: int) -> int:
        """Until the next look, at moments twice as late as the ones before; zero: none is needed."""
        return max(elapsed_ns, _FIRST_LOOK_NS) if self._runs <= _RUNS_TO_KNOW else 0

    def look(self, process: int) -> None:
        if self._runs <= _RUNS_TO_KNOW:
            self._shared = max(self._shared, shared_bytes(process))

    def peak(self, charged_bytes: int, main: int) -> int:
        """What a reader would call the run's memory. `main` is the resident peak of its main process."""
        return max(charged_bytes, main or charged_bytes + self._shared)


def main_bytes(usage: resource.struct_rusage) -> int:
    """The kernel's peak of the main process; below the keeper's own it is that, from before exec."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return usage.ru_maxrss * 1024 if usage.ru_maxrss > own else 0


def _own_bytes(program: bytes) -> int:
    """The size of a program that was put into the box: its file lies in memory, charged to the host."""
    try:
        return Path(os.fsdecode(program)).stat().st_size if program.startswith(b"/app/") else 0
    except OSError:
        return 0
