"""Somebody's account is deleted: their rows stay on the boards, their name does not."""

from __future__ import annotations

from dataclasses import replace

from deepoj_domain.account.personal import DELETED_NAME
from deepoj_domain.kernel.ids import AccountId
from deepoj_game.commands.ports import Games


class Forget:
    """Doing it again changes nothing."""

    def __init__(self, games: Games) -> None:
        self._games = games

    async def __call__(self, account_id: AccountId) -> None:
        for game_id in await self._games.entered_by(account_id):
            async with self._games.open(game_id) as opened:
                entrant = None if opened is None else await opened.entrant(account_id)
                if opened is not None and entrant is not None and entrant.display_name != DELETED_NAME:
                    await opened.put_entrant(replace(entrant, display_name=DELETED_NAME), ())
