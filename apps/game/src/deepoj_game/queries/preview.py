"""What other rows would do to the ranks, solved counts and first places of a board."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.board import board_of
from deepoj_domain.game.scoring.diff import RankChange, diff
from deepoj_domain.game.scoring.tally import Row
from deepoj_domain.kernel.ids import AccountId
from deepoj_game.queries.ports import EVERYTHING, BoardReader
from deepoj_game.queries.views import EntrantView


@dataclass(frozen=True, slots=True)
class Preview:
    changes: tuple[RankChange, ...]
    labels: tuple[str, ...]
    entrants: dict[AccountId, EntrantView]


async def preview(boards: BoardReader, game: Game, supposed: Mapping[AccountId, Row]) -> Preview:
    """`supposed` rows stand in the place of those there are."""
    rows: dict[AccountId, Row] = {}
    entrants: dict[AccountId, EntrantView] = {}
    async for each in boards.all(game, EVERYTHING):
        rows[each.row.row.account_id] = each.row.row
        entrants[each.row.row.account_id] = each.entrant
    labels = tuple(problem.label for problem in game.plan.problems)
    after = rows | {account: row for account, row in supposed.items() if account in rows}
    # In a thread: ten thousand rows take a second.
    changes = await asyncio.to_thread(_changes, labels, rows, after)
    return Preview(changes, labels, entrants)


def _changes(
    labels: tuple[str, ...], before: Mapping[AccountId, Row], after: Mapping[AccountId, Row]
) -> tuple[RankChange, ...]:
    return diff(board_of(labels, before.values()), board_of(labels, after.values()))
