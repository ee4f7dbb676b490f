"""Output of a program: drained while it runs, capped, and put where the caller wants it."""

import fcntl
import os
from typing import Protocol

_CHUNK = 1 << 16
# Most output is short, and a buffer is allocated for what may come, not for what comes.
_SMALL_CHUNK = 1 << 12
_TAIL = 1 << 13
_PIPE_BYTES = 1 << 16


class Sink(Protocol):
    def write(self, data: bytes, /) -> object: ...


class FileSink:
    """A regular file or memfd of the caller's, written from its current position."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._descriptor, data) :]


class PipeStock:
    """Pipes of one box, used again as long as the program left them as they were.

    Making and closing two pipes takes longer than all else the host does for a short run. What a program
    can change about a pipe and a later run would notice is its flags and its size.
    """

    def __init__(self) -> None:
        self._idle: list[tuple[int, int]] = []
        self._closed = False

    def take(self) -> tuple[int, int]:
        if self._idle:
            return self._idle.pop()
        reader, writer = os.pipe2(os.O_CLOEXEC)
        # Each end has flags of its own: the program's end stays blocking.
        os.set_blocking(reader, False)
        return reader, writer

    def give_back(self, reader: int, writer: int, *, empty: bool) -> None:
        if empty and not self._closed and _as_made(writer):
            self._idle.append((reader, writer))
        else:
            os.close(reader)
            os.close(writer)

    def close(self) -> None:
        self._closed = True
        while self._idle:
            for end in self._idle.pop():
                os.close(end)


def _as_made(writer: int) -> bool:
    flags = fcntl.fcntl(writer, fcntl.F_GETFL)
    return flags == os.O_WRONLY and fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ) == _PIPE_BYTES


class Stream:
    """One output of one run. The host holds a writer too, so the end is an empty pipe, not EOF."""

    def __init__(self, cap: int, sink: Sink, stock: PipeStock) -> None:
        self._cap = cap
        self._sink = sink
        self._stock = stock
        self.reader, self.writer = stock.take()
        self.seen = 0
        self.tail = b""
        self._chunk = _SMALL_CHUNK
        self._empty = False

    @property
    def exceeded(self) -> bool:
        return self.seen > self._cap

    def drain_some(self) -> bool:
        """Take what is there; False when that was all, or past the cap."""
        try:
            data = os.read(self.reader, self._chunk)
        except BlockingIOError:
            return False
        # A pipe gives all it has, up to what was asked for.
        more = len(data) == self._chunk
        self._chunk = _CHUNK
        allowed = data[: max(self._cap - self.seen, 0)]
        self.seen += len(data)
        self.tail = (self.tail + allowed)[-_TAIL:]
        self._sink.write(allowed)
        return more and self.seen <= self._cap

    def drain_rest(self) -> None:
        """Take all that is left; nobody writes any more."""
        while self.drain_some():
            pass
        self._empty = not self.exceeded

    def close(self) -> None:
        self._stock.give_back(self.reader, self.writer, empty=self._empty)
