"""Who takes part in a game and under which name, and what they ask the judges."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from deepoj_domain.game.clarification import Answer, Clarification
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId, QuestionId
from deepoj_game.outbound.postgres.tables import CLARIFICATIONS, PARTICIPANTS, as_text, listed, names
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.statements import utc, utc_or_none

PARTICIPANT_COLUMNS: Final = listed(names(PARTICIPANTS), of="p")
_FIND_PARTICIPANTS: Final = f"""
SELECT {PARTICIPANT_COLUMNS} FROM game.participants p WHERE p.game_id = %s AND p.account_id = ANY(%s)
""".encode()  # noqa: S608 — the names of the columns
_EVERYBODY: Final = "SELECT account_id FROM game.participants WHERE game_id = %s ORDER BY account_id"
_KEY: Final = {"game_id", "account_id"}
_INSERT_PARTICIPANT = insert(PARTICIPANTS)
_PUT_PARTICIPANT: Final = as_text(
    _INSERT_PARTICIPANT.on_conflict_do_update(
        index_elements=sorted(_KEY),
        set_={name: _INSERT_PARTICIPANT.excluded[name] for name in names(PARTICIPANTS, without=_KEY)},
    )
)
CLARIFICATION_COLUMNS: Final = listed(names(CLARIFICATIONS), of="k")
_FIND_CLARIFICATION: Final = f"""
SELECT {CLARIFICATION_COLUMNS} FROM game.clarifications k WHERE k.id = %s
""".encode()  # noqa: S608 — same
_INSERT_CLARIFICATION = insert(CLARIFICATIONS)
_PUT_CLARIFICATION: Final = as_text(
    _INSERT_CLARIFICATION.on_conflict_do_update(
        index_elements=["id"],
        set_={
            name: _INSERT_CLARIFICATION.excluded[name]
            for name in ("answer", "answered_by", "answered_at", "public")
        },
    )
)


class ParticipantRow(NamedTuple):
    """The columns in the order of the table."""

    game_id: UUID
    account_id: UUID
    display_name: str
    kind: str
    signed_up_at: datetime
    virtual_start: datetime | None
    penalty_adjustment: int
    withdrawn: bool
    removed: bool


def participant_of(row: ParticipantRow) -> Participant:
    return Participant(
        game_id=GameId(row.game_id),
        account_id=AccountId(row.account_id),
        kind=ParticipantKind(row.kind),
        signed_up_at=utc(row.signed_up_at),
        virtual_start=utc_or_none(row.virtual_start),
        penalty_adjustment_minutes=row.penalty_adjustment,
        withdrawn=row.withdrawn,
        removed=row.removed,
    )


async def find_participants(
    connection: Connection, game_id: GameId, accounts: Sequence[AccountId]
) -> list[ParticipantRow]:
    cursor = await connection.execute(_FIND_PARTICIPANTS, (game_id, list(accounts)))
    return [ParticipantRow(*row) for row in await cursor.fetchall()]


async def everybody(connection: Connection, game_id: GameId) -> list[AccountId]:
    cursor = await connection.execute(_EVERYBODY, (game_id,))
    return [AccountId(row[0]) for row in await cursor.fetchall()]


async def put_participant(connection: Connection, who: Participant, display_name: str) -> None:
    row = ParticipantRow(
        game_id=who.game_id,
        account_id=who.account_id,
        display_name=display_name,
        kind=who.kind.value,
        signed_up_at=who.signed_up_at,
        virtual_start=who.virtual_start,
        penalty_adjustment=who.penalty_adjustment_minutes,
        withdrawn=who.withdrawn,
        removed=who.removed,
    )
    await connection.execute(_PUT_PARTICIPANT, row._asdict())


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
    row = await (await connection.execute(_FIND_CLARIFICATION, (clarification_id,))).fetchone()
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
    await connection.execute(_PUT_CLARIFICATION, row._asdict())
