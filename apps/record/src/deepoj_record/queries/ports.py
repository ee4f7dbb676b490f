"""What the queries need from outside, sized to what they call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Protocol

from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, RejudgeId, SubmissionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.paging import Page, PageRequest
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.rejudge_batch import BatchStatus
from deepoj_domain.submission.route import Lane, Route
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.visibility import GameRules, QuestionRules, SealedGames
from deepoj_record.queries.views import SubmissionView

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Scope:
    """What is counted: one game; or practice, and of the games all but those that are sealed."""

    game_id: GameId | None = None
    sealed: SealedGames | None = None
    """None: no game at all."""
    hidden: frozenset[QuestionId] = frozenset()
    """Questions that are not counted."""


@dataclass(frozen=True, slots=True)
class Restriction:
    """What a list leaves out before it is cut into pages: a cursor tells of nothing that is not shown."""

    account_id: AccountId
    """Who looks."""
    others_in_games: bool = True
    """Leave out what others sent to games."""
    own_in_games: bool = True
    """Keep what one has sent there oneself."""
    questions: frozenset[QuestionId] | None = frozenset()
    """Leave out what others sent to these outside games; None: to any."""
    people: frozenset[tuple[GameId, AccountId]] = frozenset()
    """Leave out what these sent to these games."""


class SubmissionReader(Protocol):
    async def get(self, submission_id: SubmissionId, *, head: bool = False) -> SubmissionView | None:
        """Return it, or with `head` the one that speaks for its chain."""
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
        restriction: Restriction | None,
    ) -> Page[SubmissionView]: ...

    async def best(
        self, account_id: AccountId, question_id: QuestionId, scope: Scope
    ) -> SubmissionView | None: ...


class Games(Protocol):
    async def rules(self, game_id: GameId, actor: Actor | None) -> GameRules | None:
        """Return what the actor sees there, a few seconds old at most; None: no such game, or no answer."""
        ...


class Seals(Protocol):
    async def sealed(self) -> SealedGames | None:
        """None: nobody knows, so leave out all games."""
        ...


class Questions(Protocol):
    async def rules(self, question_id: QuestionId, actor: Actor) -> QuestionRules:
        """Return what the actor may know, a few seconds old at most; nothing when there is no answer."""
        ...

    async def hidden(self, actor: Actor | None) -> frozenset[QuestionId] | None:
        """Return the questions that this contestant or setter may not read; None: nobody knows."""
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
    outbox_oldest_wait: timedelta | None


class Queues(Protocol):
    async def ahead_of(self, view: SubmissionView) -> int:
        """Count those that wait before it in the same queue."""
        ...

    async def pace(self, lane: Lane, now: datetime) -> timedelta | None:
        """How long one submission of the lane takes after the other, of late; None when none was judged."""
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

    async def by_revision(self, question_id: QuestionId, scope: Scope) -> Sequence[RevisionCount]:
        """Count what has a verdict."""
        ...

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


class Fate(StrEnum):
    """What applying a rejudge does to one of its submissions, or did."""

    OPEN = "open"
    """It would be applied, if it gets a verdict."""
    APPLIED = "applied"
    DROPPED = "dropped"
    """The old one stays: this one has no verdict, was discarded, or another rejudge was applied first."""


@dataclass(frozen=True, slots=True)
class EffectView:
    old_id: SubmissionId
    new_id: SubmissionId
    submitted_at: datetime
    old_verdict: Verdict | None
    old_score: Score | None
    new_verdict: Verdict | None
    new_score: Score | None
    groups: tuple[GroupScore, ...]
    """What each subtask earns."""
    fate: Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    status: BatchStatus
    selected: int
    submissions: int
    """Grows up to `selected` while the rejudge is being opened."""
    judged: int
    failed: int
    """Ended without a verdict."""
    changed: int
    """Whose verdict or score becomes another by applying it, or became."""
    applied: int
    dropped: int
    selection: Selection


@dataclass(frozen=True, slots=True)
class VerdictChange:
    old_verdict: Verdict | None
    new_verdict: Verdict
    submissions: int


@dataclass(frozen=True, slots=True)
class GameCount:
    game_id: GameId
    submissions: int


@dataclass(frozen=True, slots=True)
class RevisionCount:
    question_id: QuestionId
    revision: int
    submissions: int


@dataclass(frozen=True, slots=True)
class RejudgeSize:
    submissions: int
    revisions: Sequence[RevisionCount]
    """What they were judged by, the most numerous first; not all when they are very many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetterGroup:
    """Dead submissions that wait for somebody, and died of the same."""

    group: str
    cause: str
    last_error: str
    """Of the last one."""
    submissions: int
    first_died_at: datetime
    last_died_at: datetime
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    submission_id: SubmissionId
    cause: str
    last_error: str
    attempts: int
    died_at: datetime
    replayed_as: SubmissionId | None
    replayed_status: Status | None
    replay_of: SubmissionId | None
    game_id: GameId | None
    account_id: AccountId
    question_id: QuestionId
    language: LanguageSlug


class RejudgeReader(Protocol):
    async def progress(self, rejudge_id: RejudgeId) -> Progress | None: ...

    async def matrix(self, rejudge_id: RejudgeId) -> Sequence[VerdictChange]: ...

    async def games(self, rejudge_id: RejudgeId) -> Sequence[GameCount]:
        """Count its submissions by the game they were sent to, the most first; not all when very many."""
        ...

    async def size_of(self, selection: Selection) -> RejudgeSize:
        """Count what a rejudge of the selection would judge again."""
        ...

    async def effects(self, rejudge_id: RejudgeId, page: PageRequest) -> Page[EffectView]: ...

    async def list(self, game_id: GameId | None, page: PageRequest) -> Page[RejudgeView]:
        """Return all, or those of submissions to one game; the latest first."""
        ...

    async def dead_letters(self, group: str, page: PageRequest) -> Page[DeadLetter]:
        """Return all, the replayed ones too; of a group, those that wait for somebody."""
        ...

    async def dead_letter_groups(self) -> Sequence[DeadLetterGroup]: ...


@dataclass(frozen=True, slots=True)
class Sample:
    input: ContentHash
    answer: ContentHash


class Samples(Protocol):
    async def of(self, revision: RevisionRef) -> dict[str, Sample]:
        """Return those cases of a revision that are samples, by name; none when nobody can say."""
        ...
