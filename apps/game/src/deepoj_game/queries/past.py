"""A board as it was: the same log, cut at a moment of the past."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from deepoj_domain.game.game import Game
from deepoj_domain.game.refusal import GameRefusal, TooOften
from deepoj_domain.game.scoring.board import Board
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.tally import Tally, score_participant
from deepoj_domain.game.scoring.views import board_for
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_game.queries.access import Visit
from deepoj_game.queries.paging import Page, PageRequest, malformed
from deepoj_game.queries.ports import BoardReader, Ranked, Throttle
from deepoj_game.queries.views import EntrantView

_MOST_KEPT: Final = 4
_Key = tuple[GameId, int, int, int]


@dataclass(frozen=True, slots=True)
class PastBoard:
    sequence: int
    tallies: tuple[Tally, ...]
    entrants: dict[AccountId, EntrantView]

    def board(self, game: Game, view: BoardView, *, is_frozen: bool, viewer: AccountId | None) -> Board:
        return board_for(rules_of(game), self.tallies, view, is_frozen=is_frozen, viewer=viewer)


class Past:
    """Scores everybody for each new moment asked for; the last few are kept, for whoever turns pages.

    Anybody can think of another moment, and each takes the scoring of everybody: one is scored at a time, and
    not many in a row for the same account. Guests count as one, staff may have as many as they like.
    """

    def __init__(self, boards: BoardReader, throttle: Throttle) -> None:
        self._boards = boards
        self._throttle = throttle
        self._one_at_a_time = asyncio.Lock()
        self._kept: OrderedDict[_Key, PastBoard] = OrderedDict()

    async def at(self, visit: Visit, at_us: int) -> PastBoard | TooOften:
        key = (visit.game.id, visit.stored.version, await self._boards.sequence(visit.game.id), at_us)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        who = None if visit.actor is None else visit.actor.account_id
        wait = None if visit.viewer.is_staff else self._throttle.take(who)
        if wait is not None:
            return TooOften(GameRefusal.TOO_MANY_PAST_BOARDS, retry_after=wait)
        async with self._one_at_a_time:
            # Whoever was before us may have asked for the same.
            return self._kept.get(key) or await self._scored(visit, at_us)

    async def _scored(self, visit: Visit, at_us: int) -> PastBoard:
        game, rules = visit.game, rules_of(visit.game)
        async with self._boards.log(game.id) as log:
            key = (game.id, visit.stored.version, log.sequence, at_us)
            scored = [
                (entrant, score_participant(rules, entrant.participant, facts, at_us))
                async for entrant, facts in log.by_participant()
            ]
        found = PastBoard(
            key[2],
            tuple(tally for _, tally in scored),
            {entrant.participant.account_id: entrant for entrant, _ in scored},
        )
        self._kept[key] = found
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return found


def page_of(board: Board, entrants: dict[AccountId, EntrantView], page: PageRequest) -> Page[Ranked]:
    rows = board.rows
    if page.after is not None:
        after = _position(page.after)
        rows = tuple(row for row in rows if (row.row.total.key, row.row.account_id.int) > after)
    shown = [Ranked(row, entrants[row.row.account_id]) for row in rows[: page.size]]
    if len(rows) <= page.size:
        return Page(shown)
    last = rows[page.size - 1].row
    return Page(shown, (",".join(map(str, last.total.key)), str(last.account_id.int)))


def _position(after: tuple[str, ...]) -> tuple[tuple[int, int, int], int]:
    try:
        first, second, third = map(int, after[0].split(","))
        return (first, second, third), int(after[1])
    except ValueError as error:
        raise malformed() from error
