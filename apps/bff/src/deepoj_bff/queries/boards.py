"""Scoreboards. The public one is read once a second, however many look."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

from deepoj_bff.queries.cache import Cache, Encoded, encode
from deepoj_bff.queries.services import LONG, Call, Page, Services
from deepoj_bff.queries.views.board import BoardChunk, Scoreboard
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.role import Actor

GET: Final = Call("game", "GetScoreboard", Scoreboard)
EXPORT: Final = Call("game", "ExportScoreboard", BoardChunk, LONG)


class ExportFormat(StrEnum):
    CSV = "csv"
    JSON = "json"
    COMPACT = "compact"


class ReadBoards:
    def __init__(self, services: Services, cache: Cache) -> None:
        self._services = services
        self._cache = cache

    async def page(
        self, game_id: UUID, view: BoardView, at: datetime | None, page: Page, actor: Actor | None
    ) -> Encoded:
        if view is BoardView.PUBLIC and at is None:
            key = f"board:page:{game_id}:{page.size}:{page.cursor}"
            public = await self._cache.get(key, lambda: self._public(game_id, page))
            if public.body is not None:
                return public
        found = await self._services.call(GET, actor=actor, game_id=game_id, view=view, at=at, page=page)
        return Encoded.of(encode(found))

    async def whole(
        self, game_id: UUID, view: BoardView, at: datetime | None, actor: Actor | None
    ) -> Encoded:
        if view is BoardView.PUBLIC and at is None:
            public = await self._cache.get(f"board:whole:{game_id}", lambda: self._public_whole(game_id))
            if public.body is not None:
                return public
        return Encoded.of(await self._whole(game_id, view, at, actor))

    async def first_rows(self, game_id: str, view: BoardView, actor: Actor | None, rows: int) -> Scoreboard:
        """Return the head of the board as it is this moment."""
        page = Page(rows, None)
        return await self._services.call(GET, actor=actor, game_id=game_id, view=view, page=page)

    async def _whole(self, game_id: UUID, view: BoardView, at: datetime | None, actor: Actor | None) -> bytes:
        chunks = self._services.stream(
            EXPORT, actor=actor, game_id=game_id, view=view, at=at, format=ExportFormat.COMPACT
        )
        return b"".join([each.chunk async for each in chunks])

    async def _public_whole(self, game_id: UUID) -> bytes | None:
        """Nothing for a guest is not the same as nothing: the caller is asked for then."""
        if await self._public(game_id, Page(1, None)) is None:
            return None
        return await self._whole(game_id, BoardView.PUBLIC, None, None)

    async def _public(self, game_id: UUID, page: Page) -> bytes | None:
        found = await self._services.find(GET, actor=None, game_id=game_id, view=BoardView.PUBLIC, page=page)
        return None if found is None else encode(found)
