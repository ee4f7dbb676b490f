"""What a rebuilt board has otherwise than the one that is shown."""

from __future__ import annotations

import asyncio
from typing import Final
from uuid import UUID

from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.board import board_of
from deepoj_domain.game.scoring.diff import RankChange, diff
from deepoj_domain.game.scoring.tally import Row
from deepoj_domain.game.work import MOST_CHANGES_TOLD, Rebuilt
from deepoj_domain.kernel.ids import AccountId
from deepoj_game.outbound.postgres.board_rows import decode_row
from deepoj_game.outbound.postgres.game_lock import BoardRef
from deepoj_kit.postgres import Connection

_ROWS: Final = """
SELECT r.account_id, p.kind, r.full_row FROM game.rows r
JOIN game.participants p ON p.game_id = %s AND p.account_id = r.account_id WHERE r.board_id = %s
"""
_NAMES: Final = (
    "SELECT account_id, display_name FROM game.participants WHERE game_id = %s AND account_id = ANY (%s)"
)
# The fact that holds of each submission, as `Fact.weight` has it.
_HEADS: Final = """
SELECT DISTINCT ON (origin_id) origin_id, submission_id, account_id, question_id, submitted_us, verdict,
    score_micros, groups, cancelled
FROM game.facts WHERE log_id = %({log})s AND (%(only)s::uuid IS NULL OR account_id = %(only)s)
ORDER BY origin_id, known_us DESC, decided DESC, submission_id DESC
"""
_CORRECTED: Final = """
SELECT count(*) FROM ({new}) AS n FULL JOIN ({shown}) AS s ON s.origin_id = n.origin_id
WHERE (n.submission_id, n.account_id, n.question_id, n.submitted_us, n.verdict, n.score_micros, n.groups,
    n.cancelled) IS DISTINCT FROM (s.submission_id, s.account_id, s.question_id, s.submitted_us, s.verdict,
    s.score_micros, s.groups, s.cancelled)
""".format(new=_HEADS.format(log="new"), shown=_HEADS.format(log="shown"))

_Stored = list[tuple[UUID, str, str]]


async def compared(
    connection: Connection,
    game: Game,
    shown: BoardRef,
    new: BoardRef,
    only: AccountId | None,
    submissions: int,
) -> Rebuilt:
    """`only` limits the rebuilt board to one participant; the others' rows are those that are shown."""
    before = await _rows(connection, game, shown)
    after = await _rows(connection, game, new)
    labels = tuple(problem.label for problem in game.plan.problems)
    changes = await asyncio.to_thread(_changes, labels, before, after, only)
    parameters = {"new": new.log_id, "shown": shown.log_id, "only": only}
    row = await (await connection.execute(_CORRECTED.encode(), parameters)).fetchone()
    told = changes[:MOST_CHANGES_TOLD]
    accounts = [change.account_id for change in told]
    names = await (await connection.execute(_NAMES, (game.id, accounts))).fetchall()
    return Rebuilt(
        submissions=submissions,
        corrected=0 if row is None else row[0],
        rows_changed=len(changes),
        changes=told,
        labels=labels,
        names={AccountId(account): name for account, name in names},
    )


async def _rows(connection: Connection, game: Game, board: BoardRef) -> _Stored:
    return [(*row,) for row in await (await connection.execute(_ROWS, (game.id, board.id))).fetchall()]


def _changes(
    labels: tuple[str, ...], before: _Stored, after: _Stored, only: AccountId | None
) -> tuple[RankChange, ...]:
    """In a thread: ten thousand rows take a second."""
    old, new = _decoded(before), _decoded(after)
    if only is not None:
        new = {account: row for account, row in old.items() if account != only} | new
    return diff(board_of(labels, old.values()), board_of(labels, new.values()))


def _decoded(stored: _Stored) -> dict[AccountId, Row]:
    return {
        AccountId(account): decode_row(AccountId(account), ParticipantKind(kind), text)
        for account, kind, text in stored
    }
