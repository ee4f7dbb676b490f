"""What the object store does when content, wire, server or caller fail it."""

from __future__ import annotations

import asyncio
import hashlib
import io
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from minio import Minio

from deepoj_kit.embedded.free_ports import free_ports
from deepoj_kit.objects import CorruptError, NotFoundError, ObjectStore, RefusedError
from deepoj_kit.settings import Secret
from deepoj_kit.testing.servers import Servers
from deepoj_kit.unavailable import Unavailable

MEGABYTE = 1_000_000
MEBIBYTE = 1024 * 1024
StoreAt = Callable[[str], ObjectStore]
Proxy = Callable[[int], AbstractAsyncContextManager[Any]]


def raw_put(servers: Servers, bucket: str, key: str, content: bytes) -> None:
    access = servers.s3
    host = urlsplit(access.endpoint).netloc
    client = Minio(host, access_key=access.access_key, secret_key=access.secret_key, secure=False)
    client.put_object(bucket, key, io.BytesIO(content), len(content))


async def pieces(count: int, size: int = MEGABYTE) -> AsyncIterator[bytes]:
    for number in range(count):
        yield bytes([number % 256]) * size


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def files(directory: Path) -> list[Path]:
    return list(directory.iterdir())


async def keys(store: ObjectStore, prefix: str = "") -> list[str]:
    return [each.key async for each in store.list(prefix)]


async def test_a_truncated_object_is_stored_again(store: ObjectStore, servers: Servers, bucket: str) -> None:
    raw_put(servers, bucket, sha256(b"content"), b"cont")
    key = await store.put_content(b"content")
    assert await store.read(key, sha256=key) == b"content"


async def test_a_corrupted_object_is_detected_and_leaves_no_file(
    store: ObjectStore, servers: Servers, bucket: str, tmp_path: Path
) -> None:
    key = sha256(b"what it should be")
    raw_put(servers, bucket, key, b"what it has become")
    with pytest.raises(CorruptError):
        await store.download(key, tmp_path / "file", sha256=key)
    with pytest.raises(CorruptError):
        await store.read(key, sha256=key)
    assert files(tmp_path) == []


async def test_a_download_replaces_an_old_file_only_when_it_is_good(
    store: ObjectStore, servers: Servers, bucket: str, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    raw_put(servers, bucket, "new", b"new")
    with pytest.raises(CorruptError):
        await store.download("new", path, sha256=sha256(b"other"))
    assert path.read_bytes() == b"old"
    await store.download("new", path, sha256=sha256(b"new"))
    assert path.read_bytes() == b"new"


async def test_a_source_that_fails_leaves_no_object(store: ObjectStore) -> None:
    async def failing() -> AsyncIterator[bytes]:
        async for piece in pieces(7):
            yield piece
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await store.put("key", failing())
    with pytest.raises(ConnectionResetError):
        await store.put_content(failing())
    assert await keys(store) == []


async def test_an_upload_cut_on_the_wire_leaves_no_object(
    store: ObjectStore, store_at: StoreAt, cutting_proxy: Proxy
) -> None:
    async with cutting_proxy(MEBIBYTE) as proxy, store_at(proxy.endpoint) as cut:
        proxy.release(cut=True)
        with pytest.raises(Unavailable):
            await cut.put("small", b"x" * 3 * MEBIBYTE)
        with pytest.raises(Unavailable):
            await cut.put("in parts", pieces(12))
    assert await keys(store) == []


async def test_a_download_cut_on_the_wire_leaves_no_file(
    store: ObjectStore, store_at: StoreAt, cutting_proxy: Proxy, tmp_path: Path
) -> None:
    await store.put("key", b"x" * 3 * MEBIBYTE)
    async with cutting_proxy(MEBIBYTE) as proxy, store_at(proxy.endpoint) as cut:
        proxy.release(cut=True)
        with pytest.raises(Unavailable):
            await cut.download("key", tmp_path / "file")
    assert files(tmp_path) == []


async def test_a_cancelled_download_leaves_no_file(
    store: ObjectStore, store_at: StoreAt, cutting_proxy: Proxy, tmp_path: Path
) -> None:
    await store.put("key", b"x" * 3 * MEBIBYTE)
    async with cutting_proxy(MEBIBYTE) as proxy, store_at(proxy.endpoint) as held:
        task = asyncio.create_task(held.download("key", tmp_path / "file"))
        await proxy.reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        proxy.release(cut=False)
    assert files(tmp_path) == []


async def test_a_cancelled_upload_leaves_no_object(
    store: ObjectStore, store_at: StoreAt, cutting_proxy: Proxy, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 12 * MEBIBYTE)
    async with cutting_proxy(MEBIBYTE) as proxy, store_at(proxy.endpoint) as held:
        task = asyncio.create_task(held.put_file("key", path))
        await proxy.reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        proxy.release(cut=False)
    assert await keys(store) == []


async def test_an_unreachable_server_is_unavailable_quickly(store_at: StoreAt) -> None:
    (port,) = free_ports(1)
    async with store_at(f"http://127.0.0.1:{port}") as store:
        for attempt in (store.read("key"), store.put("key", b"x"), store.check(), keys(store)):
            with pytest.raises(Unavailable):
                await attempt


async def test_a_missing_bucket_and_a_wrong_secret_are_told_apart(servers: Servers, bucket: str) -> None:
    access = servers.s3
    async with ObjectStore(access.endpoint, access.access_key, Secret(access.secret_key), "missing") as store:
        with pytest.raises(NotFoundError):
            await store.check()
    async with ObjectStore(access.endpoint, access.access_key, Secret("wrong"), bucket) as store:
        with pytest.raises(RefusedError):
            await store.put("key", b"x")
