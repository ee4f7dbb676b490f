"""Who takes part in a game, and under which name."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_game.outbound.postgres.tables import PARTICIPANTS, as_text, listed, names, utc, utc_or_none
from deepoj_kit.postgres import Connection

PARTICIPANT_COLUMNS: Final = listed(names(PARTICIPANTS), of="p")
_FIND: Final = f"""
SELECT {PARTICIPANT_COLUMNS} FROM game.participants p WHERE p.game_id = %s AND p.account_id = ANY(%s)
""".encode()  # noqa: S608 — the names of the columns
_EVERYBODY: Final = "SELECT account_id FROM game.participants WHERE game_id = %s ORDER BY account_id"
_KEY: Final = {"game_id", "account_id"}
_INSERT = insert(PARTICIPANTS)
_PUT: Final = as_text(
    _INSERT.on_conflict_do_update(
        index_elements=sorted(_KEY),
        set_={name: _INSERT.excluded[name] for name in names(PARTICIPANTS, without=_KEY)},
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
    cursor = await connection.execute(_FIND, (game_id, list(accounts)))
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
    await connection.execute(_PUT, row._asdict())
