"""Contests with the titles of their problems, which question knows."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final
from uuid import UUID

import msgspec

from deepoj_bff.queries.cache import Cache, Encoded, encode
from deepoj_bff.queries.services import Call, Page, Services
from deepoj_bff.queries.views.contest import Contest, ContestDetail, Contests, ShownProblem
from deepoj_bff.queries.views.problem import LocalTitle
from deepoj_domain.game.schedule import Phase
from deepoj_domain.kernel.role import SERVICE_ACCOUNT, Actor, Role


class _Titled(msgspec.Struct, frozen=True):
    id: str
    title: str
    titles: list[LocalTitle]
    slug: str


class _Titles(msgspec.Struct, frozen=True):
    questions: list[_Titled]


LIST: Final = Call("game", "List", Contests)
GET: Final = Call("game", "Get", ContestDetail)
TITLES: Final = Call("question", "List", _Titles)
# Game has said that the caller may see the problems, published or not.
_SERVICE: Final = Actor(SERVICE_ACCOUNT, Role.ADMIN)
_MOST: Final = 100


class ReadContests:
    """The titles are the same for all who may see them, so they are read once for some moments."""

    def __init__(self, services: Services, cache: Cache) -> None:
        self._services = services
        self._cache = cache

    async def listed(self, phases: Sequence[Phase], search: str | None, page: Page) -> Encoded:
        """Return contests as a guest sees them, read once for some moments."""

        async def load() -> bytes:
            found = self._services.call(
                LIST, actor=None, search=search, phases=list(phases), mine=False, page=page
            )
            return encode(await found)

        digest = blake2b(encode((phases, search, page)), digest_size=12).hexdigest()
        return await self._cache.get(f"contest:list:{digest}", load)

    async def one(self, game_id: UUID) -> Encoded:
        """Return a contest as a guest sees it, if one does."""

        async def load() -> bytes | None:
            found = await self._services.find(GET, actor=None, game_id=game_id)
            if found is None:
                return None
            return encode(msgspec.structs.replace(found, game=await self.titled(found.game)))

        return await self._cache.get(f"contest:item:{game_id}", load)

    async def titled(self, contest: Contest) -> Contest:
        ids = [problem.question_id for problem in contest.problems]
        if not ids:
            return contest
        key = blake2b(" ".join(ids).encode(), digest_size=16).hexdigest()
        found = await self._cache.get(f"contest:titles:{key}", lambda: self._titles(ids))
        known = {each.id: each for each in msgspec.json.decode(found.body or b"[]", type=list[_Titled])}
        problems = [_titled(problem, known.get(problem.question_id)) for problem in contest.problems]
        return msgspec.structs.replace(contest, problems=problems)

    async def _titles(self, ids: list[str]) -> bytes:
        page = Page(_MOST, None)
        found = await self._services.call(TITLES, actor=_SERVICE, question_ids=ids, page=page)
        return encode(found.questions)


def _titled(problem: ShownProblem, known: _Titled | None) -> ShownProblem:
    if known is None:
        return problem
    titles = {each.locale: each.title for each in known.titles}
    return msgspec.structs.replace(problem, title=known.title, titles=titles, slug=known.slug)
