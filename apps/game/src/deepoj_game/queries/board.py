"""Boards: pages, one row, everything for an export, and changes as they come."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from deepoj_domain.game.clarification import shown_to
from deepoj_domain.game.game import Game
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.scoring.fact import micros
from deepoj_domain.game.visibility import BoardView, Viewer, shows_frozen, why_no_board
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import PageRequest
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.access import Visit, visit
from deepoj_game.queries.past import Past, PastBoard, page_of
from deepoj_game.queries.ports import BoardReader, Clock, GameReader, Ranked, Side, Signals
from deepoj_game.queries.views import BoardPage, Change, QueryRefusal, RowView, Shown


@dataclass(frozen=True, slots=True)
class Sight:
    """Which board somebody is shown, once it is clear that they may see it."""

    visit: Visit
    view: BoardView
    side: Side
    at_us: int | None
    """None: the board as it is."""

    @property
    def game(self) -> Game:
        return self.visit.game


class Boards:
    def __init__(self, games: GameReader, boards: BoardReader, past: Past, clock: Clock) -> None:
        self._games = games
        self._boards = boards
        self._past = past
        self._clock = clock

    async def sight(
        self, actor: Actor | None, game_id: GameId, view: BoardView, at: datetime | None = None
    ) -> Sight | Refused[StrEnum]:
        found = await visit(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        now = self._clock()
        then = now if at is None else min(at, now)
        if refusal := why_no_board(found.game, found.viewer, view, then, now):
            return Refused(refusal)
        own = actor.account_id if actor is not None and view is BoardView.OWN else None
        frozen, in_full = shows_frozen(found.game, view, then), view is BoardView.ADMIN
        withheld = frozenset() if in_full else await self._withheld(found.game, now)
        side = Side(frozen=frozen, with_hidden=in_full, own=own, withheld=withheld)
        return Sight(found, view, side, None if at is None or at >= now else micros(then))

    async def _withheld(self, game: Game, now: datetime) -> frozenset[AccountId]:
        """Return those of whom `is_withheld` holds, once the game itself is over."""
        if game.plan.format.tells_verdicts_live or not game.plan.sign_up.virtual_allowed:
            return frozenset()
        return await self._games.began_after(game.id, now - game.plan.schedule.length)

    async def page(
        self,
        actor: Actor | None,
        game_id: GameId,
        view: BoardView,
        at: datetime | None,
        page: PageRequest,
    ) -> BoardPage | Refused[StrEnum]:
        sight = await self.sight(actor, game_id, view, at)
        if isinstance(sight, Refused):
            return sight
        if sight.at_us is None:
            found, sequence = await self._boards.page(sight.game, sight.side, page)
        else:
            past = await self._past.at(sight.visit, sight.at_us)
            if isinstance(past, Refused):
                return past
            found = page_of(past.board(sight.game, view, sight.side), past.entrants, page)
            sequence = await self.sequence(sight)
        rows = [row_view(sight.game, each) for each in found.items]
        return BoardPage(rows=rows, next=found.next, sequence=sequence, view=view)

    async def row(
        self, actor: Actor | None, game_id: GameId, account_id: AccountId
    ) -> RowView | Refused[StrEnum]:
        """Staff see it in full, and so does whoever it belongs to."""
        sight = await self.best_sight(actor, game_id, account_id)
        if isinstance(sight, Refused):
            return sight
        if account_id in sight.side.withheld:
            return Refused(GameRefusal.BOARD_HIDDEN)
        rows = await self._boards.rows(sight.game, sight.side, [account_id])
        if account_id not in rows:
            return Refused(QueryRefusal.NOT_A_PARTICIPANT)
        return row_view(sight.game, rows[account_id])

    async def best_sight(
        self, actor: Actor | None, game_id: GameId, account_id: AccountId, at: datetime | None = None
    ) -> Sight | Refused[StrEnum]:
        """Choose the view that shows most of this participant to this actor."""
        found = await visit(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        own = actor is not None and actor.account_id == account_id and found.entrant is not None
        view = BoardView.OWN if own else BoardView.PUBLIC
        if found.viewer.is_staff:
            view = BoardView.ADMIN
        return await self.sight(actor, game_id, view, at)

    async def sequence(self, sight: Sight) -> int:
        """Return the number of the last change that is told of the board."""
        return await self._boards.number(sight.game.id, sight.side)

    async def everything(self, sight: Sight) -> AsyncIterator[RowView] | Refused[StrEnum]:
        """Return all rows in order, of one moment."""
        if sight.at_us is None:
            return self._now(sight)
        past = await self._past.at(sight.visit, sight.at_us, wait=True)
        return past if isinstance(past, Refused) else _then(sight, past)

    async def _now(self, sight: Sight) -> AsyncIterator[RowView]:
        async for each in self._boards.all(sight.game, sight.side):
            yield row_view(sight.game, each)


async def _then(sight: Sight, past: PastBoard) -> AsyncIterator[RowView]:
    board = past.board(sight.game, sight.view, sight.side)
    for row in board.rows:
        yield row_view(sight.game, Ranked(row, past.entrants[row.row.account_id]))


def row_view(game: Game, ranked: Ranked) -> RowView:
    return RowView(ranked.row, ranked.entrant, tuple(problem.label for problem in game.plan.problems))


_BATCH: Final = 200


class WatchBoard:
    """Changes of a board by number, without a gap: hints say when to look."""

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
