"""Who was first to solve what, read from the times of the ranked participants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.ids import AccountId, QuestionId
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
_NOBODY: Final = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Times:
    solved_ms: int | None = None
    pending_ms: int | None = None


async def first_times(
    connection: Connection,
    board_id: UUID,
    questions: Sequence[QuestionId],
    *,
    frozen: bool,
    without: AccountId | None = None,
) -> dict[QuestionId, Times]:
    """Return the earliest of each problem, of all but `without`."""
    statement = _TIMES.format(view="frozen" if frozen else "full")
    parameters = {"board": board_id, "questions": list(questions), "without": without or _NOBODY}
    rows = await (await connection.execute(statement.encode(), parameters)).fetchall()
    return {QuestionId(question): Times(solved, pending) for question, solved, pending in rows}
