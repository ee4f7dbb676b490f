"""– → PENDING. Everything is checked before the one transaction; what is refused leaves nothing behind.

What was accepted once stays accepted: whoever sends it again, because the answer was lost, gets the same id,
also when it would be refused now or when nobody can be asked.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.language import LanguageSlug, language_slug
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.route import Purpose, Route, choose_band
from deepoj_domain.submission.submission import Order
from deepoj_domain.submission.submit import (
    DEFAULT_LIMIT_BYTES,
    IdempotencyKey,
    SourceCode,
    fingerprint,
    idempotency_key,
    submit,
)
from deepoj_record.commands.ports import (
    Catalogue,
    Clock,
    EntryRefused,
    GameEntries,
    GameEntry,
    IdTaken,
    Journal,
    KeyTaken,
    LanguageFacts,
    Languages,
    NeighbourAwayError,
    NewSubmission,
    QuestionFacts,
    Step,
    Submissions,
)

# A limit may have been lowered since.
_ANY_SIZE: Final = sys.maxsize


class SubmitRefusal(StrEnum):
    UNKNOWN_QUESTION = "unknown_question"
    UNKNOWN_LANGUAGE = "unknown_language"
    LANGUAGE_NOT_INSTALLED = "language_not_installed"
    LANGUAGE_NOT_ALLOWED = "language_not_allowed"
    NOT_ENTERED = "not_entered"
    """The game refused; what it said is passed on."""
    IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused"
    SUBMISSION_ID_TAKEN = "submission_id_taken"
    NOT_SUBMITTED = "not_submitted"
    """Only what had come before was to be answered, and this had not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitRequest:
    actor: Actor
    submission_id: SubmissionId
    idempotency_key: str
    """Empty: the submission id serves as the key."""
    question_id: QuestionId
    game_id: GameId | None
    language: str
    source: str = field(repr=False)
    only_repeat: bool = False


@dataclass(frozen=True, slots=True)
class Accepted:
    submission_id: SubmissionId
    repeated: bool


SubmitOutcome = Accepted | EntryRefused | Refused[SubmitRefusal]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitPolicy:
    source_bytes: int = DEFAULT_LIMIT_BYTES


class Submit:
    def __init__(
        self,
        submissions: Submissions,
        catalogue: Catalogue,
        languages: Languages,
        entries: GameEntries,
        journal: Journal,
        policy: SubmitPolicy,
        clock: Clock,
    ) -> None:
        self._submissions = submissions
        self._catalogue = catalogue
        self._languages = languages
        self._entries = entries
        self._journal = journal
        self._policy = policy
        self._clock = clock

    async def __call__(self, request: SubmitRequest) -> SubmitOutcome:
        outcome = await (self._repeat(request) if request.only_repeat else self._submit(request))
        match outcome:
            case Refused():
                self._journal.refused(Step.SUBMIT, request.submission_id, outcome)
            case EntryRefused(reason=reason):
                refusal = Refused(SubmitRefusal.NOT_ENTERED, reason)
                self._journal.refused(Step.SUBMIT, request.submission_id, refusal)
            case Accepted(submission_id, repeated=True):
                self._journal.repeated(Step.SUBMIT, submission_id)
            case Accepted():
                pass
        return outcome

    async def _repeat(self, request: SubmitRequest) -> SubmitOutcome:
        source = SourceCode.parse(request.source, _ANY_SIZE)
        language = language_slug(request.language)
        before = await self._accepted_before(request, _key(request), language, source)
        return before or Refused(SubmitRefusal.NOT_SUBMITTED)

    async def _submit(self, request: SubmitRequest) -> SubmitOutcome:
        key, language = _key(request), language_slug(request.language)
        source = SourceCode.parse(request.source, _ANY_SIZE)
        try:
            decided = await self._decide(request, key, language, source)
        except (InvalidValueError, NeighbourAwayError):
            if accepted := await self._accepted_before(request, key, language, source):
                return accepted
            raise
        if isinstance(decided, NewSubmission):
            return await self._store(request, decided)
        return await self._accepted_before(request, key, language, source) or decided

    async def _decide(
        self, request: SubmitRequest, key: IdempotencyKey, language: LanguageSlug, source: SourceCode
    ) -> NewSubmission | EntryRefused | Refused[SubmitRefusal]:
        source.require_within(self._policy.source_bytes)
        known = self._languages.find(language)
        if known is None:
            return Refused(SubmitRefusal.UNKNOWN_LANGUAGE, language)
        if known.is_missing:
            return Refused(SubmitRefusal.LANGUAGE_NOT_INSTALLED, f"{language} ({known.install_hint})")
        entry = await self._enter(request)
        if isinstance(entry, EntryRefused):
            return entry
        question = await self._catalogue.newest(
            request.question_id, request.actor, vouched=request.game_id is not None
        )
        if question is None:
            return Refused(SubmitRefusal.UNKNOWN_QUESTION, str(request.question_id))
        if question.languages and language not in question.languages:
            return Refused(SubmitRefusal.LANGUAGE_NOT_ALLOWED, language)
        source.require_within(self._limit(question))
        order = self._order(request, language, source, question.revision)
        submitted = submit(request.submission_id, order, _route(known, entry), order.submitted_at)
        return NewSubmission(
            submission=submitted.after,
            source=source,
            key=key,
            fingerprint=fingerprint(order),
            events=submitted.events,
        )

    async def _enter(self, request: SubmitRequest) -> GameEntry | EntryRefused | None:
        if request.game_id is None:
            return None
        return await self._entries.check(request.actor, request.game_id, request.question_id)

    async def _accepted_before(
        self, request: SubmitRequest, key: IdempotencyKey, language: LanguageSlug, source: SourceCode
    ) -> Accepted | None:
        taken = await self._submissions.holder(request.actor.account_id, key)
        # Any revision will do: a fingerprint does not count it.
        order = self._order(request, language, source, RevisionRef(request.question_id, 1))
        if taken is None or taken.fingerprint != fingerprint(order):
            return None
        return Accepted(taken.by, repeated=True)

    def _limit(self, question: QuestionFacts) -> int:
        return min(self._policy.source_bytes, question.source_bytes or self._policy.source_bytes)

    def _order(
        self, request: SubmitRequest, language: LanguageSlug, source: SourceCode, revision: RevisionRef
    ) -> Order:
        return Order(
            account_id=request.actor.account_id,
            game_id=request.game_id,
            revision=revision,
            language=language,
            code=source.hash,
            submitted_at=self._clock(),
        )

    async def _store(self, request: SubmitRequest, new: NewSubmission) -> SubmitOutcome:
        match await self._submissions.add(new):
            case None:
                self._journal.changed(Step.SUBMIT, new.submission, new.events)
                return Accepted(new.submission.id, repeated=False)
            case KeyTaken(by, body) if body == new.fingerprint:
                return Accepted(by, repeated=True)
            case KeyTaken():
                return Refused(SubmitRefusal.IDEMPOTENCY_KEY_REUSED)
            case IdTaken():
                return Refused(SubmitRefusal.SUBMISSION_ID_TAKEN, str(request.submission_id))


def _key(request: SubmitRequest) -> IdempotencyKey:
    return idempotency_key(request.idempotency_key or str(request.submission_id))


def _route(language: LanguageFacts, entry: GameEntry | None) -> Route:
    is_live = entry is not None and entry.is_live
    return Route(language.lane, choose_band(Purpose.LIVE_CONTEST if is_live else Purpose.PRACTICE))
