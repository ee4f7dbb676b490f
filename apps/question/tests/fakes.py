"""Ports kept in memory, for tests. They pass the same contract suite as the real ones."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import DomainEvent
from deepoj_domain.question.listing import QuestionSlug
from deepoj_domain.question.presentation import Presentation
from deepoj_domain.question.question import Publication, Question
from deepoj_question.commands.ports import StoredObject, Written


async def nothing() -> None:
    pass


@dataclass
class MemoryQuestions:
    """`interfere` runs before each write: the place where somebody else is faster."""

    rows: dict[QuestionId, Question] = field(default_factory=dict)
    events: list[DomainEvent] = field(default_factory=list)
    interfere: Callable[[], Awaitable[None]] = nothing

    async def load(self, question_id: QuestionId) -> Question | None:
        found = self.rows.get(question_id)
        return None if found is None or found.publication is Publication.DELETED else found

    async def find(self, slug: QuestionSlug) -> Question | None:
        return next((each for each in self._present() if each.listing.slug == slug), None)

    async def add(self, question: Question, events: Sequence[DomainEvent]) -> Written:
        await self.interfere()
        if question.id in self.rows:
            return Written.CHANGED_MEANWHILE
        return self._keep(question, events)

    async def write(self, before: Question, after: Question, events: Sequence[DomainEvent]) -> Written:
        await self.interfere()
        now = await self.load(before.id)
        if now is None or now.version != before.version:
            return Written.CHANGED_MEANWHILE
        return self._keep(after, events)

    def _keep(self, question: Question, events: Sequence[DomainEvent]) -> Written:
        slug = question.listing.slug
        others = (each for each in self._present() if each.id != question.id)
        if question.publication is not Publication.DELETED and any(o.listing.slug == slug for o in others):
            return Written.SLUG_TAKEN
        self.rows[question.id] = question
        self.events += events
        return Written.OK

    def _present(self) -> list[Question]:
        return [each for each in self.rows.values() if each.publication is not Publication.DELETED]


@dataclass
class MemoryObjects:
    contents: dict[ContentHash, bytes] = field(default_factory=dict)

    async def sizes(self, contents: Collection[ContentHash]) -> Mapping[ContentHash, int]:
        return {each: len(self.contents[each]) for each in contents if each in self.contents}

    async def put(self, chunks: AsyncIterable[bytes]) -> StoredObject:
        content = b"".join([chunk async for chunk in chunks])
        self.contents[hash_of(content)] = content
        return StoredObject(hash_of(content), len(content))


@dataclass
class MemoryPages:
    prepared: list[Presentation] = field(default_factory=list)

    async def prepare(self, presentation: Presentation) -> None:
        self.prepared.append(presentation)


@dataclass
class MemoryJournal:
    lines: list[Question] = field(default_factory=list)

    def changed(self, after: Question, events: Sequence[DomainEvent]) -> None:  # noqa: ARG002 — the port's signature
        self.lines.append(after)
