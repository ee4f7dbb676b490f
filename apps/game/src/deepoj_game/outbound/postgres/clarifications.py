"""Questions to the judges, answers and broadcasts."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from deepoj_domain.game.clarification import Answer, Clarification
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId, QuestionId
from deepoj_game.outbound.postgres.tables import CLARIFICATIONS, as_text, listed, names, utc
from deepoj_kit.postgres import Connection

CLARIFICATION_COLUMNS: Final = listed(names(CLARIFICATIONS), of="k")
_FIND: Final = f"SELECT {CLARIFICATION_COLUMNS} FROM game.clarifications k WHERE k.id = %s".encode()  # noqa: S608 — the names of the columns
_INSERT = insert(CLARIFICATIONS)
_PUT: Final = as_text(
    _INSERT.on_conflict_do_update(
        index_elements=["id"],
        set_={name: _INSERT.excluded[name] for name in ("answer", "answered_by", "answered_at", "public")},
    )
)


class ClarificationRow(NamedTuple):
    """The columns in the order of the table."""

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
    row = await (await connection.execute(_FIND, (clarification_id,))).fetchone()
    return None if row is None else clarification_of(ClarificationRow(*row))


async def put_clarification(connection: Connection, after: Clarification) -> None:
    answer = after.answer
    row = ClarificationRow(
        id=after.id,
        game_id=after.game_id,
        question_id=after.question_id,
        asked_by=after.asked_by,
        text=after.text,
        asked_at=after.asked_at,
        answer=None if answer is None else answer.text,
        answered_by=None if answer is None else answer.by,
        answered_at=None if answer is None else answer.at,
        public=after.public,
    )
    await connection.execute(_PUT, row._asdict())
