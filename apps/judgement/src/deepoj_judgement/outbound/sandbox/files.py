"""Files of one judgement on the host."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO


@dataclass(frozen=True, slots=True)
class FileBlob:
    path: Path

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    def open(self) -> BinaryIO:
        return self.path.open("rb")


class MemoryFile:
    """What a program writes, in a file without a name: a hundred short cases need not wait for a disk.

    Bounded by the output limit of the run; it lasts until it is closed.
    """

    def __init__(self) -> None:
        self.descriptor = os.memfd_create("output", os.MFD_CLOEXEC)

    def empty(self) -> int:
        """Return the descriptor, ready to be written from the start."""
        os.ftruncate(self.descriptor, 0)
        os.lseek(self.descriptor, 0, os.SEEK_SET)
        return self.descriptor

    @property
    def path(self) -> Path:
        return Path(f"/proc/self/fd/{self.descriptor}")

    @property
    def size(self) -> int:
        return os.fstat(self.descriptor).st_size

    def open(self) -> BinaryIO:
        # Opened anew and not duplicated: a duplicate would share the place in the file.
        return self.path.open("rb")

    def close(self) -> None:
        os.close(self.descriptor)
