"""A board as it was: the same log, cut at a moment of the past."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from cachetools import LRUCache

from deepoj_domain.game.game import Game
from deepoj_domain.game.refusal import GameRefusal, TooOften
from deepoj_domain.game.scoring.board import Board, board_for
from deepoj_domain.game.scoring.rules import Rules, rules_of
from deepoj_domain.game.scoring.tally import Tally, score_participant
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.paging import Page, PageRequest, Position, malformed
from deepoj_game.queries.access import Visit
from deepoj_game.queries.ports import BoardReader, Ranked, Side, Throttle
from deepoj_game.queries.views import EntrantView

_MOST_KEPT: Final = 4
_MOST_WAITING: Final = 16
_TURN: Final = 20
# So long an answer is waited for; more than that is answered with how far it is.
_PATIENCE: Final = 2.0
_ASK_AGAIN: Final = timedelta(seconds=2)
_Key = tuple[GameId, Rules, int]


@dataclass(frozen=True, slots=True)
class PastBoard:
    sequence: int
    tallies: dict[AccountId, Tally]
    entrants: dict[AccountId, EntrantView]
    _boards: dict[tuple[BoardView, Side], Board] = field(default_factory=dict)

    def board(self, game: Game, view: BoardView, side: Side) -> Board:
        """Those that many see are put in order once."""
        known = self._boards.get((view, side))
        if known is None:
            tallies = (each for account, each in self.tallies.items() if account not in side.withheld)
            known = board_for(rules_of(game), tallies, view, is_frozen=side.frozen, viewer=side.own)
            if side.own is None:
                self._boards[view, side] = known
        return known


@dataclass(slots=True)
class Scoring:
    """A board of the past that is being scored, whether anybody waits for it or not."""

    task: asyncio.Task[PastBoard]
    done: int = 0
    total: int = 0

    def refused(self) -> TooOften:
        detail = f"{self.done} of {self.total} participants are scored" if self.total else "it waits its turn"
        return TooOften(GameRefusal.PAST_BOARD_COMING, detail, retry_after=_ASK_AGAIN)


class Past:
    """Scores everybody for each new moment asked for; the last few are kept, for whoever turns pages.

    What happens to the game later hardly ever changes a board of the past: of one that is kept only those
    rows are scored again that were touched since.

    Anybody can think of another moment, and each takes the scoring of everybody: one is scored at a time, and
    not many in a row for the same account. Guests count as one, staff may have as many as they like.
    """

    def __init__(self, boards: BoardReader, throttle: Throttle, patience: float = _PATIENCE) -> None:
        self._boards = boards
        self._throttle = throttle
        self._patience = patience
        self._one_at_a_time = asyncio.Lock()
        self._kept: LRUCache[_Key, PastBoard] = LRUCache(_MOST_KEPT)
        self._coming: dict[_Key, Scoring] = {}

    async def at(self, visit: Visit, at_us: int, *, wait: bool = False) -> PastBoard | TooOften:
        """Without `wait`, a board that takes long is refused for now, and is there later."""
        key = (visit.game.id, rules_of(visit.game), at_us)
        kept = self._kept.get(key)
        if kept is not None and kept.sequence == await self._boards.sequence(visit.game.id):
            return kept
        coming = self._coming.get(key)
        if coming is None:
            if kept is None and (refusal := self._why_not(visit)):
                return refusal
            coming = self._begin(key)
        limit = None if wait else self._patience
        await asyncio.wait((coming.task,), timeout=limit)
        return coming.task.result() if coming.task.done() else coming.refused()

    def _why_not(self, visit: Visit) -> TooOften | None:
        if visit.viewer.is_staff:
            return None
        wait = self._throttle.take(None if visit.actor is None else visit.actor.account_id)
        if wait is None and len(self._coming) >= _MOST_WAITING:
            wait = _ASK_AGAIN
        return None if wait is None else TooOften(GameRefusal.TOO_MANY_PAST_BOARDS, retry_after=wait)

    def _begin(self, key: _Key) -> Scoring:
        task = asyncio.create_task(self._scored(key))
        self._coming[key] = Scoring(task)

        def over(ended: asyncio.Task[PastBoard]) -> None:
            del self._coming[key]
            # Whoever waits is told; if nobody does, nobody has to be.
            if not ended.cancelled():
                ended.exception()

        task.add_done_callback(over)
        return self._coming[key]

    async def _scored(self, key: _Key) -> PastBoard:
        async with self._one_at_a_time, self._boards.log(key[0]) as log:
            known = self._kept.get(key)
            changed = None if known is None else await log.changed_since(known.sequence)
            tallies = {} if known is None or changed is None else dict(known.tallies)
            entrants = {} if known is None or changed is None else dict(known.entrants)
            progress = self._coming[key]
            progress.total = await log.participants() if changed is None else len(changed)
            async for entrant, facts in log.by_participant(changed):
                account = entrant.participant.account_id
                tallies[account] = score_participant(key[1], entrant.participant, facts, key[2])
                entrants[account] = entrant
                progress.done += 1
                if progress.done % _TURN == 0:
                    # Thousands may be scored here: let others have their turn.
                    await asyncio.sleep(0)
            found = PastBoard(log.sequence, tallies, entrants)
        self._kept[key] = found
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


def _position(after: Position) -> tuple[tuple[int, int, int], int]:
    try:
        key, account = after
        first, second, third = map(int, key.split(","))
        return (first, second, third), int(account)
    except ValueError as error:
        raise malformed() from error
