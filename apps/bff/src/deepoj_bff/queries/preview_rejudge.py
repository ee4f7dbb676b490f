"""What a rejudge would change, with the titles of the contests that it touches."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec

from deepoj_bff.queries.names import Names
from deepoj_bff.queries.services import Call, Page, Services
from deepoj_bff.queries.views.admin import RejudgePreview
from deepoj_domain.kernel.role import Actor

PREVIEW: Final = Call("record", "PreviewRejudge", RejudgePreview)


class PreviewRejudge:
    def __init__(self, services: Services, names: Names) -> None:
        self._services = services
        self._names = names

    async def __call__(self, rejudge_id: UUID, page: Page, actor: Actor | None) -> RejudgePreview:
        found = await self._services.call(PREVIEW, actor=actor, rejudge_id=rejudge_id, page=page)
        known = await self._names.contests({each.game_id for each in found.games}, actor)
        titles = {game_id: contest.title for game_id, contest in known.items()}
        named = [msgspec.structs.replace(each, title=titles.get(each.game_id)) for each in found.games]
        return msgspec.structs.replace(found, games=named)
