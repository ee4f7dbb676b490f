"""The files of a package by the hash of their content."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Final

from deepoj_domain.kernel.digest import ContentHash

_CHUNK: Final = 1024 * 1024


class FileIndex:
    """Remembers which file has which content; each is read once, piece by piece."""

    def __init__(self) -> None:
        self.paths: dict[ContentHash, Path] = {}
        self._hashes: dict[Path, ContentHash] = {}

    def of(self, root: Path) -> Callable[[PurePosixPath], ContentHash]:
        """Give a function that adds files by their path inside a directory."""
        return lambda file: self.add(root / file)

    def add(self, path: Path) -> ContentHash:
        if path not in self._hashes:
            self._hashes[path] = _hash(path)
        content = self._hashes[path]
        self.paths.setdefault(content, path)
        return content


def _hash(path: Path) -> ContentHash:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return ContentHash(digest.hexdigest())
