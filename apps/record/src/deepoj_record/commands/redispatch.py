"""The watchdog's sweep: what waits for a message that is gone, or for a lost worker, gets a new message.

Any number of processes may sweep at the same time: each write names what it was decided on, so the second of
two finds `not_overdue`. A job that merely waits in a long queue is left alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.queue import redispatch
from deepoj_domain.submission.route import Lane
from deepoj_domain.submission.states import Dead
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
from deepoj_record.commands.claim import JudgingPolicy
from deepoj_record.commands.ports import Clock, Step
from deepoj_record.commands.transition import Transition


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """Where the latest queue message of a submission is."""

    submission_id: SubmissionId
    since: datetime
    lane: Lane
    attempt_id: int
    handed_back: int
    in_outbox: bool
    """Not sent yet, however late: it will be."""
    stream: str | None
    entry_id: str | None
    """Where it was put; without a place it is lost."""


class Overdue(Protocol):
    """Pages of what is late, oldest first."""

    async def waiting(self, before: datetime, after: QueuedMessage | None) -> list[QueuedMessage]:
        """Return PENDING and DISPATCHED whose message was due earlier."""
        ...

    async def expired(self, before: datetime, after: QueuedMessage | None) -> list[QueuedMessage]:
        """Return RUNNING whose lease ended earlier."""
        ...


class Queue(Protocol):
    async def missing(self, messages: Sequence[QueuedMessage]) -> set[SubmissionId]:
        """Return those whose message no worker has and none will get."""
        ...


@dataclass(frozen=True, slots=True)
class Swept:
    requeued: int = 0
    buried: int = 0

    def __add__(self, other: Swept) -> Swept:
        return Swept(self.requeued + other.requeued, self.buried + other.buried)


class Redispatch:
    def __init__(
        self,
        transition: Transition,
        overdue: Overdue,
        queue: Queue,
        policy: JudgingPolicy,
        clock: Clock,
        *,
        patience: timedelta,
    ) -> None:
        self._transition = transition
        self._overdue = overdue
        self._queue = queue
        self._policy = policy
        self._clock = clock
        self._patience = patience

    async def __call__(self) -> Swept:
        now = self._clock()
        swept = Swept()
        async for page in _pages(self._overdue.expired, now - self._policy.terms.grace):
            # With no attempt left a job is dead, whether or not its message still exists.
            spent = {each.submission_id for each in page if self._is_spent(each)}
            swept += await self._sweep(spent, now)
            swept += await self._sweep_missing([each for each in page if not self._is_spent(each)], now)
        async for page in _pages(self._overdue.waiting, now - self._patience):
            swept += await self._sweep_missing(page, now)
        return swept

    def _is_spent(self, message: QueuedMessage) -> bool:
        retry = self._policy.retries.for_lane(message.lane)
        return not retry.allows_another(message.attempt_id, message.handed_back)

    async def _sweep_missing(self, messages: Sequence[QueuedMessage], now: datetime) -> Swept:
        sent = [message for message in messages if not message.in_outbox]
        return await self._sweep(await self._queue.missing(sent), now) if sent else Swept()

    async def _sweep(self, ids: Iterable[SubmissionId], now: datetime) -> Swept:
        def move(submission: Submission) -> SubmissionOutcome:
            retry = self._policy.retries.for_lane(submission.route.lane)
            return redispatch(submission, self._policy.terms, retry, self._patience, now)

        outcomes = await self._transition(Step.REDISPATCH, dict.fromkeys(ids, move), now)
        changed = [outcome.after for outcome in outcomes.values() if isinstance(outcome, Changed)]
        buried = sum(isinstance(after.state, Dead) for after in changed)
        return Swept(len(changed) - buried, buried)


Page = Callable[[datetime, QueuedMessage | None], Awaitable[list[QueuedMessage]]]


async def _pages(read: Page, before: datetime) -> AsyncIterator[list[QueuedMessage]]:
    last: QueuedMessage | None = None
    while page := await read(before, last):
        yield page
        last = page[-1]
