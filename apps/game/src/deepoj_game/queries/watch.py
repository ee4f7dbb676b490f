"""Changes of a board by number, without a gap: hints say when to look."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from deepoj_domain.game.clarification import shown_to
from deepoj_domain.game.visibility import BoardView, Viewer
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
        # The hints begin before the first look, so that no change falls between the two.
        async with self._signals.of(game_id) as hints:
            place: int | None = None
            async for _ in hints:
                # A hint may be about any game: most of the time there is nothing to do.
                newest = await self._boards.sequence(game_id)
                if place == newest:
                    continue
                # Asked with every change: what the viewer may see follows the clock and rulings.
                sight = await self._sights.sight(actor, game_id, view)
                if isinstance(sight, Refused):
                    yield sight
                    return
                if place is None:
                    place = await self._boards.place(game_id, sight.side, after)
                if place is None or place > newest:
                    yield Refused(QueryRefusal.SEQUENCE_AHEAD)
                    return
                while changes := await self._boards.changes(game_id, sight.side, place, _BATCH):
                    rows = await self._rows(sight, changes)
                    for change in changes:
                        yield _shown(sight, change, rows)
                    place = changes[-1].place
                place = max(place, newest)

    async def _rows(self, sight: Sight, changes: Sequence[Change]) -> Mapping[AccountId, Ranked]:
        accounts = {change.account_id for change in changes if change.account_id is not None}
        return await self._boards.rows(sight.game, sight.side, accounts) if accounts else {}


def _shown(sight: Sight, change: Change, rows: Mapping[AccountId, Ranked]) -> Shown:
    """A row that is not there any more leaves its number behind, so that nobody looks for it."""
    if change.account_id is not None:
        ranked = rows.get(change.account_id)
        row = None if ranked is None else row_view(sight.game, ranked)
        return Shown(sequence=change.sequence, row=row)
    if change.clarification is not None:
        # Others may read along: a view shows the same to whoever asks for it, and one's own to oneself.
        viewer = sight.visit.viewer if sight.side.with_hidden else Viewer.PUBLIC
        note = shown_to(change.clarification, viewer, sight.side.own)
        return Shown(sequence=change.sequence, clarification=note)
    return Shown(sequence=change.sequence, reload=True)
