"""What the commands need from outside, sized to what they call."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import DomainEvent
from deepoj_domain.question.listing import QuestionSlug
from deepoj_domain.question.presentation import Presentation
from deepoj_domain.question.question import Question

Clock = Callable[[], datetime]
NewId = Callable[[], UUID]


class ContendedError(Exception):
    """Others kept changing the same question. Nothing was written; the same call may succeed later."""


class CommandRefusal(StrEnum):
    NOT_FOUND = "not_found"
    """It does not exist, or this actor must not know that it does."""
    NOT_ALLOWED = "not_allowed"
    QUESTION_ID_TAKEN = "question_id_taken"
    SLUG_TAKEN = "slug_taken"
    OBJECT_MISSING = "object_missing"
    OBJECT_SIZE_WRONG = "object_size_wrong"
    CASE_FILES_TOO_LARGE = "case_files_too_large"
    JUDGING_MISSING = "judging_missing"


class Written(StrEnum):
    OK = "ok"
    SLUG_TAKEN = "slug_taken"
    CHANGED_MEANWHILE = "changed_meanwhile"
    """For a new question: its id is taken."""


class Questions(Protocol):
    """Deleted questions are not among them."""

    async def load(self, question_id: QuestionId) -> Question | None: ...

    async def find(self, slug: QuestionSlug) -> Question | None: ...

    async def add(self, question: Question, events: Sequence[DomainEvent]) -> Written:
        """Store the question, its first revision and the events in one transaction."""
        ...

    async def write(self, before: Question, after: Question, events: Sequence[DomainEvent]) -> Written:
        """Store the change and the events in one transaction, unless `before` is no longer what is stored."""
        ...


@dataclass(frozen=True, slots=True)
class StoredObject:
    content: ContentHash
    size: int


class Objects(Protocol):
    """Files under the hash of their content."""

    async def sizes(self, contents: Collection[ContentHash]) -> Mapping[ContentHash, int]:
        """Return the sizes of those that are there; no sweep deletes them for some days."""
        ...

    async def put(self, chunks: AsyncIterable[bytes]) -> StoredObject: ...


class Pages(Protocol):
    async def prepare(self, presentation: Presentation) -> None:
        """Make its statements ready to be shown. It never fails: they are readable all the same."""
        ...


class Journal(Protocol):
    """Logs and counts every change. It never fails and never decides."""

    def changed(self, after: Question, events: Sequence[DomainEvent]) -> None: ...
