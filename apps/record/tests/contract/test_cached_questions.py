"""What question answered is believed until it tells of a change, and never without having looked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from redis.asyncio import Redis

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.question.events import QuestionChange, QuestionChanged
from deepoj_domain.testing import ALICE, BOB, QUESTION, uuid
from deepoj_kit.streams import connect
from deepoj_kit.streams.commands import NewEntry, append
from deepoj_kit.testing.conditions import ManualClock, eventually
from deepoj_record.commands.ports import QuestionFacts
from deepoj_record.outbound.redis.cached_questions import CachedQuestions

OTHER_QUESTION = QuestionId(uuid(77))
ALICE_ACTS, BOB_ACTS = Actor(ALICE, Role.CONTESTANT), Actor(BOB, Role.CONTESTANT)


@dataclass
class Asked:
    """Question itself: counts what it is asked, may take its time, and lets those share who ask meanwhile."""

    revision: int = 1
    calls: list[tuple[QuestionId, Actor, bool]] = field(default_factory=list)
    answering: asyncio.Event = field(default_factory=asyncio.Event)
    under_way: dict[tuple[QuestionId, Actor, bool], asyncio.Task[QuestionFacts]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.answering.set()

    async def newest(self, question_id: QuestionId, actor: Actor, *, vouched: bool) -> QuestionFacts | None:
        key = (question_id, actor, vouched)
        call = self.under_way.get(key)
        if call is None or call.done():
            call = self.under_way[key] = asyncio.create_task(self._answer(key))
        return await call

    def begin_anew(self) -> None:
        self.under_way = {}

    async def _answer(self, key: tuple[QuestionId, Actor, bool]) -> QuestionFacts:
        self.calls.append(key)
        revision = RevisionRef(key[0], self.revision)
        await self.answering.wait()
        return QuestionFacts(revision=revision, languages=frozenset(), source_bytes=None)


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with connect(redis_url) as redis:
        yield redis


@pytest.fixture
def stream(key_prefix: str) -> str:
    return f"{key_prefix}events:question"


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def catalogue(asked: Asked, redis: Redis, stream: str, clock: ManualClock) -> CachedQuestions:
    return CachedQuestions(asked, redis, stream, clock)


async def tell(redis: Redis, stream: str, question_id: QuestionId) -> None:
    now = datetime.now(UTC)
    event = QuestionChanged(
        occurred_at=now, revision=RevisionRef(question_id, 2), version=2, change=QuestionChange.REVISED
    )
    fields = {"type": event.name, "data": msgspec.json.encode(event).decode()}
    await append(redis, [NewEntry(stream, fields)], now)


async def revision(catalogue: CachedQuestions, actor: Actor = ALICE_ACTS, *, vouched: bool = False) -> int:
    found = await catalogue.newest(QUESTION, actor, vouched=vouched)
    assert found is not None
    return found.revision.number


async def test_a_second_contestant_is_answered_from_memory(catalogue: CachedQuestions, asked: Asked) -> None:
    assert [await revision(catalogue, actor) for actor in (ALICE_ACTS, BOB_ACTS)] == [1, 1]
    assert len(asked.calls) == 1


async def test_whoever_may_see_more_is_asked_for_by_themselves(
    catalogue: CachedQuestions, asked: Asked
) -> None:
    actors = [ALICE_ACTS, Actor(ALICE, Role.SETTER), Actor(BOB, Role.SETTER)]
    for actor in (*actors, *actors):
        await revision(catalogue, actor)
    await revision(catalogue, vouched=True)
    assert [actor for _, actor, _ in asked.calls] == [*actors, ALICE_ACTS]


async def test_a_change_that_was_told_is_met_by_the_next_who_asks(
    catalogue: CachedQuestions, asked: Asked, redis: Redis, stream: str
) -> None:
    await revision(catalogue)
    await catalogue.newest(OTHER_QUESTION, ALICE_ACTS, vouched=False)
    asked.revision = 2
    await tell(redis, stream, QUESTION)
    assert await revision(catalogue) == 2
    await catalogue.newest(OTHER_QUESTION, ALICE_ACTS, vouched=False)
    assert [question for question, _, _ in asked.calls] == [QUESTION, OTHER_QUESTION, QUESTION]


async def test_an_answer_that_a_change_has_overtaken_is_not_kept(
    catalogue: CachedQuestions, asked: Asked, redis: Redis, stream: str
) -> None:
    await revision(catalogue)
    await tell(redis, stream, QUESTION)
    asked.answering.clear()
    slow = asyncio.create_task(revision(catalogue))
    await eventually(lambda: len(asked.calls) == 2)
    asked.revision = 2
    await tell(redis, stream, QUESTION)
    fast = asyncio.create_task(revision(catalogue))
    await eventually(lambda: len(asked.calls) == 3)
    asked.answering.set()
    assert (await slow, await fast) == (1, 2)
    assert await revision(catalogue) == 2


async def test_an_event_that_cannot_be_read_makes_it_forget_everything(
    catalogue: CachedQuestions, asked: Asked, redis: Redis, stream: str
) -> None:
    await revision(catalogue)
    asked.revision = 2
    await append(redis, [NewEntry(stream, {"type": "question.changed.v1", "data": "?"})], datetime.now(UTC))
    assert await revision(catalogue) == 2


async def test_nothing_is_believed_longer_than_a_minute(
    catalogue: CachedQuestions, asked: Asked, clock: ManualClock
) -> None:
    await revision(catalogue)
    clock.advance(seconds=59)
    await revision(catalogue)
    clock.advance(seconds=1)
    await revision(catalogue)
    assert len(asked.calls) == 2


async def test_without_redis_everybody_asks_question(
    asked: Asked, stream: str, clock: ManualClock, private_home: Path
) -> None:
    async with connect(f"unix://{private_home}/nobody.sock") as away:
        catalogue = CachedQuestions(asked, away, stream, clock)
        assert [await revision(catalogue) for _ in range(3)] == [1, 1, 1]
    assert len(asked.calls) == 3
