"""The object store on the real S3 server."""

from __future__ import annotations

import asyncio
import hashlib
import tracemalloc
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from deepoj_kit.objects import (
    NotFoundError,
    ObjectInfo,
    ObjectStore,
    TooLargeError,
)

MEGABYTE = 1_000_000
MEBIBYTE = 1024 * 1024


def files(directory: Path) -> list[Path]:
    return list(directory.iterdir())


async def pieces(count: int, size: int = MEGABYTE) -> AsyncIterator[bytes]:
    for number in range(count):
        yield bytes([number % 256]) * size


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


async def keys(store: ObjectStore, prefix: str = "") -> list[str]:
    return [each.key async for each in store.list(prefix)]


async def test_what_is_put_is_read_back(store: ObjectStore) -> None:
    assert await store.put("a/b.txt", b"hello") == ObjectInfo("a/b.txt", 5)
    assert await store.read("a/b.txt") == b"hello"
    assert await store.stat("a/b.txt") == ObjectInfo("a/b.txt", 5)
    await store.put("empty", b"")
    assert await store.read("empty") == b""


async def test_twenty_megabytes_stream_both_ways_in_bounded_memory(
    store: ObjectStore, tmp_path: Path
) -> None:
    await store.put("warm", b"up")
    tracemalloc.start()
    try:
        key = await store.put_content(pieces(20))
        await store.download(key, tmp_path / "file", sha256=key)
        size = sum([len(chunk) async for chunk in store.stream(key, sha256=key)])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size == 20 * MEGABYTE == (tmp_path / "file").stat().st_size
    assert peak < 16 * MEBIBYTE


async def test_a_file_is_put_without_spooling(store: ObjectStore, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 7 * MEBIBYTE)
    assert await store.put_file("f", path) == ObjectInfo("f", 7 * MEBIBYTE)
    assert (await store.stat("f")).size == 7 * MEBIBYTE
    with pytest.raises(TooLargeError):
        await store.put_file("g", path, max_size=10)
    assert not await store.exists("g")


async def test_content_is_stored_under_its_hash_once(store: ObjectStore) -> None:
    key = await store.put_content(b"content", prefix="data/")
    assert key == "data/" + sha256(b"content")
    assert await store.put_content(b"content", prefix="data/") == key
    assert await keys(store) == [key]


async def test_identical_puts_at_the_same_time_make_one_object(store: ObjectStore) -> None:
    found = await asyncio.gather(*(store.put_content(pieces(2)) for _ in range(6)))
    assert len(set(found)) == 1
    assert await keys(store) == [found[0]]
    assert sha256(await store.read(found[0], max_size=3 * MEGABYTE)) == found[0]


async def test_size_limits_hold_in_both_directions(store: ObjectStore, tmp_path: Path) -> None:
    with pytest.raises(TooLargeError):
        await store.put("key", pieces(3), max_size=2 * MEGABYTE)
    with pytest.raises(TooLargeError):
        await store.put_content(pieces(3), max_size=2 * MEGABYTE)
    assert await keys(store) == []
    await store.put("key", b"12345")
    with pytest.raises(TooLargeError):
        await store.read("key", max_size=4)
    with pytest.raises(TooLargeError):
        await store.download("key", tmp_path / "file", max_size=4)
    assert files(tmp_path) == []


async def test_what_is_not_there_is_not_found(store: ObjectStore, tmp_path: Path) -> None:
    assert not await store.exists("missing")
    for attempt in (
        store.stat("missing"),
        store.read("missing"),
        store.download("missing", tmp_path / "file"),
    ):
        with pytest.raises(NotFoundError):
            await attempt
    assert files(tmp_path) == []


async def test_delete_is_idempotent(store: ObjectStore) -> None:
    await store.put("key", b"x")
    await store.delete("key")
    await store.delete("key")
    assert not await store.exists("key")


async def test_list_gives_what_has_the_prefix(store: ObjectStore) -> None:
    for key in ("a/1", "a/2/3", "b/1"):
        await store.put(key, key.encode())
    assert [each async for each in store.list("a/")] == [ObjectInfo("a/1", 3), ObjectInfo("a/2/3", 5)]
