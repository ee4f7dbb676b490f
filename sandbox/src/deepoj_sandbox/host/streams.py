"""Output of a program: drained while it runs, capped, and put where the caller wants it."""

import os
from typing import Protocol

_CHUNK = 1 << 16
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


class Stream:
    """Reads are blocking: each one follows a POLLIN or the death of every writer, so none waits."""

    def __init__(self, cap: int, sink: Sink) -> None:
        self._cap = cap
        self._sink = sink
        self.reader, self.writer = os.pipe2(os.O_CLOEXEC)
        self.seen = 0
        self.tail = b""

    @property
    def exceeded(self) -> bool:
        return self.seen > self._cap

    def close_writer(self) -> None:
        """Leave the program as the only writer."""
        os.close(self.writer)
        self.writer = -1

    def drain_some(self) -> bool:
        """Take what is there; False at the end of the stream or past the cap."""
        data = os.read(self.reader, _CHUNK)
        if not data:
            return False
        allowed = data[: max(self._cap - self.seen, 0)]
        self.seen += len(data)
        self.tail = allowed[-_TAIL:] if len(allowed) >= _TAIL else (self.tail + allowed)[-_TAIL:]
        self._sink.write(allowed)
        return self.seen <= self._cap

    def drain_rest(self) -> None:
        while self.seen <= self._cap and self.drain_some():
            pass

    def close(self) -> None:
        os.close(self.reader)
        if self.writer >= 0:
            self.close_writer()
