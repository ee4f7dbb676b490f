"""The disk cache over a real object store, and the judge cache on a real database."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from deepoj_domain.judgement.judgement import Judgement, JudgementKey
from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.ids import JudgementId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import NOW, QUESTION, a_result
from deepoj_judgement.commands.judge.errors import StoreFailedError
from deepoj_judgement.commands.judge.ports import JudgeCache
from deepoj_judgement.commands.judge.testing import MemoryJudgeCache
from deepoj_judgement.outbound.cache.disk import DiskCache
from deepoj_judgement.outbound.cache.home_lock import HomeInUseError, owned
from deepoj_judgement.outbound.objects.test_data import PREFIX, ObjectData
from deepoj_judgement.outbound.postgres.judgements import PostgresJudgeCache
from deepoj_kit.objects import ObjectStore
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.testing.servers import Servers
from deepoj_migrations import upgrade

KEY = JudgementKey(RevisionRef(QUESTION, 1), language_slug("cpp17"), "12.2 #abc", hash_of(b"code"))


class CountingOrigin:
    def __init__(self, inner: ObjectData) -> None:
        self._inner = inner
        self.downloads = 0

    async def download(self, content: ContentHash, path: Path) -> None:
        self.downloads += 1
        await self._inner.download(content, path)


@pytest.fixture
async def objects(servers: Servers, bucket: str) -> AsyncIterator[ObjectStore]:
    s3 = servers.s3
    async with ObjectStore(s3.endpoint, s3.access_key, Secret(s3.secret_key), bucket) as store:
        yield store


@pytest.fixture
def origin(objects: ObjectStore) -> CountingOrigin:
    return CountingOrigin(ObjectData(objects))


def files_in(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


async def put(objects: ObjectStore, content: bytes) -> ContentHash:
    await objects.put_content(content, prefix=PREFIX)
    return hash_of(content)


async def test_data_is_fetched_once_however_many_want_it(
    objects: ObjectStore, origin: CountingOrigin, tmp_path: Path
) -> None:
    content = await put(objects, b"input")
    cache = DiskCache(tmp_path, origin, 1000)

    async def read() -> bytes:
        async with cache.borrow([content]) as files:
            return files[content].path.read_bytes()

    assert await asyncio.gather(*(read() for _ in range(8))) == [b"input"] * 8
    assert await read() == b"input"
    assert origin.downloads == 1


async def test_a_cached_package_costs_no_read_of_the_store_even_after_a_start(
    objects: ObjectStore, origin: CountingOrigin, tmp_path: Path
) -> None:
    package = [await put(objects, b"case %d" % number) for number in range(20)]
    for _ in range(2):
        cache = DiskCache(tmp_path, origin, 1000)
        for _ in range(3):
            async with cache.borrow(package) as files:
                assert files[package[7]].path.read_bytes() == b"case 7"
    assert origin.downloads == len(package)


async def test_a_damaged_file_is_noticed_after_a_start_and_fetched_again(
    objects: ObjectStore, origin: CountingOrigin, tmp_path: Path
) -> None:
    content = await put(objects, b"input")
    async with DiskCache(tmp_path, origin, 1000).borrow([content]) as files:
        files[content].path.write_bytes(b"wrong")
    async with DiskCache(tmp_path, origin, 1000).borrow([content]) as files:
        assert files[content].path.read_bytes() == b"input"
    async with DiskCache(tmp_path, origin, 1000).borrow([content]):
        assert origin.downloads == 2


async def test_the_least_recently_used_goes_first_and_never_what_is_in_use(
    objects: ObjectStore, origin: CountingOrigin, tmp_path: Path
) -> None:
    old, used, new = [await put(objects, letter * 400) for letter in (b"a", b"b", b"c")]
    cache = DiskCache(tmp_path, origin, 1000)
    async with cache.borrow([old]):
        pass
    async with cache.borrow([used]):
        async with cache.borrow([new]):
            pass
        kept = {path.name for path in files_in(tmp_path)}
    assert kept == {used, new}


async def test_what_is_being_fetched_counts_and_is_not_evicted(
    objects: ObjectStore, origin: CountingOrigin, tmp_path: Path
) -> None:
    old, new = [await put(objects, letter * 400) for letter in (b"a", b"b")]
    cache = DiskCache(tmp_path, origin, 1000)
    async with cache.borrow([old]):
        pass
    unfinished = tmp_path / "00" / ".half.fetched"
    unfinished.parent.mkdir(exist_ok=True)
    unfinished.write_bytes(b"c" * 400)
    async with cache.borrow([new]):
        assert {path.name for path in files_in(tmp_path)} == {new, unfinished.name}


async def test_one_worker_owns_a_home_and_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    half, made, making = tmp_path / "data/00/.half", tmp_path / "data/00/00", tmp_path / "programs/.making-1"
    for path in (half, made):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    making.mkdir(parents=True)
    async with owned(tmp_path):
        with pytest.raises(HomeInUseError):
            await owned(tmp_path, patience=0).__aenter__()
        assert (half.exists(), made.exists(), making.exists()) == (False, True, True)
    os.utime(making, (0, 0))
    async with owned(tmp_path):
        assert not making.exists()


@pytest.mark.parametrize("stored", [None, b"something else"])
async def test_what_is_missing_or_not_what_its_name_says_is_a_failure_of_the_store(
    objects: ObjectStore, origin: CountingOrigin, tmp_path: Path, stored: bytes | None
) -> None:
    if stored is not None:
        await objects.put(PREFIX + hash_of(b"input"), stored)
    with pytest.raises(StoreFailedError):
        async with DiskCache(tmp_path, origin, 1000).borrow([hash_of(b"input")]):
            pass
    assert files_in(tmp_path) == []


@pytest.fixture(params=["memory", "postgres"])
async def judge_cache(request: pytest.FixtureRequest, postgres_url: str) -> AsyncIterator[JudgeCache]:
    if request.param == "memory":
        yield MemoryJudgeCache()
        return
    await asyncio.to_thread(upgrade, postgres_url, "judgement")
    async with Database(postgres_url) as database:
        yield PostgresJudgeCache(database)


def a_judgement(verdict: Verdict = Verdict.ACCEPTED) -> Judgement:
    return Judgement(id=JudgementId(UUID(int=1)), key=KEY, result=a_result(verdict), judged_at=NOW)


async def test_a_stored_result_comes_back_as_it_was(judge_cache: JudgeCache) -> None:
    assert await judge_cache.find(KEY) is None
    await judge_cache.store(a_judgement())
    assert await judge_cache.find(KEY) == a_result()


async def test_the_first_of_two_results_stays(judge_cache: JudgeCache) -> None:
    await judge_cache.store(a_judgement(Verdict.WRONG_ANSWER))
    await judge_cache.store(a_judgement(Verdict.ACCEPTED))
    assert await judge_cache.find(KEY) == a_result(Verdict.WRONG_ANSWER)


async def test_a_fresh_result_stands_instead_of_the_first(judge_cache: JudgeCache) -> None:
    await judge_cache.store(a_judgement(Verdict.WRONG_ANSWER))
    await judge_cache.store(a_judgement(Verdict.ACCEPTED), instead=True)
    assert await judge_cache.find(KEY) == a_result(Verdict.ACCEPTED)


@pytest.mark.parametrize(
    "changed",
    [
        lambda: JudgementKey(RevisionRef(QUESTION, 2), KEY.language, KEY.toolchain, KEY.code),
        lambda: JudgementKey(KEY.revision, language_slug("cpp20"), KEY.toolchain, KEY.code),
        lambda: JudgementKey(KEY.revision, KEY.language, "13", KEY.code),
        lambda: JudgementKey(KEY.revision, KEY.language, KEY.toolchain, hash_of(b"other")),
    ],
)
async def test_another_revision_language_toolchain_or_code_is_another_entry(
    judge_cache: JudgeCache, changed: Callable[[], JudgementKey]
) -> None:
    await judge_cache.store(a_judgement())
    assert await judge_cache.find(changed()) is None


async def test_what_was_judged_long_ago_is_forgotten(postgres_url: str) -> None:
    await asyncio.to_thread(upgrade, postgres_url, "judgement")
    async with Database(postgres_url) as database:
        cache = PostgresJudgeCache(database, lambda: NOW + timedelta(days=1))
        for number in range(1, 26):
            key = replace(KEY, toolchain=str(number))
            judged_at = NOW if number % 5 else NOW - timedelta(seconds=1)
            await cache.store(replace(a_judgement(), key=key, judged_at=judged_at))
        assert await cache.purge(timedelta(days=1), batch=2) == 5
        assert await cache.purge(timedelta(days=1)) == 0
        assert await cache.find(replace(KEY, toolchain="5")) is None
        assert await cache.find(replace(KEY, toolchain="6")) == a_result()


async def test_a_hit_returns_the_stored_bytes(postgres_url: str) -> None:
    await asyncio.to_thread(upgrade, postgres_url, "judgement")
    async with Database(postgres_url) as database:
        cache = PostgresJudgeCache(database)
        await cache.store(a_judgement())
        with psycopg.connect(postgres_url) as connection:
            stored = connection.execute("SELECT result FROM judgement.judgements").fetchone()
        await cache.store(Judgement(id=JudgementId(UUID(int=2)), key=KEY, result=a_result(), judged_at=NOW))
        with psycopg.connect(postgres_url) as connection:
            assert connection.execute("SELECT result FROM judgement.judgements").fetchone() == stored
