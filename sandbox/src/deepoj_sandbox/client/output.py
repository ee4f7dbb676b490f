"""Bytes on their way to the agent, and what a program wrote on its way back."""

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from deepoj_sandbox.result import RunResult

_READ_BYTES = 1 << 20


class Output:
    """Short output came with the answer; long output lies in a memfd, which is closed with this object."""

    def __init__(self, short: bytes = b"", memfd: int = -1) -> None:
        self._short = short
        self._memfd = memfd

    @property
    def size(self) -> int:
        return len(self._short) if self._memfd < 0 else os.fstat(self._memfd).st_size

    @property
    def path(self) -> Path:
        """A name for this process, for as long as this object lives."""
        if self._memfd < 0:
            self._memfd = memory_file(self._short)
        return Path(f"/proc/self/fd/{self._memfd}")

    def open(self) -> BinaryIO:
        # Opened anew and not duplicated: a duplicate would share the place in the file.
        return io.BytesIO(self._short) if self._memfd < 0 else self.path.open("rb")

    def read(self) -> bytes:
        if self._memfd < 0:
            return self._short
        chunks, offset = list[bytes](), 0
        while chunk := os.pread(self._memfd, _READ_BYTES, offset):
            chunks.append(chunk)
            offset += len(chunk)
        return b"".join(chunks)

    def close(self) -> None:
        if self._memfd >= 0:
            os.close(self._memfd)
        self._short, self._memfd = b"", -1

    def __del__(self) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result and what the program wrote."""

    result: RunResult
    output: Output
    errors: Output

    @property
    def stdout(self) -> bytes:
        return self.output.read()

    @property
    def stderr(self) -> bytes:
        return self.errors.read()


def memory_file(content: bytes) -> int:
    """Return a descriptor of a file without a name."""
    descriptor = os.memfd_create("content", os.MFD_CLOEXEC)
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    return descriptor
