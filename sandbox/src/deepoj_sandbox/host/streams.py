"""Output of a program: drained while it runs, capped, and put where the caller wants it."""

import os
from typing import Protocol

from deepoj_sandbox.kernel.descriptors import close_all

# Of one run: what it prints, and its errors.
_OUTPUTS = 2
_CHUNK = 1 << 16
# Most output is short, and a buffer is allocated for what may come, not for what comes.
_SMALL_CHUNK = 1 << 12
_TAIL = 1 << 13


class Sink(Protocol):
    def write(self, data: bytes, /) -> object: ...


class FileSink:
    """A regular file or memfd of the caller's, written from its current position."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._descriptor, data) :]


def open_pipe() -> tuple[int, int]:
    """A pipe whose ends a program can reopen as /dev/stdin and /dev/stdout, whatever user it runs as."""
    reader, writer = os.pipe2(os.O_CLOEXEC)
    os.fchmod(writer, 0o666)
    return reader, writer


class Pipes:
    """The output pipes of a box, new for each run: locks and flags a program leaves on one end with it.

    While a program runs the host has time to close the pipes of the last run and to open those of the next.
    """

    def __init__(self) -> None:
        self._ready: list[tuple[int, int]] = []
        self._used: list[int] = []
        self._closed = False

    def take(self) -> tuple[int, int]:
        return self._ready.pop() if self._ready else self._open()

    def retire(self, reader: int, writer: int) -> None:
        self._used += (reader, writer)
        if self._closed:
            self.close()

    def renew(self) -> None:
        self._close_used()
        while len(self._ready) < _OUTPUTS:
            self._ready.append(self._open())

    def close(self) -> None:
        self._closed = True
        while self._ready:
            self._used += self._ready.pop()
        self._close_used()

    def _open(self) -> tuple[int, int]:
        reader, writer = open_pipe()
        # Each end has flags of its own: the program's end stays blocking.
        os.set_blocking(reader, False)
        return reader, writer

    def _close_used(self) -> None:
        close_all(self._used)
        self._used.clear()


class Stream:
    """One output of one run. The host holds a writer too, so the end is an empty pipe, not EOF."""

    def __init__(self, cap: int, sink: Sink, pipes: Pipes) -> None:
        self._cap = cap
        self._sink = sink
        self._pipes = pipes
        self.reader, self.writer = pipes.take()
        self.seen = 0
        self.tail = b""
        self._chunk = _SMALL_CHUNK

    @property
    def exceeded(self) -> bool:
        return self.seen > self._cap

    def drain_some(self) -> bool:
        """Take what is there; False when there was nothing, or past the cap."""
        try:
            data = os.read(self.reader, self._chunk)
        except BlockingIOError:
            return False
        self._chunk = _CHUNK
        allowed = data[: max(self._cap - self.seen, 0)]
        self.seen += len(data)
        self.tail = (self.tail + allowed)[-_TAIL:]
        self._sink.write(allowed)
        return self.seen <= self._cap

    def drain_rest(self) -> None:
        """Take all that is left; nobody writes any more."""
        while self.drain_some():
            pass

    def close(self) -> None:
        self._pipes.retire(self.reader, self.writer)


SHORT_BYTES = 16 << 10


class Nowhere:
    """What nobody wants to have."""

    def write(self, data: bytes) -> None:
        pass


class Collected:
    """Output kept for whoever asked for the run; bounded by the cap of the stream that feeds it.

    Short output as bytes, long output in a memfd.
    """

    def __init__(self, short_bytes: int = SHORT_BYTES) -> None:
        self._short_bytes = short_bytes
        self.short = b""
        self.memfd = -1

    def write(self, data: bytes) -> None:
        if self.memfd < 0 and len(self.short) + len(data) <= self._short_bytes:
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
