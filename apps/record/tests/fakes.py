"""Ports kept in memory, for tests. They pass the same contract suite as the real ones."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.outcome import DomainEvent, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.queue import DELIVERY
from deepoj_domain.submission.states import Dispatched, Pending
from deepoj_domain.submission.submission import Submission
from deepoj_domain.submission.submit import IdempotencyKey
from deepoj_domain.submission.visibility import GameRules, QuestionRules, SealedGames
from deepoj_record.commands.ports import (
    EntryRefused,
    GameEntry,
    IdTaken,
    KeyTaken,
    LanguageFacts,
    NewSubmission,
    Payload,
    QuestionAwayError,
    QuestionFacts,
    Step,
    Stored,
    Write,
)
from deepoj_record.queries.ports import Sample


async def _nothing() -> None:
    pass


@dataclass
class StoppedClock:
    """Stands still until it is told otherwise."""

    moment: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@dataclass
class MemorySubmissions:
    """`interfere` runs before each write: the place where somebody else is faster."""

    rows: dict[SubmissionId, Stored] = field(default_factory=dict)
    sources: dict[SubmissionId, str] = field(default_factory=dict)
    keys: dict[tuple[AccountId, IdempotencyKey], KeyTaken] = field(default_factory=dict)
    events: list[DomainEvent] = field(default_factory=list)
    loads: int = 0
    interfere: Callable[[], Awaitable[None]] = _nothing

    async def load(self, ids: Sequence[SubmissionId]) -> dict[SubmissionId, Stored]:
        self.loads += 1
        return {key: self.rows[key] for key in ids if key in self.rows}

    async def write(self, writes: Sequence[Write]) -> set[SubmissionId]:
        await self.interfere()
        written = [write for write in writes if self._still_holds(write)]
        for write in written:
            before = self.rows[write.after.id]
            self.rows[write.after.id] = Stored(write.after, before.version + 1, before.traceparent)
            self.events += write.events
        return {write.after.id for write in written}

    async def add(self, new: NewSubmission) -> KeyTaken | IdTaken | None:
        owner = new.submission.order.account_id
        if taken := self.keys.get((owner, new.key)):
            return taken
        if new.submission.id in self.rows:
            return IdTaken()
        self.keys[owner, new.key] = KeyTaken(new.submission.id, new.fingerprint)
        self.rows[new.submission.id] = Stored(new.submission, 0)
        self.sources[new.submission.origin_id] = new.source.text
        self.events += new.events
        return None

    async def holder(self, owner: AccountId, key: IdempotencyKey) -> KeyTaken | None:
        return self.keys.get((owner, key))

    async def payloads(self, ids: Sequence[SubmissionId]) -> Mapping[SubmissionId, Payload]:
        found = [self.rows[key] for key in ids if key in self.rows]
        return {
            each.submission.id: Payload(self.sources[each.submission.origin_id], each.traceparent)
            for each in found
        }

    async def deliver(self, key: SubmissionId) -> None:
        """What the relay does when the message is in its stream; the version stays."""
        stored = self.rows[key]
        if stored.submission.status is DELIVERY[0]:
            delivered = stored.submission.moved(Dispatched())
            self.rows[key] = Stored(delivered, stored.version, stored.traceparent)

    def _still_holds(self, write: Write) -> bool:
        now = self.rows.get(write.after.id)
        if now is None or now.version != write.before.version:
            return False
        before, waiting = write.before.submission, (Pending, Dispatched)
        moves_on = write.after.status is not before.status
        both_wait = isinstance(before.state, waiting) and isinstance(now.submission.state, waiting)
        return now.submission.status is before.status or (both_wait and moves_on)


@dataclass
class MemoryCatalogue:
    questions: dict[QuestionId, QuestionFacts] = field(default_factory=dict)
    asked: list[tuple[QuestionId, Actor, bool]] = field(default_factory=list)
    is_away: bool = False

    async def newest(self, question_id: QuestionId, actor: Actor, *, vouched: bool) -> QuestionFacts | None:
        if self.is_away:
            raise QuestionAwayError
        self.asked.append((question_id, actor, vouched))
        return self.questions.get(question_id)


@dataclass
class MemoryGames:
    """Lets everybody into a running game unless it is told otherwise."""

    known: dict[GameId, GameRules] = field(default_factory=dict)
    """For everybody."""
    personal: dict[AccountId, GameRules] = field(default_factory=dict)
    """In every game."""
    of: dict[tuple[GameId, AccountId], GameRules] = field(default_factory=dict)
    """In one game."""
    sealed_now: SealedGames | None = field(default_factory=SealedGames)
    answer: GameEntry | EntryRefused = field(default_factory=lambda: GameEntry(is_live=True))
    asked: list[tuple[Actor, GameId, QuestionId]] = field(default_factory=list)

    async def check(self, actor: Actor, game_id: GameId, question_id: QuestionId) -> GameEntry | EntryRefused:
        self.asked.append((actor, game_id, question_id))
        return self.answer

    async def sealed(self) -> SealedGames | None:
        return self.sealed_now

    async def rules(self, game_id: GameId, actor: Actor | None) -> GameRules | None:
        if actor is None:
            return self.known.get(game_id)
        own = self.of.get((game_id, actor.account_id)) or self.personal.get(actor.account_id)
        return own or self.known.get(game_id)


@dataclass
class MemoryQuestions:
    """Everybody reads every question, unless it is told otherwise; owners inspect theirs."""

    hidden_now: frozenset[QuestionId] | None = frozenset()
    owners: dict[QuestionId, AccountId] = field(default_factory=dict)

    async def rules(self, question_id: QuestionId, actor: Actor) -> QuestionRules:
        own = self.owners.get(question_id) == actor.account_id
        hidden = self.hidden_now is None or question_id in self.hidden_now
        return QuestionRules(reads=own or not hidden, inspects=own)

    async def hidden(self, actor: Actor | None) -> frozenset[QuestionId] | None:
        if self.hidden_now is None or actor is None:
            return self.hidden_now
        return frozenset(each for each in self.hidden_now if self.owners.get(each) != actor.account_id)


@dataclass
class MemorySamples:
    known: dict[RevisionRef, dict[str, Sample]] = field(default_factory=dict)

    async def of(self, revision: RevisionRef) -> dict[str, Sample]:
        return self.known.get(revision, {})


@dataclass
class MemoryLanguages:
    known: dict[LanguageSlug, LanguageFacts] = field(default_factory=dict)

    def find(self, language: LanguageSlug) -> LanguageFacts | None:
        return self.known.get(language)

    def is_unserved(self, language: LanguageSlug) -> bool:
        return self.known[language].is_unserved


@dataclass
class MemoryJournal:
    lines: list[tuple[Step, str]] = field(default_factory=list)

    def changed(
        self,
        step: Step,
        after: Submission,
        events: Sequence[DomainEvent],  # noqa: ARG002 — the port's signature
        traceparent: str = "",  # noqa: ARG002 — same
    ) -> None:
        self.lines.append((step, after.status))

    def refused(
        self,
        step: Step,
        submission_id: SubmissionId | None,  # noqa: ARG002 — same
        refusal: Refused[StrEnum],
        traceparent: str = "",  # noqa: ARG002 — same
    ) -> None:
        self.lines.append((step, refusal.reason))

    def repeated(self, step: Step, submission_id: SubmissionId) -> None:  # noqa: ARG002 — same
        self.lines.append((step, "repeated"))
