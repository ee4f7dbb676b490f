"""Output of a program: drained while it runs, capped, and put where the caller wants it."""

import os
from typing import Protocol

_CHUNK = 1 << 16
# Most output is short, and a buffer is allocated for what may come, not for what comes.
_SMALL_CHUNK = 1 << 12
_TAIL = 1 << 13
_PIPES_OF_A_RUN = 2


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
    """Pipes for the next run, made while the last one runs; used ends are closed then, too.

    A run never gets a used pipe: a program may have changed its size and flags.
    """

    def __init__(self) -> None:
        self._ready: list[tuple[int, int]] = []
        self._used: list[int] = []

    def take(self) -> tuple[int, int]:
        return self._ready.pop() if self._ready else os.pipe2(os.O_CLOEXEC)

    def discard(self, descriptor: int) -> None:
        self._used.append(descriptor)

    def prepare(self) -> None:
        """Do what can be done while there is nothing else to do."""
        while self._used:
            os.close(self._used.pop())
        while len(self._ready) < _PIPES_OF_A_RUN:
            self._ready.append(os.pipe2(os.O_CLOEXEC))

    def close(self) -> None:
        for descriptor in (*self._used, *(end for pipe in self._ready for end in pipe)):
            os.close(descriptor)
        self._ready, self._used = [], []


class Stream:
    """Reads are blocking: each one follows a POLLIN or the death of every writer, so none waits."""

    def __init__(self, cap: int, sink: Sink, stock: PipeStock) -> None:
        self._cap = cap
        self._sink = sink
        self._stock = stock
        self.reader, self.writer = stock.take()
        self.seen = 0
        self.tail = b""
        self._chunk = _SMALL_CHUNK

    @property
    def exceeded(self) -> bool:
        return self.seen > self._cap

    def close_writer(self) -> None:
        """Leave the program as the only writer."""
        os.close(self.writer)
        self.writer = -1

    def drain_some(self) -> bool:
        """Take what is there; False at the end of the stream or past the cap."""
        data = os.read(self.reader, self._chunk)
        if not data:
            return False
        if len(data) == self._chunk:
            self._chunk = _CHUNK
        allowed = data[: max(self._cap - self.seen, 0)]
        self.seen += len(data)
        self.tail = allowed[-_TAIL:] if len(allowed) >= _TAIL else (self.tail + allowed)[-_TAIL:]
        self._sink.write(allowed)
        return self.seen <= self._cap

    def drain_rest(self) -> None:
        while self.seen <= self._cap and self.drain_some():
            pass

    def close(self) -> None:
        self._stock.discard(self.reader)
        if self.writer >= 0:
            self.close_writer()
