"""Test data on the local disk, named by what it contains; the least recently used goes first.

One process fills one directory. A file gets its name only when it is complete and its hash is right; on the
first use after a start it is hashed again, because a disk may have changed it meanwhile.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from deepoj_domain.kernel.digest import ContentHash
from deepoj_judgement.outbound.sandbox.files import FileBlob
from deepoj_kit.single_flight import SingleFlight

_log = logging.getLogger(__name__)
_AT_ONCE = 4


class Origin(Protocol):
    """Raises StoreFailedError."""

    async def download(self, content: ContentHash, path: Path) -> None: ...


class DiskCache:
    def __init__(self, directory: Path, origin: Origin, max_bytes: int) -> None:
        self._directory = directory
        self._origin = origin
        self._max_bytes = max_bytes
        self._verified: set[ContentHash] = set()
        self._fetches: SingleFlight[ContentHash, None] = SingleFlight()
        self._pinned: Counter[ContentHash] = Counter()
        self._turns = asyncio.Semaphore(_AT_ONCE)

    @asynccontextmanager
    async def borrow(self, hashes: Iterable[ContentHash]) -> AsyncIterator[Mapping[ContentHash, FileBlob]]:
        wanted = list(hashes)
        self._pinned.update(wanted)
        try:
            await asyncio.gather(*(self._ensure(content) for content in wanted))
            yield {content: FileBlob(self._path(content)) for content in wanted}
        finally:
            self._pinned.subtract(wanted)

    async def _ensure(self, content: ContentHash) -> None:
        path = self._path(content)
        if content in self._verified and path.exists():
            os.utime(path)
            return
        await self._fetches(content, lambda: self._fill(content))

    async def _fill(self, content: ContentHash) -> None:
        path = self._path(content)
        async with self._turns:
            if not await asyncio.to_thread(_is_sound, path, content):
                path.parent.mkdir(parents=True, exist_ok=True)
                await self._origin.download(content, path)
                await asyncio.to_thread(self._evict)
        self._verified.add(content)

    def _evict(self) -> None:
        """What is being fetched counts, and stays."""
        found = oldest_first(self._directory, "??/*")
        total = sum(state.st_size for state, _ in found)
        for state, path in found:
            if total <= self._max_bytes:
                return
            if not path.name.startswith(".") and self._pinned[ContentHash(path.name)] <= 0:
                path.unlink(missing_ok=True)
                self._verified.discard(ContentHash(path.name))
                total -= state.st_size

    def _path(self, content: ContentHash) -> Path:
        return self._directory / content[:2] / content


def _is_sound(path: Path, content: ContentHash) -> bool:
    try:
        with path.open("rb") as file:
            sound = hashlib.file_digest(file, "sha256").hexdigest() == content
    except FileNotFoundError:
        return False
    if not sound:
        _log.error("a file of the cache is damaged and fetched again", extra={"content": content})
    return sound


def oldest_first(directory: Path, pattern: str) -> list[tuple[os.stat_result, Path]]:
    """Pass over what another thread evicts or completes meanwhile."""
    found = []
    for entry in directory.glob(pattern):
        try:
            found.append((entry.stat(), entry))
        except FileNotFoundError:
            continue
    return sorted(found, key=lambda each: each[0].st_mtime_ns)
