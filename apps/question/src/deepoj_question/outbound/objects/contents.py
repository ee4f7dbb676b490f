"""Files in the object store, each under the hash of its content."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Collection, Mapping
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_kit.objects import NotFoundError, ObjectStore, TooLargeError
from deepoj_question.commands.ports import StoredObject

PREFIX: Final = "data/"
_AT_ONCE: Final = 16


class ContentStore:
    def __init__(self, store: ObjectStore, max_size: int) -> None:
        self._store = store
        self._max_size = max_size

    async def sizes(self, contents: Collection[ContentHash]) -> Mapping[ContentHash, int]:
        turns = asyncio.Semaphore(_AT_ONCE)

        async def size(content: ContentHash) -> tuple[ContentHash, int | None]:
            async with turns:
                return content, await self._size(content)

        found = await asyncio.gather(*map(size, contents))
        return {content: size for content, size in found if size is not None}

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

    async def read(self, content: ContentHash, size: int) -> AsyncGenerator[bytes, None]:
        async for chunk in self._store.stream(PREFIX + content, sha256=content, max_size=size):
            yield chunk

    async def _size(self, content: ContentHash) -> int | None:
        try:
            return (await self._store.stat(PREFIX + content)).size
        except NotFoundError:
            return None
