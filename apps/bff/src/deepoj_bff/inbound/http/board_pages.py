"""Boards that anybody may see, fetched once a second however many look."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from deepoj_bff.inbound.http.calls import ServicesPort
from deepoj_bff.inbound.http.live_contests import GET_BOARD
from deepoj_bff.inbound.http.wire.base import Page
from deepoj_bff.inbound.http.wire.board import BoardView
from deepoj_bff.queries.cache import Cache, Cached, etag_of
from deepoj_domain.kernel.role import Actor
from deepoj_kit.grpc import Kind, RemoteError

_HIDDEN: Final = frozenset({Kind.NOT_FOUND, Kind.FORBIDDEN, Kind.PRECONDITION})
_encode = msgspec.json.Encoder().encode


class BoardPages:
    def __init__(self, services: ServicesPort, cache: Cache) -> None:
        self._services = services
        self._cache = cache

    async def page(
        self, game_id: UUID, view: BoardView, at: datetime | None, page: Page, actor: Actor | None
    ) -> Cached:
        if view is BoardView.PUBLIC and at is None:
            key = f"board:page:{game_id}:{page.size}:{page.cursor}"
            public = await self._cache.get(key, lambda: self._public(game_id, page))
            if public.body is not None:
                return public
        found = await self._services.call(
            GET_BOARD, actor=actor, game_id=game_id, view=view, at=at, page=page
        )
        body = _encode(found)
        return Cached(body, etag_of(body), 0.0)

    async def _public(self, game_id: UUID, page: Page) -> bytes | None:
        try:
            found = await self._services.call(
                GET_BOARD, actor=None, game_id=game_id, view=BoardView.PUBLIC, page=page
            )
        except RemoteError as error:
            if error.kind in _HIDDEN:
                return None
            raise
        return _encode(found)


FromBoardPages = NamedDependency[SkipValidation[BoardPages]]
