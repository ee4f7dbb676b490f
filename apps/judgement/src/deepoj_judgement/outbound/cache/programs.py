"""Compiled programs on the local disk, named by what they are made of; the least recently used goes first.

A program gets its name only when it is complete. On the first use after a start its files are hashed again,
because a disk may have changed them meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_judgement.commands.judge.program import CompileFailed, Program
from deepoj_judgement.commands.judge.sandbox_port import Blob
from deepoj_judgement.outbound.cache.disk import oldest_first
from deepoj_judgement.outbound.sandbox.files import FileBlob

_log = logging.getLogger(__name__)
_MANIFEST = "manifest.json"
_MOST_KEPT = 128


class _File(msgspec.Struct, frozen=True):
    name: str
    content: ContentHash


class _Manifest(msgspec.Struct, frozen=True):
    files: tuple[_File, ...]
    main: str = ""


class DiskPrograms:
    def __init__(self, directory: Path, most_kept: int = _MOST_KEPT) -> None:
        self._directory = directory
        self._most_kept = most_kept
        self._verified: set[ContentHash] = set()
        self._turns: defaultdict[ContentHash, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._pinned: Counter[ContentHash] = Counter()

    @asynccontextmanager
    async def borrow(
        self, made_of: ContentHash, make: Callable[[], Awaitable[Program | CompileFailed]]
    ) -> AsyncIterator[Program | CompileFailed]:
        self._pinned[made_of] += 1
        try:
            async with self._turns[made_of]:
                program = await self._found_or_made(made_of, make)
            yield program
        finally:
            self._pinned[made_of] -= 1
            if not self._pinned[made_of]:
                del self._pinned[made_of], self._turns[made_of]

    async def _found_or_made(
        self, made_of: ContentHash, make: Callable[[], Awaitable[Program | CompileFailed]]
    ) -> Program | CompileFailed:
        found = await asyncio.to_thread(self._find, made_of)
        if found is not None:
            return found
        made = await make()
        return made if isinstance(made, CompileFailed) else await asyncio.to_thread(self._keep, made_of, made)

    def _find(self, made_of: ContentHash) -> Program | None:
        place = self._directory / made_of
        if not place.exists():
            return None
        manifest = _manifest(place)
        if manifest is None or not (made_of in self._verified or _is_sound(place, manifest)):
            _log.warning("a kept program is damaged and made again", extra={"made_of": made_of})
            shutil.rmtree(place, ignore_errors=True)
            return None
        os.utime(place)
        self._verified.add(made_of)
        files = {each.name: FileBlob(place / str(number)) for number, each in enumerate(manifest.files)}
        return Program(files, manifest.main)

    def _keep(self, made_of: ContentHash, program: Program) -> Program:
        self._directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._directory, prefix=".making-") as making:
            place = Path(making, "program")
            place.mkdir()
            files = []
            for number, (name, source) in enumerate(program.files.items()):
                content = _content(source)
                (place / str(number)).write_bytes(content)
                files.append(_File(name, hash_of(content)))
            manifest = _Manifest(tuple(files), program.main)
            (place / _MANIFEST).write_bytes(msgspec.json.encode(manifest))
            shutil.rmtree(self._directory / made_of, ignore_errors=True)
            place.rename(self._directory / made_of)
        self._evict()
        kept = self._find(made_of)
        return program if kept is None else kept

    def _evict(self) -> None:
        kept = oldest_first(self._directory, "[0-9a-f]*")
        for _, place in kept[: max(0, len(kept) - self._most_kept)]:
            if not self._pinned[ContentHash(place.name)]:
                shutil.rmtree(place, ignore_errors=True)
                self._verified.discard(ContentHash(place.name))


def _manifest(place: Path) -> _Manifest | None:
    try:
        return msgspec.json.decode((place / _MANIFEST).read_bytes(), type=_Manifest)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _is_sound(place: Path, manifest: _Manifest) -> bool:
    try:
        return all(
            hash_of((place / str(number)).read_bytes()) == each.content
            for number, each in enumerate(manifest.files)
        )
    except FileNotFoundError:
        return False


def _content(source: Blob | bytes) -> bytes:
    return source if isinstance(source, bytes) else source.path.read_bytes()
