"""Changes of a board by number, without a gap: hints say when to look."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from deepoj_domain.game.clarification import shown_to
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.board import Boards, Sight, row_view
from deepoj_game.queries.ports import BoardReader, Ranked, Signals
from deepoj_game.queries.views import Change, QueryRefusal, Shown

_BATCH: Final = 200


class Watch:
    def __init__(self, sights: Boards, boards: BoardReader, signals: Signals) -> None:
        self._sights = sights
        self._boards = boards
        self._signals = signals

    async def __call__(
        self, actor: Actor | None, game_id: GameId, view: BoardView, after: int
    ) -> AsyncGenerator[Shown | Refused[StrEnum], None]:
        """A row comes as it is when it is sent, which may be newer than its number: never older."""
        account = None if actor is None else actor.account_id
        # The hints begin before the first look, so that no change falls between the two.
        async with self._signals.of(game_id) as hints:
            last, looked = after, False
            async for _ in hints:
                # A hint may be about any game: most of the time there is nothing to do.
                if looked and await self._boards.sequence(game_id) == last:
                    continue
                looked = True
                # Asked with every change: what the viewer may see follows the clock and rulings.
                sight = await self._sights.sight(actor, game_id, view)
                if isinstance(sight, Refused):
                    yield sight
                    return
                while changes := await self._boards.changes(game_id, last, _BATCH):
                    rows = await self._rows(sight, changes)
                    for change in changes:
                        yield _shown(sight, change, rows, account)
                    last = changes[-1].sequence
                if last > await self._boards.sequence(game_id):
                    yield Refused(QueryRefusal.SEQUENCE_AHEAD)
                    return

    async def _rows(self, sight: Sight, changes: Sequence[Change]) -> Mapping[AccountId, Ranked]:
        accounts = {change.account_id for change in changes if change.account_id is not None}
        return await self._boards.rows(sight.game, sight.side, accounts) if accounts else {}


def _shown(
    sight: Sight, change: Change, rows: Mapping[AccountId, Ranked], account: AccountId | None
) -> Shown:
    """What this viewer must not see leaves its number behind, so that nobody looks for it."""
    if change.account_id is not None:
        ranked = rows.get(change.account_id)
        row = None if ranked is None else row_view(sight.game, ranked)
        return Shown(sequence=change.sequence, row=row)
    if change.clarification is not None:
        note = shown_to(change.clarification, sight.visit.viewer, account)
        return Shown(sequence=change.sequence, clarification=note)
    return Shown(sequence=change.sequence, reload=True)
