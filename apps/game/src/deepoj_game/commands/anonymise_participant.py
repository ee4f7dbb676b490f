"""Somebody's account is deleted: their rows stay on the boards, their name does not."""

from __future__ import annotations

from dataclasses import replace

from deepoj_domain.account.personal import DELETED_NAME
from deepoj_domain.kernel.ids import AccountId
from deepoj_game.commands.ports import Clock, Games
from deepoj_game.commands.rescore import entrant_write


class AnonymiseParticipant:
    """Doing it again changes nothing."""

    def __init__(self, games: Games, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(self, account_id: AccountId) -> None:
        for game_id in await self._games.entered_by(account_id):
            async with self._games.open(game_id) as opened:
                known = None if opened is None else await opened.entrant(account_id)
                if opened is None or known is None or known.display_name == DELETED_NAME:
                    continue
                nameless = replace(known, display_name=DELETED_NAME)
                await opened.write(await entrant_write(opened, known, nameless, self._clock()))
