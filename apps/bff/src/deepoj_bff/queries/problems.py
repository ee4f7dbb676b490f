"""Problems and the catalogue. What anybody may see is read and encoded once, for all."""

from __future__ import annotations

from enum import StrEnum
from hashlib import blake2b
from typing import Final
from uuid import UUID

import msgspec

from deepoj_bff.queries.cache import Cache, Encoded, encode
from deepoj_bff.queries.projections.revisions import Revisions
from deepoj_bff.queries.services import Call, Page, Services
from deepoj_bff.queries.views.problem import (
    ListedProblems,
    Problem,
    ProblemAnswer,
    ProblemStatement,
    ProblemTags,
    StatementAnswer,
    StatementFormat,
)
from deepoj_bff.queries.views.statistics import Solvers
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.question.listing import Level

GET: Final = Call("question", "Get", ProblemAnswer)
GET_STATEMENT: Final = Call("question", "GetStatement", StatementAnswer)
LIST_TAGS: Final = Call("question", "ListTags", ProblemTags)


class Sort(StrEnum):
    OLDEST = "oldest"
    NEWEST = "newest"
    TITLE = "title"
    LEVEL = "level"
    SOLVED = "solved"


class ProblemSearch(msgspec.Struct, frozen=True, kw_only=True):
    search: str | None = None
    tags: list[str] | None = None
    level: Level | None = None
    owner_id: UUID | None = None
    question_ids: list[UUID] | None = None
    excluded_ids: list[UUID] | None = None
    sort: Sort | None = None
    published: bool | None = None
    solvers: list[Solvers] | None = None
    """For the sort by them."""
    page: Page

    @property
    def is_made_up(self) -> bool:
        """Whether others will hardly ask the same."""
        made_up = (self.search, self.tags, self.owner_id, self.question_ids, self.excluded_ids, self.solvers)
        return any(made_up) or self.page.cursor is not None


LIST: Final = Call("question", "List", ListedProblems, body=ProblemSearch)

_ASSET_BEGIN, _ASSET_END = "\ufdd0", "\ufdd1"
_QUERY: Final = {"game_id": "contest_id", "revision": "revision"}


class ReadProblems:
    """`items` and `lists` are shared by all front doors; `searches`, of which there is no end, are not."""

    def __init__(
        self, services: Services, revisions: Revisions, items: Cache, lists: Cache, searches: Cache
    ) -> None:
        self._services = services
        self._revisions = revisions
        self._items = items
        self._lists = lists
        self._searches = searches

    def at_hand(self, selector: str) -> Encoded | None:
        """Return a problem that everybody may see, if that takes no waiting."""
        return self._items.fresh(self._key(selector)) if self._revisions.following else None

    async def one(self, selector: str, actor: Actor | None) -> Encoded:
        """Return what this actor sees of a problem, or raise the refusal of question."""
        selector = _canonical(selector)
        public = await self._items.get(
            self._key(selector), lambda: self._public(selector), unsure=not self._revisions.following
        )
        if public.body is not None:
            return public
        # Hidden from guests, so nothing that others may be given.
        return await self._own(selector, actor)

    async def of_contest(self, selector: str, game_id: UUID, actor: Actor | None) -> Encoded:
        return await self._own(selector, actor, game_id=game_id)

    async def of_revision(self, selector: str, revision: int, actor: Actor | None) -> Encoded:
        return await self._own(selector, actor, revision=revision)

    async def statement(
        self,
        selector: str,
        locale: str,
        actor: Actor | None,
        *,
        game_id: UUID | None = None,
        revision: int | None = None,
    ) -> Encoded:
        """Return a statement to whom the problem itself would be returned."""
        selector = _canonical(selector)
        if game_id is not None:
            return await self._own_statement(selector, locale, actor, game_id=game_id)
        if revision is not None:
            return await self._own_statement(selector, locale, actor, revision=revision)
        key = f"problem:statement:{selector}:{locale}#v{self._revisions.of(selector)}"

        async def load() -> bytes | None:
            found = await self._services.find(GET_STATEMENT, actor=None, **_by(selector), locale=locale)
            return None if found is None else self._encoded_statement(found, "")

        # There is no end of locales that can be asked for.
        public = await self._searches.get(key, load, unsure=not self._revisions.following)
        return public if public.body is not None else await self._own_statement(selector, locale, actor)

    async def page(self, asked: ProblemSearch, actor: Actor | None, *, search: bool) -> Encoded:
        """Return a page of what question lists; setters and staff see more than what is published.

        `search`: the caller made up a part of the question, so others will hardly ask the same.
        """
        if actor is not None and actor.role is not Role.CONTESTANT:
            return Encoded.of(encode(await self._services.call(LIST, asked, actor=actor)))
        digest = blake2b(encode(asked), digest_size=12).hexdigest()
        key = f"problem:list:{digest}#v{self._revisions.catalogue}"

        async def load() -> bytes:
            return encode(await self._services.call(LIST, asked, actor=None))

        cache = self._searches if search else self._lists
        return await cache.get(key, load, unsure=not self._revisions.following)

    async def tags(self) -> Encoded:
        async def load() -> bytes:
            return encode(await self._services.call(LIST_TAGS))

        key = f"problem:tags#v{self._revisions.catalogue}"
        return await self._lists.get(key, load, unsure=not self._revisions.following)

    def _key(self, selector: str) -> str:
        return f"problem:item:{selector}#v{self._revisions.of(selector)}"

    async def _public(self, selector: str) -> bytes | None:
        found = await self._services.find(GET, actor=None, **_by(selector))
        return None if found is None else self._encoded(found.question)

    async def _own(self, selector: str, actor: Actor | None, **more: object) -> Encoded:
        found = await self._services.call(GET, actor=actor, **_by(selector), **more)
        return Encoded.of(self._encoded(found.question))

    async def _own_statement(
        self, selector: str, locale: str, actor: Actor | None, **more: object
    ) -> Encoded:
        found = await self._services.call(GET_STATEMENT, actor=actor, **_by(selector), locale=locale, **more)
        # Who sees the statement by a contest or a number sees its images by the same.
        query = "".join(f"?{_QUERY[name]}={value}" for name, value in more.items())
        return Encoded.of(self._encoded_statement(found, query))

    def _encoded_statement(self, found: StatementAnswer, query: str) -> bytes:
        self._revisions.learn(found.slug, found.question_id)
        statement = found.statement
        only_printed = bool(statement.pdf) and not statement.markdown
        assets = f"/api/problems/{found.question_id}/assets/"
        return encode(
            ProblemStatement(
                locale=statement.locale,
                locales=found.locales,
                title=statement.title,
                html=found.html.replace(_ASSET_BEGIN, assets).replace(_ASSET_END, query),
                pdf=statement.pdf or None,
                format=StatementFormat.PDF if only_printed else StatementFormat(statement.format),
            )
        )

    def _encoded(self, problem: Problem) -> bytes:
        self._revisions.learn(problem.slug, problem.id)
        return encode(problem)


def _by(selector: str) -> dict[str, object]:
    try:
        return {"question_id": UUID(selector)}
    except ValueError:
        return {"slug": selector}


def _canonical(selector: str) -> str:
    """An id may be written in many ways; kept and followed under one, its changes are never missed."""
    try:
        return str(UUID(selector))
    except ValueError:
        return selector
