"""The rules of the caches: one call for many, never longer than allowed, never across a revision."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from apps.bff.tests.fakes import ToldServices, a_problem
from deepoj_bff.outbound.answer_cache import AnswerCache, Lifetimes
from deepoj_bff.queries.problems import ProblemSearch, ReadProblems
from deepoj_bff.queries.projections.revisions import Revisions
from deepoj_bff.queries.services import Page
from deepoj_bff.queries.views.base import PageInfo
from deepoj_bff.queries.views.problem import ListedProblems
from deepoj_kit.testing.conditions import eventually

LIFETIMES = Lifetimes(fresh=10.0, stale=20.0, negative=2.0)
PROBLEM = "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11"


@dataclass
class Source:
    """Answers with its version, when it is let."""

    version: int = 1
    calls: int = 0
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    missing: bool = False

    def __post_init__(self) -> None:
        self.gate.set()

    async def load(self) -> bytes | None:
        self.calls += 1
        read = self.version
        await self.gate.wait()
        return None if self.missing else str(read).encode()


@dataclass
class SharedMemory:
    kept: dict[str, bytes] = field(default_factory=dict)

    async def get(self, key: str) -> bytes | None:
        return self.kept.get(key)

    async def put(self, key: str, value: bytes, seconds: float) -> None:
        assert seconds == LIFETIMES.fresh
        self.kept[key] = value


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def seen() -> list[str]:
    return []


@pytest.fixture
def make(clock: Clock, seen: list[str]) -> Callable[..., AnswerCache]:
    def made(shared: SharedMemory | None = None, most: int = 100) -> AnswerCache:
        return AnswerCache(LIFETIMES, shared, seen.append, most=most, now=clock)

    return made


async def test_many_who_ask_at_once_cost_one_call(make: Callable[..., AnswerCache]) -> None:
    source, cache = Source(), make()
    source.gate.clear()
    asking = [asyncio.create_task(cache.get("k", source.load)) for _ in range(20)]
    await eventually(lambda: source.calls == 1)
    asking[0].cancel()
    source.gate.set()
    answers = await asyncio.gather(*asking[1:])
    assert source.calls == 1
    assert {answer.body for answer in answers} == {b"1"}


async def test_an_old_answer_is_given_while_a_new_one_is_fetched(
    make: Callable[..., AnswerCache], clock: Clock
) -> None:
    source, cache = Source(), make()
    await cache.get("k", source.load)
    source.version, clock.now = 2, 15.0
    assert (await cache.get("k", source.load)).body == b"1"

    async def renewed() -> bool:
        return (await cache.get("k", source.load)).body == b"2"

    await eventually(renewed)
    assert source.calls == 2


async def test_too_old_an_answer_is_not_given(make: Callable[..., AnswerCache], clock: Clock) -> None:
    source, cache = Source(), make()
    await cache.get("k", source.load)
    source.version, clock.now = 2, 31.0
    assert (await cache.get("k", source.load)).body == b"2"


async def test_that_there_is_none_is_believed_for_a_moment(
    make: Callable[..., AnswerCache], clock: Clock
) -> None:
    source, shared = Source(missing=True), SharedMemory()
    cache = make(shared)
    assert (await cache.get("k", source.load)).body is None
    assert (await cache.get("k", source.load)).body is None
    clock.now = 2.5
    source.missing = False
    assert (await cache.get("k", source.load)).body == b"1"
    assert (source.calls, shared.kept) == (2, {"k": b"1"})


async def test_a_failure_reaches_all_who_wait_and_is_not_kept(make: Callable[..., AnswerCache]) -> None:
    cache, source = make(), Source()

    async def fail() -> bytes | None:
        raise OSError("away")

    for _ in range(2):
        with pytest.raises(OSError, match="away"):
            await cache.get("k", fail)
    assert (await cache.get("k", source.load)).body == b"1"


async def test_a_second_process_takes_what_the_first_has_fetched(
    make: Callable[..., AnswerCache], seen: list[str]
) -> None:
    source, shared = Source(), SharedMemory()
    first = await make(shared).get("k", source.load)
    second = await make(shared).get("k", source.load)
    assert (first.etag, source.calls, seen) == (second.etag, 1, ["miss", "shared"])


async def test_unsure_of_the_revision_nothing_is_shared_and_nothing_believed_for_long(
    make: Callable[..., AnswerCache], clock: Clock
) -> None:
    source, shared = Source(), SharedMemory({"k": b"of before"})
    cache = make(shared)
    assert (await cache.get("k", source.load, unsure=True)).body == b"1"
    source.version, clock.now = 2, 2.5
    assert (await cache.get("k", source.load, unsure=True)).body == b"2"
    assert shared.kept == {"k": b"of before"}


async def test_an_answer_on_its_way_when_it_was_dropped_is_not_kept(make: Callable[..., AnswerCache]) -> None:
    source, cache = Source(), make()
    source.gate.clear()
    early = asyncio.create_task(cache.get("k", source.load))
    await eventually(lambda: source.calls == 1)
    cache.drop("k")
    source.version = 2
    late = asyncio.create_task(cache.get("k", source.load))
    await eventually(lambda: source.calls == 2)
    source.gate.set()
    assert [answer.body for answer in await asyncio.gather(early, late)] == [b"1", b"2"]
    assert (await cache.get("k", source.load)).body == b"2"


async def test_the_number_of_answers_kept_is_bounded(make: Callable[..., AnswerCache]) -> None:
    source, cache = Source(), make(most=2)
    for key in ("a", "b", "c", "a"):
        await cache.get(key, source.load)
    assert source.calls == 4


def test_a_change_gives_a_problem_a_new_revision_by_id_and_by_slug() -> None:
    revisions = Revisions()
    revisions.learn("sum", PROBLEM)
    before = (revisions.of(PROBLEM), revisions.of("sum"), revisions.of("unknown"))
    revisions.bump(PROBLEM, "5-0")
    assert before == ("0", "0", "0")
    assert (revisions.of(PROBLEM), revisions.of("sum"), revisions.catalogue) == ("5-0", "5-0", "5-0")
    assert revisions.of("unknown") == "5-0"
    revisions.bump("019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a12", "6-0")
    assert (revisions.of(PROBLEM), revisions.catalogue) == ("5-0", "6-0")


@pytest.fixture
def shared() -> SharedMemory:
    return SharedMemory()


FIRST_PAGE = ProblemSearch(page=Page(50, None))


@pytest.fixture
def pages(make: Callable[..., AnswerCache], shared: SharedMemory) -> ReadProblems:
    services, revisions = ToldServices(), Revisions()
    services.answers["question", "Get"] = a_problem("sum", PROBLEM)
    services.answers["question", "List"] = ListedProblems(questions=[], page=PageInfo())
    revisions.following = True
    return ReadProblems(services, revisions, make(shared), make(shared), make())


async def test_only_pages_that_nobody_made_up_are_shared(pages: ReadProblems, shared: SharedMemory) -> None:
    await pages.page(FIRST_PAGE, None, search=True)
    assert shared.kept == {}
    await pages.page(FIRST_PAGE, None, search=False)
    assert len(shared.kept) == 1


async def test_an_id_is_kept_under_one_spelling_however_it_is_written(
    pages: ReadProblems, shared: SharedMemory
) -> None:
    for written in (PROBLEM, PROBLEM.upper(), PROBLEM.replace("-", ""), f"{{{PROBLEM}}}"):
        await pages.one(written, None)
    assert list(shared.kept) == [f"problem:item:{PROBLEM}#v0"]
