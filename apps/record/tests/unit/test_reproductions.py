"""A worker that is asked to judge again may answer late, never, or after nobody waits any more."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

import pytest

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import BOB, NOW, ROOT, SUBMISSION, WORKER
from deepoj_record.commands.reproductions import (
    PATIENCE,
    GetReproduction,
    ReproductionAnswer,
    ReproductionId,
    ReproductionRefusal,
    StartReproduction,
)

KEY, SECOND = ReproductionId(UUID(int=7)), timedelta(seconds=1)


class Asked:
    """One order, its worker, and a clock that goes on while somebody waits."""

    def __init__(self) -> None:
        self.now = NOW
        self.asked_at: datetime | None = None
        self.answered: ReproductionAnswer | None = None
        self.get = GetReproduction(self, self.clock, self.pause)
        self.start = StartReproduction(self, self.clock)

    def clock(self) -> datetime:
        return self.now

    async def pause(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    async def add(
        self, key: ReproductionId, submission_id: SubmissionId, worker: WorkerId, now: datetime
    ) -> bool:
        assert (key, submission_id, worker) == (KEY, SUBMISSION, WORKER)
        self.asked_at = self.asked_at or now
        return True

    async def answer(
        self, key: ReproductionId, worker: WorkerId, answer: ReproductionAnswer, now: datetime
    ) -> bool:
        raise NotImplementedError

    async def find(self, key: ReproductionId) -> tuple[datetime, ReproductionAnswer | None] | None:
        assert key == KEY
        return None if self.asked_at is None else (self.asked_at, self.answered)

    async def forget(self, before: datetime) -> None:
        if self.asked_at is not None and self.asked_at < before:
            self.asked_at = None


@pytest.fixture
async def asked() -> Asked:
    found = Asked()
    assert await found.start(ROOT, KEY, SUBMISSION, WORKER) is None
    return found


async def test_who_waits_for_a_worker_that_is_silent_is_told_so_in_the_end_and_not_for_ever(
    asked: Asked,
) -> None:
    looks = 0
    while (said := await asked.get(ROOT, KEY)) is None:
        assert timedelta(0) < asked.now - NOW <= PATIENCE + 5 * SECOND, "each look waits, and none for long"
        looks += 1
    assert said == ReproductionAnswer(problem="the worker has not answered in time")
    assert looks > 100


async def test_what_comes_late_is_still_told_to_whoever_asks(asked: Asked) -> None:
    asked.now += PATIENCE + SECOND
    asked.answered = ReproductionAnswer(problem="no compiler")
    assert await asked.get(ROOT, KEY) == asked.answered


async def test_an_order_that_was_forgotten_ends_the_waiting(asked: Asked) -> None:
    asked.now += timedelta(hours=2)
    await asked.forget(asked.now - timedelta(hours=1))
    assert await asked.get(ROOT, KEY) == Refused(ReproductionRefusal.NOT_FOUND)
    assert await asked.get(Actor(BOB, Role.SETTER), KEY) == Refused(ReproductionRefusal.NOT_ALLOWED)
