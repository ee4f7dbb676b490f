"""A file shown beside the statement, for whoever may read the question."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import GameId, QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.presentation import Asset
from deepoj_question.queries.get import Get
from deepoj_question.queries.ports import Files, QueryRefusal


@dataclass(frozen=True, slots=True)
class AssetName:
    name: str = ""
    content: ContentHash | None = None

    def matches(self, asset: Asset) -> bool:
        return asset.name == self.name if self.content is None else asset.content == self.content


@dataclass(frozen=True, slots=True)
class OpenedAsset:
    asset: Asset
    chunks: AsyncGenerator[bytes, None]


class GetAsset:
    def __init__(self, get: Get, files: Files) -> None:
        self._get = get
        self._files = files

    async def __call__(
        self,
        actor: Actor | None,
        question_id: QuestionId,
        wanted: AssetName,
        *,
        revision: int = 0,
        game_id: GameId | None = None,
    ) -> OpenedAsset | Refused[QueryRefusal]:
        found = await self._get(actor, question_id, revision=revision, game_id=game_id)
        if isinstance(found, Refused):
            return found
        asset = next(filter(wanted.matches, found.presentation.assets), None)
        if asset is None:
            return Refused(QueryRefusal.ASSET_NOT_FOUND)
        return OpenedAsset(asset, self._files.read(asset.content, asset.size))
