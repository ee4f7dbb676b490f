"""Problems from the cache: what anybody may see is encoded once, for all."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final
from uuid import UUID

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from deepoj_bff.inbound.http.calls import Call, ServicesPort
from deepoj_bff.inbound.http.wire.problem import ProblemAnswer, Problems
from deepoj_bff.queries.cache import Cache, Cached, etag_of
from deepoj_bff.queries.revisions import Revisions
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.grpc import Kind, RemoteError

GET: Final = Call("question", "Get", ProblemAnswer)
LIST: Final = Call("question", "List", Problems)
_encode = msgspec.json.Encoder().encode


class ProblemPages:
    """`items` and `lists` are shared by all front doors; `searches`, of which there is no end, are not."""

    def __init__(
        self, services: ServicesPort, revisions: Revisions, items: Cache, lists: Cache, searches: Cache
    ) -> None:
        self._services = services
        self._revisions = revisions
        self._items = items
        self._lists = lists
        self._searches = searches

    def at_hand(self, selector: str) -> Cached | None:
        """Return a problem that everybody may see, if that takes no waiting."""
        return self._items.fresh(self._key(selector)) if self._revisions.following else None

    async def detail(self, selector: str, actor: Actor | None) -> Cached:
        """Return what this actor sees of a problem, or raise the refusal of question."""
        selector = _canonical(selector)
        public = await self._items.get(
            self._key(selector), lambda: self._public(selector), unsure=not self._revisions.following
        )
        if public.body is not None:
            return public
        # Hidden from guests, so nothing that others may be given.
        return _uncached(await self._get(selector, actor))

    async def of_contest(self, selector: str, game_id: UUID, actor: Actor | None) -> Cached:
        return _uncached(await self._get(selector, actor, game_id=game_id))

    async def of_revision(self, selector: str, revision: int, actor: Actor | None) -> Cached:
        return _uncached(await self._get(selector, actor, revision=revision))

    async def page(self, asked: msgspec.Struct, actor: Actor | None, *, search: bool) -> Cached:
        """Return a page of the catalogue; setters and staff see more than what is published.

        `search`: the caller made up a part of the question, so others will hardly ask the same.
        """
        if actor is not None and actor.role is not Role.CONTESTANT:
            return _uncached(_encode(await self._services.call(LIST, asked, actor=actor)))
        digest = blake2b(_encode(asked), digest_size=12).hexdigest()
        key = f"problem:list:{digest}#v{self._revisions.catalogue}"

        async def load() -> bytes:
            return _encode(await self._services.call(LIST, asked, actor=None))

        cache = self._searches if search else self._lists
        return await cache.get(key, load, unsure=not self._revisions.following)

    def _key(self, selector: str) -> str:
        return f"problem:item:{selector}#v{self._revisions.of(selector)}"

    async def _public(self, selector: str) -> bytes | None:
        try:
            return await self._get(selector, None)
        except RemoteError as error:
            if error.kind in {Kind.NOT_FOUND, Kind.FORBIDDEN}:
                return None
            raise

    async def _get(self, selector: str, actor: Actor | None, **more: object) -> bytes:
        found = (await self._services.call(GET, actor=actor, **_by(selector), **more)).question
        self._revisions.learn(found.slug, found.id)
        return _encode(found)


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


def _uncached(body: bytes) -> Cached:
    return Cached(body, etag_of(body), 0.0)


FromProblemPages = NamedDependency[SkipValidation[ProblemPages]]
