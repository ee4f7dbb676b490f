"""The files of a package behind the ports that judge them: read where they lie, named by their content."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path, PurePosixPath

from deepoj_domain.kernel.digest import ContentHash
from deepoj_judgement.commands.judge.errors import StoreFailedError
from deepoj_judgement.commands.judge.sandbox_port import Blob
from deepoj_judgement.outbound.sandbox.files import FileBlob
from deepoj_packages.judge_data import EMPTY


class LocalFiles:
    """`root` is where the package lies; a solution elsewhere has an absolute path, which stays what it is."""

    def __init__(self, root: Path, work: Path) -> None:
        self._root = root
        self._hashes: dict[PurePosixPath, ContentHash] = {}
        empty = work / "empty"
        empty.write_bytes(b"")
        self._places: dict[ContentHash, Path] = {EMPTY: empty}

    def content(self, file: PurePosixPath) -> ContentHash:
        if file not in self._hashes:
            place = self._root / file
            with place.open("rb") as opened:
                found = ContentHash(hashlib.file_digest(opened, "sha256").hexdigest())
            self._hashes[file] = found
            self._places.setdefault(found, place)
        return self._hashes[file]

    def blob(self, file: PurePosixPath) -> FileBlob:
        return FileBlob(self._root / file)

    def keep(self, file: PurePosixPath, content: Blob) -> None:
        place = self._root / file
        place.parent.mkdir(parents=True, exist_ok=True)
        with content.open() as made, place.open("xb") as kept:
            shutil.copyfileobj(made, kept)

    @asynccontextmanager
    async def borrow(self, hashes: Iterable[ContentHash]) -> AsyncIterator[Mapping[ContentHash, FileBlob]]:
        wanted = list(hashes)
        if unknown := [each for each in wanted if each not in self._places]:
            raise StoreFailedError(f"the package has no file with the content {unknown[0]}")
        yield {each: FileBlob(self._places[each]) for each in wanted}
