"""The Question aggregate: its current revision and whether people may see it.

Older revisions stay readable for the submissions that pinned them; the aggregate need not carry them.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.events import QuestionChange, QuestionChanged
from deepoj_domain.question.revision import Revision, RevisionContent


class Publication(StrEnum):
    DRAFT = "draft"
    PUBLISHED = "published"
    DELETED = "deleted"


class QuestionRefusal(StrEnum):
    NOT_FOUND = "not_found"
    DELETED = "deleted"
    UNCHANGED = "unchanged"
    STALE_REVISION = "stale_revision"


QuestionOutcome = Changed["Question"] | Refused[QuestionRefusal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    id: QuestionId
    owner: AccountId
    publication: Publication
    current: Revision

    @classmethod
    def create(
        cls, question_id: QuestionId, owner: AccountId, content: RevisionContent, now: datetime
    ) -> Changed["Question"]:
        first = Revision(RevisionRef(question_id, 1), content, now)
        question = cls(id=question_id, owner=owner, publication=Publication.DRAFT, current=first)
        return _told(question, QuestionChange.CREATED, now)

    def revise(self, content: RevisionContent, *, based_on: int, now: datetime) -> QuestionOutcome:
        """`based_on` is the revision the editor saw, so two editors cannot overwrite each other."""
        if self.publication is Publication.DELETED:
            return Refused(QuestionRefusal.DELETED)
        if based_on != self.current.ref.number:
            return Refused(
                QuestionRefusal.STALE_REVISION, f"the current revision is {self.current.ref.number}"
            )
        if content == self.current.content:
            return Refused(QuestionRefusal.UNCHANGED)
        following = Revision(RevisionRef(self.id, based_on + 1), content, now)
        return _told(replace(self, current=following), QuestionChange.REVISED, now)

    def publish(self, now: datetime) -> QuestionOutcome:
        return self._move(Publication.PUBLISHED, QuestionChange.PUBLISHED, now)

    def hide(self, now: datetime) -> QuestionOutcome:
        return self._move(Publication.DRAFT, QuestionChange.HIDDEN, now)

    def delete(self, now: datetime) -> QuestionOutcome:
        return self._move(Publication.DELETED, QuestionChange.DELETED, now)

    def _move(self, target: Publication, change: QuestionChange, now: datetime) -> QuestionOutcome:
        if self.publication is Publication.DELETED:
            return Refused(QuestionRefusal.DELETED)
        if self.publication is target:
            return Refused(QuestionRefusal.UNCHANGED)
        return _told(replace(self, publication=target), change, now)


def _told(question: Question, change: QuestionChange, now: datetime) -> Changed[Question]:
    return Changed(
        question, (QuestionChanged(occurred_at=now, revision=question.current.ref, change=change),)
    )
