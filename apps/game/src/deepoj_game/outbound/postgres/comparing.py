"""What a rebuilt board has otherwise than the one that is shown."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.board import board_of
from deepoj_domain.game.scoring.diff import diff
from deepoj_domain.game.scoring.tally import Row
from deepoj_domain.kernel.ids import AccountId
from deepoj_game.commands.recompute import Rebuilt
from deepoj_game.outbound.postgres.locking import Locked
from deepoj_game.outbound.postgres.row_codec import decode_row
from deepoj_kit.postgres import Connection

_ROWS: Final = """
SELECT r.account_id, p.kind, r.full_row FROM game.rows r
JOIN game.participants p ON p.game_id = %s AND p.account_id = r.account_id WHERE r.board_id = %s
"""
_NAMES: Final = "SELECT account_id, display_name FROM game.participants WHERE game_id = %s"
# The fact that holds of each submission, as `Fact.weight` has it.
_HEADS: Final = """
SELECT DISTINCT ON (origin_id) origin_id, submission_id, account_id, question_id, submitted_us, verdict,
    score_micros, groups, cancelled
FROM game.facts WHERE board_id = %({board})s AND (%(only)s::uuid IS NULL OR account_id = %(only)s)
ORDER BY origin_id, known_us DESC, decided DESC, submission_id DESC
"""
_CORRECTED: Final = """
SELECT count(DISTINCT origin_id) FROM (
    (({new}) EXCEPT ({shown})) UNION ALL (({shown}) EXCEPT ({new}))
) AS different
""".format(new=_HEADS.format(board="new"), shown=_HEADS.format(board="shown"))


async def compared(locked: Locked, board_id: UUID, only: AccountId | None) -> Rebuilt:
    """`only` limits the rebuilt board to one participant; the others' rows are those that are shown."""
    connection, game = locked.connection, locked.game
    before = await _rows(connection, game.id, locked.board_id)
    after = await _rows(connection, game.id, board_id)
    if only is not None:
        after = {account: row for account, row in before.items() if account != only} | after
    labels = tuple(problem.label for problem in game.plan.problems)
    changes = diff(board_of(labels, before.values()), board_of(labels, after.values()))
    parameters = {"new": board_id, "shown": locked.board_id, "only": only}
    row = await (await connection.execute(_CORRECTED.encode(), parameters)).fetchone()
    names = await (await connection.execute(_NAMES, (game.id,))).fetchall()
    return Rebuilt(
        changes=changes,
        labels=labels,
        names={AccountId(account): name for account, name in names},
        corrected=0 if row is None else row[0],
    )


async def _rows(connection: Connection, game_id: UUID, board_id: UUID) -> dict[AccountId, Row]:
    cursor = await connection.execute(_ROWS, (game_id, board_id))
    return {
        AccountId(account): decode_row(AccountId(account), ParticipantKind(kind), text)
        for account, kind, text in await cursor.fetchall()
    }
