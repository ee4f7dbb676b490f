"""How many submissions of an account are in flight and came today: believed for a second.

What record was given meanwhile is added, so a burst costs one question to record. What several front doors
admit within that second may exceed the in-flight cap by as many.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from cachetools import LRUCache

from deepoj_bff.commands.ports import KnownLoad
from deepoj_domain.admission.facts import AccountLoad
from deepoj_domain.kernel.ids import AccountId
from deepoj_kit.single_flight import SingleFlight


class Record(Protocol):
    async def load(self, account_id: AccountId) -> AccountLoad: ...


@dataclass(slots=True)
class _Question:
    """One question to record, its answer, and how many submissions record was given since it was asked."""

    answer: AccountLoad | None = None
    believed_until: float = float("inf")
    given: int = 0


@dataclass(frozen=True, slots=True)
class _Known:
    question: _Question
    answer: AccountLoad
    was_remembered: bool

    @property
    def is_doubtful(self) -> bool:
        # What record was given while it counted may be counted twice.
        return self.was_remembered or self.question.given > 0

    def with_inside(self, inside: int) -> AccountLoad:
        more = self.question.given + inside
        return AccountLoad(self.answer.in_flight + more, self.answer.submitted_today + more)


class RecentAccountLoads:
    def __init__(
        self,
        record: Record,
        monotonic: Callable[[], float] = time.monotonic,
        believe_seconds: float = 1.0,
        most: int = 10_000,
    ) -> None:
        self._record = record
        self._monotonic = monotonic
        self._believe_seconds = believe_seconds
        self._questions: LRUCache[AccountId, _Question] = LRUCache(most)
        self._flights: SingleFlight[AccountId, AccountLoad] = SingleFlight()

    async def recent(self, account_id: AccountId) -> KnownLoad:
        question = self._questions.get(account_id)
        if question is None or self._monotonic() >= question.believed_until:
            question = _Question()
            self._questions[account_id] = question
            self._flights.forget(account_id)
        if question.answer is not None:
            return _Known(question, question.answer, was_remembered=True)
        asked = question
        answer = await self._flights(account_id, lambda: self._ask(account_id, asked))
        return _Known(question, answer, was_remembered=False)

    async def fresh(self, account_id: AccountId, doubted: KnownLoad) -> KnownLoad:
        if isinstance(doubted, _Known) and self._questions.get(account_id) is doubted.question:
            del self._questions[account_id]
        return await self.recent(account_id)

    def given(self, account_id: AccountId) -> None:
        if (question := self._questions.get(account_id)) is not None:
            question.given += 1

    async def _ask(self, account_id: AccountId, question: _Question) -> AccountLoad:
        try:
            question.answer = await self._record.load(account_id)
        finally:
            if question.answer is None and self._questions.get(account_id) is question:
                del self._questions[account_id]
        question.believed_until = self._monotonic() + self._believe_seconds
        return question.answer
