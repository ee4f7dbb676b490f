"""The object store of a process: the blocking MinIO client behind a bounded pool of threads."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import tempfile
import threading
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self, TypeVar

from minio.datatypes import Object
from urllib3 import BaseHTTPResponse

from deepoj_kit.objects.access import S3Settings, make_client
from deepoj_kit.objects.errors import NotFoundError, TooLargeError, translated
from deepoj_kit.objects.transfer import ContentCheck, close, download, open_object, read_chunk, upload
from deepoj_kit.settings import Secret
from deepoj_kit.tls import Tls

T = TypeVar("T")
Source = bytes | AsyncIterable[bytes]

MAX_SIZE: Final = 1024**3
SMALL: Final = 1024**2
LIST_PAGE: Final = 500
BINARY: Final = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class ObjectInfo:
    key: str
    size: int
    etag: str = field(default="", compare=False)
    """The server's word for the content, told by `stat` and `list` as the next one is."""
    modified: datetime | None = field(default=None, compare=False)


class ObjectStore:
    """An async context manager. All sizes are in bytes."""

    def __init__(
        self,
        endpoint: str,
        access_key: str,
        secret_key: Secret,
        bucket: str,
        *,
        tls: Tls | None = None,
        threads: int = 8,
        connect_timeout: timedelta = timedelta(seconds=2),
        read_timeout: timedelta = timedelta(seconds=10),
    ) -> None:
        self._client, self._http = make_client(
            endpoint,
            access_key,
            secret_key,
            tls=tls or Tls(),
            threads=threads,
            connect=connect_timeout,
            read=read_timeout,
        )
        self._bucket = bucket
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="objects")

    @classmethod
    def from_settings(cls, settings: S3Settings) -> Self:
        return cls(
            settings.s3_endpoint,
            settings.s3_access_key,
            settings.s3_secret_key,
            settings.s3_bucket,
            tls=settings.tls_files,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Waited for, so that no transfer outlives the store; each read in it has a time-out.
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
        self._http.clear()

    async def check(self) -> None:
        """Raise unless the bucket is there; fit for a readiness check."""
        with translated(self._bucket):
            if not await self._run(lambda: self._client.bucket_exists(self._bucket)):
                raise NotFoundError(f"{self._bucket}: no such bucket")

    async def put(
        self, key: str, source: Source, *, max_size: int = MAX_SIZE, content_type: str = BINARY
    ) -> ObjectInfo:
        """Store under a name; the source is spooled to disk first, so one that fails leaves no object."""
        with tempfile.TemporaryFile() as spool:
            check = await self._spool(source, spool, key, max_size)
            await self._upload(key, spool, content_type)
        return ObjectInfo(key, check.size)

    async def put_file(
        self, key: str, path: Path, *, max_size: int = MAX_SIZE, content_type: str = BINARY
    ) -> ObjectInfo:
        with await self._run(lambda: path.open("rb")) as file:
            size = os.fstat(file.fileno()).st_size
            if size > max_size:
                raise TooLargeError(f"{key}: larger than {max_size} bytes")
            await self._upload(key, file, content_type)
        return ObjectInfo(key, size)

    async def put_content(
        self,
        source: Source,
        *,
        prefix: str = "",
        max_size: int = MAX_SIZE,
        content_type: str = BINARY,
        before: Callable[[str], Awaitable[None]] | None = None,
    ) -> str:
        """Store under `prefix` + SHA-256 of the content; return that key. Again changes nothing.

        `before` is told the key before anybody looks whether the object is there already.

        Two writers at the same time write the same bytes to the same key, and S3 replaces an object at once.
        """
        with tempfile.TemporaryFile() as spool:
            check = await self._spool(source, spool, prefix or "content", max_size)
            key = prefix + check.sha256
            if before is not None:
                await before(key)
            if not await self._has(key, check.size):
                await self._upload(key, spool, content_type)
        return key

    async def stream(
        self, key: str, *, sha256: str | None = None, max_size: int = MAX_SIZE
    ) -> AsyncGenerator[bytes, None]:
        """Give the content piece by piece; a wrong hash is raised after the last piece."""
        check = ContentCheck(sha256, max_size)
        response = await self._run(lambda: open_object(self._client, self._bucket, key))
        try:
            check.expect_size(key, response)
            while chunk := await self._run(lambda: read_chunk(response, key)):
                check.update(key, chunk)
                yield chunk
            check.finish(key)
        finally:
            self._discard(response)

    async def read(self, key: str, *, sha256: str | None = None, max_size: int = SMALL) -> bytes:
        """Return a small object whole."""
        return b"".join([chunk async for chunk in self.stream(key, sha256=sha256, max_size=max_size)])

    async def download(
        self, key: str, path: Path, *, sha256: str | None = None, max_size: int = MAX_SIZE
    ) -> None:
        """Write to `path`, which appears complete and checked or not at all."""
        check = ContentCheck(sha256, max_size)
        await self._transfer(lambda stop: download(self._client, self._bucket, key, path, check, stop))

    async def stat(self, key: str) -> ObjectInfo:
        with translated(key):
            return _info(await self._run(lambda: self._client.stat_object(self._bucket, key)))

    async def exists(self, key: str) -> bool:
        try:
            await self.stat(key)
        except NotFoundError:
            return False
        return True

    async def delete(self, key: str) -> None:
        """Remove an object; one that is not there is no error."""
        with translated(key):
            await self._run(lambda: self._client.remove_object(self._bucket, key))

    async def list(self, prefix: str) -> AsyncGenerator[ObjectInfo, None]:
        """Give what is stored under a prefix, in the order of keys."""
        with translated(prefix):
            found = iter(self._client.list_objects(self._bucket, prefix, recursive=True))
            while page := await self._run(lambda: list(itertools.islice(found, LIST_PAGE))):
                for each in page:
                    yield _info(each)

    def _discard(self, response: BaseHTTPResponse) -> None:
        """Close in a thread, not waited for: a read that was given up may still hold the response."""
        # A store that is closed takes no more work; then nothing waits for this thread either.
        with contextlib.suppress(RuntimeError):
            self._threads.submit(close, response)

    async def _has(self, key: str, size: int) -> bool:
        try:
            return (await self.stat(key)).size == size
        except NotFoundError:
            return False

    async def _spool(self, source: Source, spool: BinaryIO, key: str, max_size: int) -> ContentCheck:
        check = ContentCheck(None, max_size)

        def take(chunk: bytes) -> None:
            check.update(key, chunk)
            spool.write(chunk)

        async for chunk in _chunks(source):
            await self._run(partial(take, chunk))
        return check

    async def _upload(self, key: str, file: BinaryIO, content_type: str) -> None:
        await self._transfer(lambda stop: upload(self._client, self._bucket, key, file, content_type, stop))

    async def _transfer(self, work: Callable[[threading.Event], None]) -> None:
        """Run a transfer; when the caller is cancelled, tell the thread."""
        stop = threading.Event()
        try:
            await self._run(lambda: work(stop))
        finally:
            stop.set()

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


async def _chunks(source: Source) -> AsyncIterator[bytes]:
    if isinstance(source, bytes):
        yield source
        return
    async for chunk in source:
        yield chunk


def _info(found: Object) -> ObjectInfo:
    return ObjectInfo(found.object_name or "", found.size or 0, found.etag or "", found.last_modified)
