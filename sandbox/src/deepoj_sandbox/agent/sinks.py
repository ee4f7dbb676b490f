"""Where a run's output goes: a file the client passed, or a memfd made when the first byte comes."""

import os
import stat

from deepoj_sandbox.errors import BadRequest
from deepoj_sandbox.host.streams import FileSink


class MemorySink:
    def __init__(self) -> None:
        self.descriptor = -1

    def write(self, data: bytes) -> None:
        if self.descriptor < 0:
            self.descriptor = os.memfd_create("output", os.MFD_CLOEXEC)
        FileSink(self.descriptor).write(data)


def checked_sink(descriptor: int, name: str) -> FileSink:
    # Anything else could block us for as long as the client likes.
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise BadRequest(name, "must be a regular file or memfd")
    return FileSink(descriptor)
