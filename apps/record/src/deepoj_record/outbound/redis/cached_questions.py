"""What question answered, believed until question tells of a change: its stream is read before every use."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from redis.asyncio import Redis

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.question.events import QuestionChanged
from deepoj_kit.batching import Batched
from deepoj_kit.streams import EventCodec
from deepoj_kit.streams.codec import NotForUs, Undecodable, decode_text
from deepoj_kit.streams.commands import Entry, newest_id, read_after
from deepoj_kit.unavailable import Unavailable
from deepoj_record.commands.ports import Catalogue, Clock, QuestionFacts

_log = logging.getLogger(__name__)
# A stream that was lost or cut may have held news.
_KEEP: Final = timedelta(minutes=1)
_MOST_KEPT: Final = 10_000
# Redis is not needed to submit: whoever cannot look asks question.
_PATIENCE: Final = 0.25
_LOOK_AGAIN: Final = timedelta(seconds=1)

_Key = tuple[QuestionId, bool, Actor | None]


@dataclass(frozen=True, slots=True)
class _Kept:
    facts: QuestionFacts
    until: datetime


class AskedCatalogue(Catalogue, Protocol):
    def begin_anew(self) -> None:
        """Answer nobody from now on with what was asked before."""
        ...


class CachedQuestions:
    """Question writes its events before it answers whoever changed something (docs/adr/0096)."""

    def __init__(self, asked: AskedCatalogue, redis: Redis, stream: str, clock: Clock) -> None:
        self._asked = asked
        self._redis = redis
        self._stream = stream
        self._clock = clock
        self._kept: dict[_Key, _Kept] = {}
        self._read_until: str | None = None
        self._news = 0
        self._away_until: datetime | None = None
        # Those who come while a look is under way share the next one.
        self._look = Batched(self._look_for)

    async def newest(self, question_id: QuestionId, actor: Actor, *, vouched: bool) -> QuestionFacts | None:
        if not await self._look(None):
            return await self._asked.newest(question_id, actor, vouched=vouched)
        is_anybody = vouched or actor.role is Role.CONTESTANT
        key = (question_id, vouched, None if is_anybody else actor)
        kept = self._kept.get(key)
        if kept is not None and kept.until > self._clock():
            return kept.facts
        news = self._news
        facts = await self._asked.newest(question_id, actor, vouched=vouched)
        # What was told meanwhile may be newer than this answer.
        if facts is not None and news == self._news:
            self._keep(key, facts)
        return facts

    def _keep(self, key: _Key, facts: QuestionFacts) -> None:
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[key] = _Kept(facts, self._clock() + _KEEP)

    async def _look_for(self, waiting: Sequence[None]) -> list[bool]:
        return [await self._is_current()] * len(waiting)

    async def _is_current(self) -> bool:
        """Read the news; return whether what is still kept may be believed."""
        if self._away_until is not None and self._clock() < self._away_until:
            return False
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._read_news()
        except (Unavailable, TimeoutError) as error:
            _log.warning("question is asked for every submission, its events cannot be read: %s", error)
            self._forget()
            self._read_until = None
            self._away_until = self._clock() + _LOOK_AGAIN
            return False
        self._away_until = None
        return True

    async def _read_news(self) -> None:
        if self._read_until is None:
            self._read_until = await newest_id(self._redis, self._stream)
        while entries := await read_after(self._redis, self._stream, self._read_until):
            self._read_until = entries[-1].id
            for entry in entries:
                self._learn(entry)

    def _learn(self, entry: Entry) -> None:
        try:
            changed = _CODEC.decode(decode_text(entry.fields)).revision.question_id
        except (NotForUs, Undecodable) as error:
            _log.warning("event %s of %s cannot be read: %s", entry.id, entry.stream, error)
            self._forget()
            return
        self._hear()
        for key in [key for key in self._kept if key[0] == changed]:
            del self._kept[key]

    def _forget(self) -> None:
        self._hear()
        self._kept.clear()

    def _hear(self) -> None:
        self._news += 1
        self._asked.begin_anew()


_CODEC: Final = EventCodec({QuestionChanged.name: QuestionChanged})
