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
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import aclosing, nullcontext, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final, Protocol

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_kit.objects import LIST_PAGE, NotFoundError, ObjectStore, TooLargeError
from deepoj_question.commands.package_ports import Progress, Stage, Stored, Tell
from deepoj_question.commands.ports import StoredObject

PREFIX: Final = "data/"
_AT_ONCE: Final = 16
# Of a large file a part of some MiB is in memory, several times, while it is sent: one after the other.
_LARGE: Final = 256 * 1024
# Who waits for an import gives up when nothing is told for a minute.
_TOLD_EACH: Final = 100


def _nobody(progress: Progress) -> None:
    del progress


class Uses(Protocol):
    async def hold(self, contents: Collection[ContentHash]) -> None:
        """See that no sweep deletes them for some days. Whoever relies on a file holds it before looking."""
        ...


class ContentStore:
    def __init__(self, store: ObjectStore, uses: Uses, max_size: int) -> None:
        self._store = store
        self._uses = uses
        self._max_size = max_size
        self._large_ones = asyncio.Lock()

    async def sizes(
        self, contents: Collection[ContentHash], tell: Tell = _nobody
    ) -> Mapping[ContentHash, int]:
        if contents:
            await self._uses.hold(contents)
        found: dict[ContentHash, int] = {}
        looked = count(1)

        async def look(content: ContentHash) -> None:
            with suppress(NotFoundError):
                found[content] = (await self._store.stat(PREFIX + content)).size
            if next(looked) % _TOLD_EACH == 0:
                tell(Progress(Stage.STORING, 0, 0))

        await _all(partial(look, content) for content in contents)
        return found

    async def put(self, chunks: AsyncIterable[bytes]) -> StoredObject:
        size = 0

        async def counted() -> AsyncIterator[bytes]:
            nonlocal size
            async for chunk in chunks:
                size += len(chunk)
                yield chunk

        try:
            key = await self._store.put_content(
                counted(), prefix=PREFIX, max_size=self._max_size, before=self._hold
            )
        except TooLargeError as error:
            raise InvalidValueError(
                "object_too_large", f"a file has at most {self._max_size} bytes"
            ) from error
        return StoredObject(_content(key), size)

    async def _hold(self, key: str) -> None:
        await self._uses.hold((_content(key),))

    async def pages(self) -> AsyncIterator[Sequence[StoredObject]]:
        page: list[StoredObject] = []
        async with aclosing(self._store.list(PREFIX)) as found:
            async for each in found:
                page.append(StoredObject(_content(each.key), each.size))
                if len(page) == LIST_PAGE:
                    yield page
                    page = []
        if page:
            yield page

    async def size(self, content: ContentHash) -> int | None:
        try:
            return (await self._store.stat(PREFIX + content)).size
        except NotFoundError:
            return None

    async def delete(self, content: ContentHash) -> None:
        await self._store.delete(PREFIX + content)

    async def ensure(self, files: Mapping[ContentHash, Path], tell: Tell) -> Stored:
        there = await self.sizes(files, tell)
        missing = [content for content in files if content not in there]
        done, total = 0, sum(files[content].stat().st_size for content in missing)
        tell(Progress(Stage.STORING, 0, total))

        async def store(content: ContentHash) -> None:
            nonlocal done
            is_large = files[content].stat().st_size > _LARGE
            async with self._large_ones if is_large else nullcontext():
                info = await self._store.put_file(PREFIX + content, files[content], max_size=self._max_size)
            done += info.size
            tell(Progress(Stage.STORING, done, total))

        await _all(partial(store, content) for content in missing)
        return Stored(len(missing), len(there))

    async def download(self, wanted: Mapping[Path, ContentHash]) -> None:
        """Write each file where it is wanted."""

        async def fetch(path: Path, content: ContentHash) -> None:
            await self._store.download(PREFIX + content, path, sha256=content, max_size=self._max_size)

        await _all(partial(fetch, path, content) for path, content in wanted.items())

    async def read(self, content: ContentHash, size: int) -> AsyncGenerator[bytes, None]:
        async for chunk in self._store.stream(PREFIX + content, sha256=content, max_size=size):
            yield chunk


def _content(key: str) -> ContentHash:
    return ContentHash(key.removeprefix(PREFIX))


async def _all(works: Iterable[Callable[[], Coroutine[object, object, None]]]) -> None:
    """A few at a time, by as few tasks: there may be twenty thousand. The first failure ends them all."""
    waiting = iter(works)

    async def do_next() -> None:
        for work in waiting:
            await work()

    try:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(_AT_ONCE):
                tasks.create_task(do_next())
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed
