"""One contract for files in memory and in the object store."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from apps.question.tests.fakes import MemoryObjects
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_kit.objects import ObjectStore
from deepoj_question.commands.ports import Objects, StoredObject
from deepoj_question.outbound.objects.contents import ContentStore
from deepoj_question.outbound.postgres.object_uses import PostgresObjectUses


@pytest.fixture
def store(object_store: ObjectStore, object_uses: PostgresObjectUses) -> ContentStore:
    return ContentStore(object_store, object_uses, max_size=1000)


@pytest.fixture(params=["memory", "s3"])
def objects(request: pytest.FixtureRequest) -> Objects:
    if request.param == "memory":
        return MemoryObjects()
    found: ContentStore = request.getfixturevalue("store")
    return found


async def pieces(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def test_a_file_is_stored_under_the_hash_of_its_content(objects: Objects) -> None:
    assert await objects.put(pieces(b"ab", b"c")) == StoredObject(hash_of(b"abc"), 3)
    assert await objects.put(pieces(b"abc")) == StoredObject(hash_of(b"abc"), 3)
    wanted = [hash_of(b"abc"), hash_of(b"missing")]
    assert await objects.sizes(wanted) == {hash_of(b"abc"): 3}
    assert await objects.sizes([]) == {}


async def test_workers_find_it_under_data(store: ContentStore, object_store: ObjectStore) -> None:
    await store.put(pieces(b"abc"))
    assert await object_store.read(f"data/{hash_of(b'abc')}") == b"abc"
    assert b"".join([chunk async for chunk in store.read(hash_of(b"abc"), 3)]) == b"abc"


async def test_a_file_that_is_too_large_is_refused_and_not_stored(
    store: ContentStore, object_store: ObjectStore
) -> None:
    with pytest.raises(InvalidValueError) as refused:
        await store.put(pieces(b"x" * 600, b"x" * 600))
    assert refused.value.code == "object_too_large"
    assert [each async for each in object_store.list("")] == []
