from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from deepoj_domain.kernel.outcome import DomainEvent
from deepoj_domain.kernel.revision import RevisionRef


class QuestionChange(StrEnum):
    CREATED = "created"
    REVISED = "revised"
    RELISTED = "relisted"
    """Slug, level or tags changed; the revision is the same."""
    PUBLISHED = "published"
    HIDDEN = "hidden"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChanged(DomainEvent):
    """`revision` and `version` are those after the change, so a cache knows which key to use from now on."""

    name: ClassVar[str] = "question.changed.v1"

    revision: RevisionRef
    version: int
    change: QuestionChange
