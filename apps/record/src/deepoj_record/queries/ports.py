"""What the queries need from outside, sized to what they call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Protocol

from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, RejudgeId, SubmissionId
from deepoj_domain.kernel.role import Actor
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.rejudge_batch import BatchStatus
from deepoj_domain.submission.routing import Route
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.visibility import GameRules
from deepoj_record.queries.paging import Page, PageRequest
from deepoj_record.queries.views import SubmissionView, Written

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Scope:
    """What is counted: one game; or practice, and of the games all but those that are sealed."""

    game_id: GameId | None = None
    sealed: frozenset[GameId] | None = frozenset()
    """None: no game at all."""


class Submissions(Protocol):
    async def get(self, submission_id: SubmissionId, *, head: bool = False) -> SubmissionView | None:
        """Return it, or with `head` the one that speaks for its chain."""
        ...

    def remembered(self, submission_id: SubmissionId) -> SubmissionView | None:
        """Return what this process wrote of it last, while it is on its way; others may know better."""
        ...

    async def attempts(self, submission_id: SubmissionId) -> tuple[Attempt, ...]: ...

    async def source(self, origin_id: SubmissionId) -> str | None: ...

    async def list(
        self,
        selection: Selection,
        page: PageRequest,
        *,
        ascending: bool,
        with_archived: bool,
        visible_to: AccountId | None,
    ) -> Page[SubmissionView]:
        """`visible_to` leaves out what that account must not see; None leaves out nothing."""
        ...

    async def best(
        self, account_id: AccountId, question_id: QuestionId, scope: Scope
    ) -> SubmissionView | None: ...


class Games(Protocol):
    async def rules(self, game_id: GameId, actor: Actor | None) -> GameRules | None:
        """Return what the actor sees there, a few seconds old at most; None: no such game, or no answer."""
        ...


class SealedGames(Protocol):
    async def sealed(self) -> frozenset[GameId] | None:
        """Return the games that counts have to leave out; None: nobody knows, so leave out all."""
        ...


class Changes(Protocol):
    def of(self, submission_id: SubmissionId) -> AbstractAsyncContextManager[AsyncIterator[Written | None]]:
        """Give hints, from now on, that the submission may have changed; hints may be lost or needless.

        A hint is what was written, when that is known here, or nothing: then it has to be looked up. The
        first two come soon: who begins with what is remembered looks for what others wrote.
        """
        ...


@dataclass(frozen=True, slots=True)
class QueueDepth:
    route: Route
    waiting: int
    oldest_wait: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueState:
    queues: Sequence[QueueDepth]
    running: int
    stalled: int
    dead: int
    outbox_pending: int


class Queues(Protocol):
    async def ahead_of(self, view: SubmissionView) -> int:
        """Count those that wait before it in the same queue."""
        ...

    async def state(self, now: datetime) -> QueueState: ...


@dataclass(frozen=True, slots=True)
class Tally:
    submitted: int
    accepted: int


@dataclass(frozen=True, slots=True)
class AccountLoad:
    in_flight: int
    submitted_today: int


class Counts(Protocol):
    async def passed(self, account_id: AccountId, scope: Scope) -> int: ...

    async def by_question(
        self, question_ids: Sequence[QuestionId], scope: Scope
    ) -> dict[QuestionId, Tally]: ...

    async def by_day(
        self, account_id: AccountId | None, start: datetime, end: datetime, scope: Scope
    ) -> dict[date, Tally]: ...

    async def load(self, account_id: AccountId, midnight: datetime) -> AccountLoad: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RejudgeView:
    id: RejudgeId
    status: BatchStatus
    started_by: AccountId
    started_at: datetime
    reason: str
    submissions: int


@dataclass(frozen=True, slots=True)
class EffectView:
    old_id: SubmissionId
    new_id: SubmissionId
    submitted_at: datetime
    before: tuple[Verdict, Score] | None
    after: tuple[Verdict, Score] | None


@dataclass(frozen=True, slots=True)
class Progress:
    submissions: int
    judged: int
    failed: int
    """Ended without a verdict; applying drops them."""
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    submission_id: SubmissionId
    cause: str
    last_error: str
    attempts: int
    died_at: datetime
    replayed_as: SubmissionId | None


class Rejudges(Protocol):
    async def progress(self, rejudge_id: RejudgeId) -> Progress | None: ...

    async def effects(self, rejudge_id: RejudgeId, page: PageRequest) -> Page[EffectView]: ...

    async def list(self, page: PageRequest) -> Page[RejudgeView]: ...

    async def dead_letters(self, page: PageRequest) -> Page[DeadLetter]: ...
