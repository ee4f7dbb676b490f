from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from deepoj_domain.kernel.event import DomainEvent
from deepoj_domain.kernel.revision import RevisionRef


class QuestionChange(StrEnum):
    CREATED = "created"
    REVISED = "revised"
    PUBLISHED = "published"
    HIDDEN = "hidden"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChanged(DomainEvent):
    """`revision` is the current one after the change, so a cache knows which key to use from now on."""

    name: ClassVar[str] = "question.changed.v1"

    revision: RevisionRef
    change: QuestionChange
