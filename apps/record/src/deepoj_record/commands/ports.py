"""What the commands need from outside, sized to what they call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.outcome import DomainEvent, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.route import Lane
from deepoj_domain.submission.submission import Submission
from deepoj_domain.submission.submit import IdempotencyKey, SourceCode

Clock = Callable[[], datetime]


class ContendedError(Exception):
    """Others kept changing some of the rows, and those were not written; the same call may succeed later."""


@dataclass(frozen=True, slots=True)
class Stored:
    submission: Submission
    version: int
    """Grows with every write, so that a write on what was read can tell that it is no longer so."""
    traceparent: str = ""
    """The trace of the request that submitted it."""


@dataclass(frozen=True, slots=True)
class Write:
    """`before` becomes `after`, unless anything has happened to `before` since it was read."""

    before: Stored
    after: Submission
    events: tuple[DomainEvent, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSubmission:
    submission: Submission
    source: SourceCode
    key: IdempotencyKey
    fingerprint: ContentHash
    events: tuple[DomainEvent, ...]


@dataclass(frozen=True, slots=True)
class KeyTaken:
    by: SubmissionId
    fingerprint: ContentHash


class IdTaken:
    """The submission id belongs to another submission."""


@dataclass(frozen=True, slots=True)
class Payload:
    """What a worker needs to begin. None of it ever changes."""

    source: str = field(repr=False)
    traceparent: str


class Submissions(Protocol):
    """The repository of the aggregate."""

    async def add(self, new: NewSubmission) -> KeyTaken | IdTaken | None:
        """Store submission, source and events in one transaction; None when they were new."""
        ...

    async def holder(self, owner: AccountId, key: IdempotencyKey) -> KeyTaken | None: ...

    async def load(self, ids: Sequence[SubmissionId]) -> dict[SubmissionId, Stored]: ...

    async def write(self, writes: Sequence[Write]) -> set[SubmissionId]:
        """Write each on its own, with its events; return those whose FROM state still held."""
        ...

    async def payloads(self, ids: Sequence[SubmissionId]) -> Mapping[SubmissionId, Payload]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFacts:
    revision: RevisionRef
    languages: frozenset[LanguageSlug]
    """Empty: every language."""
    source_bytes: int | None


class NeighbourAwayError(Exception):
    """Another service does not answer, and without it nothing can be decided."""


class QuestionAwayError(NeighbourAwayError):
    """Nobody can say now which revision of a question is the newest."""


class Catalogue(Protocol):
    async def newest(self, question_id: QuestionId, actor: Actor, *, vouched: bool) -> QuestionFacts | None:
        """Return the newest revision, or None when the actor may not see such a question.

        `vouched`: a game or the staff asks, so whether it is published does not matter.
        """
        ...


@dataclass(frozen=True, slots=True)
class GameEntry:
    is_live: bool
    """The game runs; what is sent after its end is practice."""


@dataclass(frozen=True, slots=True)
class EntryRefused:
    """The game's own answer, passed on as it is."""

    kind: str
    reason: str
    message: str


class GameAwayError(NeighbourAwayError):
    """Nobody can say now whether a game takes a submission."""


class GameEntries(Protocol):
    async def check(self, actor: Actor, game_id: GameId, question_id: QuestionId) -> GameEntry | EntryRefused:
        """Ask whether this account may submit to that question of that game now."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageFacts:
    lane: Lane
    is_missing: bool = False
    """There are judge hosts, and none has it."""
    install_hint: str = ""
    is_unserved: bool = False
    """No worker that has it is alive."""


class Languages(Protocol):
    def find(self, language: LanguageSlug) -> LanguageFacts | None:
        """Return what is known without asking anybody; None for a language that does not exist."""
        ...


class Step(StrEnum):
    SUBMIT = "submit"
    CLAIM = "claim"
    RECLAIM = "reclaim"
    HEARTBEAT = "heartbeat"
    FINALIZE = "finalize"
    REPORT_FAILURE = "report_failure"
    CANCEL = "cancel"
    REDISPATCH = "redispatch"
    REJUDGE = "rejudge"
    APPLY_REJUDGE = "apply_rejudge"
    DISCARD_REJUDGE = "discard_rejudge"
    REPLAY = "replay"


class Journal(Protocol):
    """Logs and counts every step. It never fails and never decides.

    `traceparent` is the submission's own trace; without one the current trace is.
    """

    def changed(
        self, step: Step, after: Submission, events: Sequence[DomainEvent], traceparent: str = ""
    ) -> None: ...

    def refused(
        self,
        step: Step,
        submission_id: SubmissionId | None,
        refusal: Refused[StrEnum],
        traceparent: str = "",
    ) -> None: ...

    def repeated(self, step: Step, submission_id: SubmissionId) -> None: ...
