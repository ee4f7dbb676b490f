"""Output kept for whoever asked for the run; bounded by the cap of the stream that feeds it."""

import os

from deepoj_sandbox.host.streams import FileSink

SHORT_BYTES = 16 << 10


class Collected:
    """Short output as bytes, long output in a memfd."""

    def __init__(self) -> None:
        self.short = b""
        self.memfd = -1

    def write(self, data: bytes) -> None:
        if self.memfd < 0 and len(self.short) + len(data) <= SHORT_BYTES:
            self.short += data
            return
        if self.memfd < 0:
            self.memfd = os.memfd_create("output", os.MFD_CLOEXEC)
            data, self.short = self.short + data, b""
        FileSink(self.memfd).write(data)

    def taken(self) -> tuple[bytes, int]:
        """Hand over the bytes or the memfd; who takes a memfd closes it."""
        return self.short, self.memfd

    def close(self) -> None:
        if self.memfd >= 0:
            os.close(self.memfd)
        self.memfd = -1
