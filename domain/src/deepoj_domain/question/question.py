"""The Question aggregate: its current revision, how it is listed, and whether people may see it.

Older revisions stay readable for the submissions that pinned them; the aggregate need not carry them.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.events import QuestionChange, QuestionChanged
from deepoj_domain.question.listing import Listing
from deepoj_domain.question.revision import Revision, RevisionContent


class Publication(StrEnum):
    DRAFT = "draft"
    PUBLISHED = "published"
    DELETED = "deleted"


class QuestionRefusal(StrEnum):
    NOT_FOUND = "not_found"
    """It does not exist, or this actor must not know that it does."""
    DELETED = "deleted"
    UNCHANGED = "unchanged"
    STALE_VERSION = "stale_version"


QuestionOutcome = Changed["Question"] | Refused[QuestionRefusal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    id: QuestionId
    owner: AccountId
    publication: Publication
    listing: Listing
    current: Revision
    created_at: datetime
    updated_at: datetime
    version: int = 1
    """Grows with every change, so two editors cannot overwrite each other."""

    @classmethod
    def create(
        cls,
        question_id: QuestionId,
        owner: AccountId,
        listing: Listing,
        content: RevisionContent,
        now: datetime,
    ) -> Changed["Question"]:
        question = cls(
            id=question_id,
            owner=owner,
            publication=Publication.DRAFT,
            listing=listing,
            current=Revision(RevisionRef(question_id, 1), content, owner, now),
            created_at=now,
            updated_at=now,
        )
        return _told(question, QuestionChange.CREATED)

    def edit(
        self,
        listing: Listing,
        content: RevisionContent,
        *,
        by: AccountId,
        now: datetime,
        version: int | None = None,
    ) -> QuestionOutcome:
        """`version` is the one the editor saw; None edits whatever there is."""
        if refused := self._refused(version):
            return refused
        if content != self.current.content:
            number = self.current.ref.number + 1
            following = Revision(RevisionRef(self.id, number), content, by, now)
            after = replace(self, listing=listing, current=following)
            return _changed(after, QuestionChange.REVISED, now)
        if listing != self.listing:
            return _changed(replace(self, listing=listing), QuestionChange.RELISTED, now)
        return Refused(QuestionRefusal.UNCHANGED)

    def publish(self, now: datetime) -> QuestionOutcome:
        return self._move(Publication.PUBLISHED, QuestionChange.PUBLISHED, now)

    def hide(self, now: datetime) -> QuestionOutcome:
        return self._move(Publication.DRAFT, QuestionChange.HIDDEN, now)

    def delete(self, now: datetime, version: int | None = None) -> QuestionOutcome:
        return self._refused(version) or self._move(Publication.DELETED, QuestionChange.DELETED, now)

    def _move(self, target: Publication, change: QuestionChange, now: datetime) -> QuestionOutcome:
        if refused := self._refused(None):
            return refused
        if self.publication is target:
            return Refused(QuestionRefusal.UNCHANGED)
        return _changed(replace(self, publication=target), change, now)

    def _refused(self, version: int | None) -> Refused[QuestionRefusal] | None:
        if self.publication is Publication.DELETED:
            return Refused(QuestionRefusal.DELETED)
        if version is not None and version != self.version:
            return Refused(QuestionRefusal.STALE_VERSION, f"the version is {self.version}")
        return None


def _changed(question: Question, change: QuestionChange, now: datetime) -> Changed[Question]:
    return _told(replace(question, version=question.version + 1, updated_at=now), change)


def _told(question: Question, change: QuestionChange) -> Changed[Question]:
    event = QuestionChanged(
        occurred_at=question.updated_at,
        revision=question.current.ref,
        version=question.version,
        change=change,
    )
    return Changed(question, (event,))
