"""Who was first to solve what, read from the times of the ranked participants."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_game.outbound.postgres.facts import Cursor
from deepoj_kit.postgres import Connection

# The same rule as `first_to_solve` of the domain: the earliest millisecond, unless something undecided is
# earlier. Each minimum is one step into an index.
_TIMES: Final = """
SELECT q.question_id, s.solved, p.pending FROM unnest(%(questions)s::uuid[]) AS q (question_id)
CROSS JOIN LATERAL (
    SELECT min({view}_solved_ms) AS solved FROM game.cells c
    WHERE c.board_id = %(board)s AND c.question_id = q.question_id AND c.account_id <> %(without)s) s
CROSS JOIN LATERAL (
    SELECT min({view}_pending_ms) AS pending FROM game.cells c
    WHERE c.board_id = %(board)s AND c.question_id = q.question_id AND c.account_id <> %(without)s) p
"""
_HOLDERS: Final = """
SELECT c.question_id, '{view}', c.account_id FROM ({times}) t
JOIN game.cells c
    ON c.board_id = %(board)s AND c.question_id = t.question_id AND c.{view}_solved_ms = t.solved
WHERE t.pending IS NULL OR t.pending >= t.solved
"""
_BOTH_HOLDERS: Final = " UNION ALL ".join(
    _HOLDERS.format(times=_TIMES.format(view=view), view=view) for view in ("full", "frozen")
)
_NOBODY: Final = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Times:
    solved_ms: int | None = None
    pending_ms: int | None = None


async def ask_first_times(
    connection: Connection,
    board_id: UUID,
    questions: Sequence[QuestionId],
    *,
    frozen: bool,
    without: AccountId | None = None,
) -> Cursor:
    """Ask for the earliest of each problem, of all but `without`."""
    statement = _TIMES.format(view="frozen" if frozen else "full")
    parameters = {"board": board_id, "questions": list(questions), "without": without or _NOBODY}
    return await connection.execute(statement.encode(), parameters)


async def read_first_times(cursor: Cursor) -> dict[QuestionId, Times]:
    rows = await cursor.fetchall()
    return {QuestionId(question): Times(solved, pending) for question, solved, pending in rows}


async def ask_holders(connection: Connection, board_id: UUID, questions: Collection[QuestionId]) -> Cursor:
    """Ask who holds which first, on either side of the freeze."""
    parameters = {"board": board_id, "questions": list(questions), "without": _NOBODY}
    return await connection.execute(_BOTH_HOLDERS.encode(), parameters)


async def read_holders(cursor: Cursor) -> set[tuple[QuestionId, str, AccountId]]:
    rows = await cursor.fetchall()
    return {(QuestionId(question), view, AccountId(account)) for question, view, account in rows}
