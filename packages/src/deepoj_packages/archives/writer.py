"""Puts checked entries into a directory. It is new, so all there is in it was admitted."""

import os
from pathlib import Path, PurePosixPath
from typing import Protocol

from deepoj_packages.archives.guard import Guard
from deepoj_packages.refusal import PackageRefusedError, Reason

_CHUNK = 1024 * 1024


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Writer:
    def __init__(self, root: Path, guard: Guard) -> None:
        self._root = root
        self._guard = guard

    def directory(self, path: PurePosixPath) -> None:
        self._guard.admit(path, is_directory=True)
        (self._root / path).mkdir(parents=True, exist_ok=True)

    def file(self, path: PurePosixPath, content: Readable, size: int, *, executable: bool) -> None:
        self._guard.admit(path, is_directory=False)
        self._guard.expect(path, size)
        target = self._root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        written = 0
        with target.open("xb") as file:
            while chunk := content.read(_CHUNK):
                written += len(chunk)
                if written > size:
                    raise _lies(path)
                self._guard.count(len(chunk))
                file.write(chunk)
        if written != size:
            raise _lies(path)
        if executable:
            target.chmod(0o755)

    def same(self, path: PurePosixPath, target: PurePosixPath) -> None:
        """Make a second name for a file that was written: the content is there only once."""
        self._guard.admit(path, is_directory=False)
        place = self._root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        os.link(self._root / target, place)


def _lies(path: PurePosixPath) -> PackageRefusedError:
    return PackageRefusedError(Reason.BROKEN_ARCHIVE, f"the archive lies about the size of {path}")
