"""What the queries need from outside."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.paging import PageRequest
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.listing import Level, QuestionSlug, Tag
from deepoj_domain.question.presentation import Presentation, Statement
from deepoj_domain.question.revision import Judging, RevisionContent
from deepoj_question.queries.views import Catalogue, Detail, QuestionView, RevisionView, TagCount


class QueryRefusal(StrEnum):
    NOT_FOUND = "not_found"
    """It does not exist, or this actor must not know that it does."""
    NOT_ALLOWED = "not_allowed"
    ASSET_NOT_FOUND = "asset_not_found"
    CASE_NOT_FOUND = "case_not_found"


class Sort(StrEnum):
    OLDEST = "oldest"
    NEWEST = "newest"
    TITLE = "title"
    LEVEL = "level"
    """Those without one last."""
    SOLVED = "solved"
    """Those that most people have solved first."""


@dataclass(frozen=True, slots=True)
class Solvers:
    question_id: QuestionId
    people: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    text: str = ""
    """In slug or title, whatever the case."""
    tags: frozenset[Tag] = frozenset()
    """All of them."""
    level: Level | None = None
    owner: AccountId | None = None
    ids: frozenset[QuestionId] = frozenset()
    """Empty: no restriction."""
    excluded: frozenset[QuestionId] = frozenset()
    published: bool | None = None
    """None: both, as far as they may be seen."""
    sort: Sort = Sort.OLDEST
    solvers: tuple[Solvers, ...] = ()
    """For the sort by them, told by who asks; the others were solved by nobody."""


class Questions(Protocol):
    """Deleted questions are not among them, but their revisions are."""

    async def get(self, by: QuestionId | QuestionSlug, revision: int) -> Detail | None:
        """`revision` 0 is the newest."""
        ...

    async def list(
        self, search: Search, page: PageRequest, *, everything: bool, own: AccountId | None
    ) -> Catalogue:
        """Without `everything` only what is published, and what belongs to `own`."""
        ...

    async def find(self, question_id: QuestionId) -> QuestionView | None: ...

    async def tags(self) -> Sequence[TagCount]:
        """Return those of what is published, the most frequent first."""
        ...

    async def hidden(self) -> Mapping[QuestionId, AccountId]:
        """Return those that are not published, the deleted ones among them, and their owners."""
        ...

    async def revisions(
        self, question_id: QuestionId, *, with_changes: bool = False
    ) -> Sequence[RevisionView]:
        """Return the newest first."""
        ...

    async def judging(self, revision: RevisionRef) -> Judging | None: ...

    async def content(self, revision: RevisionRef) -> RevisionContent | None: ...


class Games(Protocol):
    async def problems(self, game_id: GameId, actor: Actor | None) -> frozenset[QuestionId]:
        """Return the problems that this actor may see now."""
        ...


class Pages(Protocol):
    async def html(self, statement: Statement, presentation: Presentation) -> str:
        """Return it as sanitised HTML, its source where that cannot be made."""
        ...


class Files(Protocol):
    def read(self, content: ContentHash, size: int) -> AsyncGenerator[bytes, None]: ...
