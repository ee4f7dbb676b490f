"""Files in the object store, each under the hash of its content."""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Callable,
    Collection,
    Coroutine,
    Mapping,
    Sequence,
)
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_kit.objects import NotFoundError, ObjectStore, TooLargeError
from deepoj_question.commands.package_ports import Progress, Stage, Stored, Tell
from deepoj_question.commands.ports import StoredObject

PREFIX: Final = "data/"
_AT_ONCE: Final = 16


class ContentStore:
    def __init__(self, store: ObjectStore, max_size: int) -> None:
        self._store = store
        self._max_size = max_size

    async def sizes(self, contents: Collection[ContentHash]) -> Mapping[ContentHash, int]:
        found: dict[ContentHash, int] = {}

        async def look(content: ContentHash) -> None:
            with suppress(NotFoundError):
                found[content] = (await self._store.stat(PREFIX + content)).size

        await _all([partial(look, content) for content in contents])
        return found

    async def put(self, chunks: AsyncIterable[bytes]) -> StoredObject:
        size = 0

        async def counted() -> AsyncIterator[bytes]:
            nonlocal size
            async for chunk in chunks:
                size += len(chunk)
                yield chunk

        try:
            key = await self._store.put_content(counted(), prefix=PREFIX, max_size=self._max_size)
        except TooLargeError as error:
            raise InvalidValueError(
                "object_too_large", f"a file has at most {self._max_size} bytes"
            ) from error
        return StoredObject(ContentHash(key.removeprefix(PREFIX)), size)

    async def ensure(self, files: Mapping[ContentHash, Path], tell: Tell) -> Stored:
        there = await self.sizes(files)
        missing = [content for content in files if content not in there]
        done, total = 0, sum(files[content].stat().st_size for content in missing)
        tell(Progress(Stage.STORING, 0, total))

        async def store(content: ContentHash) -> None:
            nonlocal done
            info = await self._store.put_file(PREFIX + content, files[content], max_size=self._max_size)
            done += info.size
            tell(Progress(Stage.STORING, done, total))

        await _all([partial(store, content) for content in missing])
        return Stored(len(missing), len(there))

    async def download(self, wanted: Mapping[Path, ContentHash]) -> None:
        """Write each file where it is wanted."""

        async def fetch(path: Path, content: ContentHash) -> None:
            await self._store.download(PREFIX + content, path, sha256=content, max_size=self._max_size)

        await _all([partial(fetch, path, content) for path, content in wanted.items()])

    async def read(self, content: ContentHash, size: int) -> AsyncGenerator[bytes, None]:
        async for chunk in self._store.stream(PREFIX + content, sha256=content, max_size=size):
            yield chunk


async def _all(works: Sequence[Callable[[], Coroutine[object, object, None]]]) -> None:
    """A few at a time; the first failure ends them all."""
    turns = asyncio.Semaphore(_AT_ONCE)

    async def in_turn(work: Callable[[], Coroutine[object, object, None]]) -> None:
        async with turns:
            await work()

    try:
        async with asyncio.TaskGroup() as tasks:
            for work in works:
                tasks.create_task(in_turn(work))
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed
