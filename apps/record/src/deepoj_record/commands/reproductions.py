"""A judgement that a named worker is asked to make again, apart from all that counts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NewType, Protocol
from uuid import UUID

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import is_staff
from deepoj_record.commands.ports import Clock

ReproductionId = NewType("ReproductionId", UUID)
_log = logging.getLogger(__name__)
# As long as a judgement may take: nobody waits for an answer that comes later.
PATIENCE: Final = timedelta(minutes=10)
_KEPT: Final = timedelta(hours=1)
# With room for the rest of a message of 4 MiB.
_LARGEST: Final = 4_000_000
_LOOKS: Final = 10
_PAUSE_SECONDS: Final = 0.3


class ReproductionRefusal(StrEnum):
    NOT_ALLOWED = "not_allowed"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproductionAnswer:
    """Documents of the judge, or why there are none."""

    result: bytes = b""
    manifest: bytes = b""
    problem: str = ""


class Reproductions(Protocol):
    async def add(
        self, key: ReproductionId, submission_id: SubmissionId, worker: WorkerId, now: datetime
    ) -> bool:
        """Store the order unless it is there; return whether there is such a submission."""
        ...

    async def answer(
        self, key: ReproductionId, worker: WorkerId, answer: ReproductionAnswer, now: datetime
    ) -> bool:
        """Keep the first answer of the worker that was asked; return whether this was it."""
        ...

    async def find(self, key: ReproductionId) -> tuple[datetime, ReproductionAnswer | None] | None:
        """Return when it was asked for and what was answered."""
        ...

    async def forget(self, before: datetime) -> None: ...


class StartReproduction:
    def __init__(self, reproductions: Reproductions, clock: Clock) -> None:
        self._reproductions = reproductions
        self._clock = clock

    async def __call__(
        self, actor: Actor | None, key: ReproductionId, submission_id: SubmissionId, worker: WorkerId
    ) -> Refused[ReproductionRefusal] | None:
        if not is_staff(actor):
            return Refused(ReproductionRefusal.NOT_ALLOWED)
        now = self._clock()
        await self._reproductions.forget(now - _KEPT)
        known = await self._reproductions.add(key, submission_id, worker, now)
        return None if known else Refused(ReproductionRefusal.NOT_FOUND)


class GetReproduction:
    """Waits a few seconds for the answer, so that whoever waits for it need not ask all the time."""

    def __init__(
        self,
        reproductions: Reproductions,
        clock: Clock,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._reproductions = reproductions
        self._clock = clock
        self._pause = pause

    async def __call__(
        self, actor: Actor | None, key: ReproductionId
    ) -> ReproductionAnswer | Refused[ReproductionRefusal] | None:
        if not is_staff(actor):
            return Refused(ReproductionRefusal.NOT_ALLOWED)
        for _ in range(_LOOKS):
            found = await self._reproductions.find(key)
            if found is None:
                return Refused(ReproductionRefusal.NOT_FOUND)
            asked_at, answer = found
            if answer is not None:
                return answer
            if self._clock() - asked_at > PATIENCE:
                return ReproductionAnswer(problem="the worker has not answered in time")
            await self._pause(_PAUSE_SECONDS)
        return None


class AnswerReproduction:
    def __init__(self, reproductions: Reproductions, clock: Clock) -> None:
        self._reproductions = reproductions
        self._clock = clock

    async def __call__(self, worker: WorkerId, key: ReproductionId, answer: ReproductionAnswer) -> None:
        if len(answer.result) + len(answer.manifest) + len(answer.problem) > _LARGEST:
            raise InvalidValueError("answer_too_large", f"an answer has {_LARGEST} bytes at most")
        if not await self._reproductions.answer(key, worker, answer, self._clock()):
            _log.warning("%s answers what it was not asked, or again: %s", worker, key)
