"""Where a run's output goes: a file the client passed, or back to the client.

What is short travels in the answer's own packet, behind its JSON; what is long in a memfd beside it.
"""

import os
import stat

from deepoj_sandbox.codec import Json, JsonValue
from deepoj_sandbox.errors import BadRequest
from deepoj_sandbox.host.streams import FileSink, Sink

_SHORT_BYTES = 16 << 10


class Collected:
    """Output kept for the answer; bounded by the cap of the stream that feeds it."""

    def __init__(self) -> None:
        self.short = b""
        self.memfd = -1

    def write(self, data: bytes) -> None:
        if self.memfd < 0 and len(self.short) + len(data) <= _SHORT_BYTES:
            self.short += data
            return
        if self.memfd < 0:
            self.memfd = os.memfd_create("output", os.MFD_CLOEXEC)
            data, self.short = self.short + data, b""
        FileSink(self.memfd).write(data)


class Outputs:
    """The sinks of one request, by name."""

    def __init__(self) -> None:
        self._collected: dict[str, Collected] = {}

    def collect(self, name: str) -> Sink:
        return self._collected.setdefault(name, Collected())

    def describe(self) -> Json:
        """Say what is attached: names of memfds, and lengths of what follows the JSON."""
        memfds: list[JsonValue] = [name for name, each in self._collected.items() if each.memfd >= 0]
        short: Json = {name: len(each.short) for name, each in self._collected.items() if each.short}
        return {"memfds": memfds, "short": short}

    def tail(self) -> bytes:
        return b"".join(each.short for each in self._collected.values())

    def memfds(self) -> tuple[int, ...]:
        return tuple(each.memfd for each in self._collected.values() if each.memfd >= 0)

    def close(self) -> None:
        for descriptor in self.memfds():
            os.close(descriptor)
        self._collected = {}


def checked_sink(descriptor: int, name: str) -> FileSink:
    # Anything else could block us for as long as the client likes.
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise BadRequest(name, "must be a regular file or memfd")
    return FileSink(descriptor)
