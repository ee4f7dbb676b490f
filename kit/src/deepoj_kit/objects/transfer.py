"""The blocking halves of a transfer; each runs in one thread and cleans up what it made."""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from minio import Minio
from urllib3 import BaseHTTPResponse

from deepoj_kit.objects.errors import CorruptError, TooLargeError, translated

CHUNK = 64 * 1024
# The least S3 allows; one part is held in memory while it is sent.
PART = 5 * 1024 * 1024


class GivenUpError(Exception):
    """The caller no longer waits; never seen by it."""


class Reader:
    """A file that stops giving data when the caller has given up, so that the upload is aborted."""

    def __init__(self, file: BinaryIO, given_up: threading.Event) -> None:
        self._file = file
        self._given_up = given_up

    def read(self, size: int = -1) -> bytes:
        if self._given_up.is_set():
            raise GivenUpError
        return self._file.read(size)


def upload(
    client: Minio, bucket: str, key: str, file: BinaryIO, content_type: str, stop: threading.Event
) -> None:
    """Send a file from its beginning; the object appears whole or not at all."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    reader = Reader(file, stop)
    with translated(key):
        # One part after the other: parallel parts would each be held in memory.
        client.put_object(
            bucket,
            key,
            reader,  # type: ignore[arg-type]  # only read() is called
            size,
            content_type,
            part_size=PART,
            num_parallel_uploads=1,
        )


def download(
    client: Minio, bucket: str, key: str, path: Path, check: ContentCheck, stop: threading.Event
) -> None:
    """Write to a temporary file beside `path`, check it, and only then give it its name."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file, opened(client, bucket, key) as response:
            check.expect_size(key, response)
            _copy(response, file, key, check, stop)
            check.finish(key)
            file.flush()
            # Without it a power cut could leave the final name on an empty file.
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _copy(
    response: BaseHTTPResponse, file: BinaryIO, key: str, check: ContentCheck, stop: threading.Event
) -> None:
    while chunk := read_chunk(response, key):
        if stop.is_set():
            raise GivenUpError
        check.update(key, chunk)
        file.write(chunk)


class ContentCheck:
    """Bounds the size and compares the hash of content that passes by."""

    def __init__(self, sha256: str | None, max_size: int) -> None:
        self._expected = sha256
        self._max_size = max_size
        self._hash = hashlib.sha256()
        self.size = 0

    def expect_size(self, key: str, response: BaseHTTPResponse) -> None:
        if int(response.headers.get("content-length", "0")) > self._max_size:
            raise TooLargeError(f"{key}: larger than {self._max_size} bytes")

    def update(self, key: str, chunk: bytes) -> None:
        self.size += len(chunk)
        if self.size > self._max_size:
            raise TooLargeError(f"{key}: larger than {self._max_size} bytes")
        self._hash.update(chunk)

    def finish(self, key: str) -> None:
        if self._expected is not None and self.sha256 != self._expected:
            raise CorruptError(f"{key}: its content has the hash {self.sha256}")

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


def open_object(client: Minio, bucket: str, key: str) -> BaseHTTPResponse:
    with translated(key):
        return client.get_object(bucket, key)


def read_chunk(response: BaseHTTPResponse, key: str) -> bytes:
    with translated(key):
        return response.read(CHUNK)


def close(response: BaseHTTPResponse) -> None:
    # Closing before releasing drops a connection with unread data instead of giving it to the next user.
    response.close()
    response.release_conn()


@contextmanager
def opened(client: Minio, bucket: str, key: str) -> Iterator[BaseHTTPResponse]:
    response = open_object(client, bucket, key)
    try:
        yield response
    finally:
        close(response)
