"""Clarifications in their table."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from deepoj_domain.game.clarification import Answer, Clarification
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId, QuestionId
from deepoj_game.outbound.postgres.game_rows import utc
from deepoj_kit.postgres import Connection

CLARIFICATION_COLUMNS: Final = """k.id, k.game_id, k.question_id, k.asked_by, k.text, k.asked_at, k.answer,
k.answered_by, k.answered_at, k.public"""
_FIND: Final = f"SELECT {CLARIFICATION_COLUMNS} FROM game.clarifications k WHERE k.id = %s"  # noqa: S608 — constants
_PUT: Final = """
INSERT INTO game.clarifications
    (id, game_id, question_id, asked_by, text, asked_at, answer, answered_by, answered_at, public)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (id) DO UPDATE SET answer = excluded.answer, answered_by = excluded.answered_by,
    answered_at = excluded.answered_at, public = excluded.public
"""


class ClarificationRow(NamedTuple):
    """The columns in the order of `CLARIFICATION_COLUMNS`."""

    id: UUID
    game_id: UUID
    question_id: UUID | None
    asked_by: UUID | None
    text: str
    asked_at: datetime
    answer: str | None
    answered_by: UUID | None
    answered_at: datetime | None
    public: bool


def clarification_of(row: ClarificationRow) -> Clarification:
    answer = None
    if row.answer is not None and row.answered_by is not None and row.answered_at is not None:
        answer = Answer(row.answer, AccountId(row.answered_by), utc(row.answered_at))
    return Clarification(
        id=ClarificationId(row.id),
        game_id=GameId(row.game_id),
        question_id=None if row.question_id is None else QuestionId(row.question_id),
        asked_by=None if row.asked_by is None else AccountId(row.asked_by),
        text=row.text,
        asked_at=utc(row.asked_at),
        answer=answer,
        public=row.public,
    )


async def find_clarification(
    connection: Connection, clarification_id: ClarificationId
) -> Clarification | None:
    row = await (await connection.execute(_FIND.encode(), (clarification_id,))).fetchone()
    return None if row is None else clarification_of(ClarificationRow(*row))


async def put_clarification(connection: Connection, after: Clarification) -> None:
    answer = after.answer
    answered = (None, None, None) if answer is None else (answer.text, answer.by, answer.at)
    values = (after.id, after.game_id, after.question_id, after.asked_by, after.text, after.asked_at)
    await connection.execute(_PUT, (*values, *answered, after.public))
