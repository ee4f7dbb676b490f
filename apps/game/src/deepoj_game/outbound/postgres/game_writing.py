"""A game and what belongs to it, written as a whole."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec

from deepoj_domain.game.game import Game
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.records import Records

_COLUMNS: Final = (
    "title", "description", "owner_id", "format", "options", "starts_at", "ends_at", "freezes_at",
    "removed_intervals", "unfrozen_at", "finalized_at", "private", "password_hash", "sign_up_during",
    "cancel_during", "virtual_allowed", "deleted_at",
)  # fmt: skip
_NAMED: Final = ", ".join(_COLUMNS)
_PLACES: Final = ", ".join(f"%({name})s" for name in _COLUMNS)
_INSERT: Final = f"""
INSERT INTO game.games (id, {_NAMED}) VALUES (%(id)s, {_PLACES}) ON CONFLICT (id) DO NOTHING
"""  # noqa: S608 — composed of constants above
_UPDATE: Final = f"UPDATE game.games SET ({_NAMED}) = ({_PLACES}) WHERE id = %(id)s"  # noqa: S608 — same
_BOARD: Final = "INSERT INTO game.boards (id, game_id, made_at) VALUES (%s, %s, %s)"
_COUNTER: Final = "INSERT INTO game.counters (game_id, board_id) VALUES (%s, %s)"

_PROBLEMS: Final = Records(
    "question_id uuid", "ordinal integer", "label text", "points_micros bigint", "colour text"
)
_STAFF: Final = Records("account_id uuid", "role text")
_INVITED: Final = Records("account_id uuid")
_IGNORED: Final = Records("origin_id uuid")
_PARTS: Final = (
    ("problems", _PROBLEMS),
    ("staff", _STAFF),
    ("invitations", _INVITED),
    ("ignored", _IGNORED),
)


async def insert_game(connection: Connection, game: Game, password_hash: str | None) -> bool:
    """Tell whether the id was free."""
    inserted = await connection.execute(_INSERT.encode(), _values(game, password_hash, None))
    if inserted.rowcount == 1:
        await _write_parts(connection, game)
    return inserted.rowcount == 1


async def insert_board(connection: Connection, game: Game, board_id: object, now: datetime) -> None:
    await connection.execute(_BOARD, (board_id, game.id, now))
    await connection.execute(_COUNTER, (game.id, board_id))


async def update_game(
    connection: Connection, before: Game, after: Game, password_hash: str | None, now: datetime
) -> None:
    await connection.execute(_UPDATE.encode(), _values(after, password_hash, now))
    if _parts(before) != _parts(after):
        for table, _ in _PARTS:
            statement = f"DELETE FROM game.{table} WHERE game_id = %s"  # noqa: S608 — a constant
            await connection.execute(statement.encode(), (after.id,))
        await _write_parts(connection, after)


async def _write_parts(connection: Connection, game: Game) -> None:
    for (table, records), rows in zip(_PARTS, _parts(game), strict=True):
        if rows:
            names = ", ".join(records.names)
            statement = f"""
            INSERT INTO game.{table} (game_id, {names}) SELECT %s, {names} FROM {records.called("new")}
            """  # noqa: S608 — composed of constants above
            await connection.execute(statement.encode(), (game.id, records.parameter(rows)))


def _parts(game: Game) -> tuple[list[tuple[object, ...]], ...]:
    """Return the rows of each table, in the order of `_PARTS`."""
    plan = game.plan
    return (
        [
            (each.question_id, ordinal, each.label, each.points.micros, each.colour.lower())
            for ordinal, each in enumerate(plan.problems)
        ],
        [
            *((account, "admin") for account in sorted(plan.admins)),
            *((account, "judge") for account in sorted(plan.judges - plan.admins)),
        ],
        [(account,) for account in sorted(plan.sign_up.invited)],
        [(origin,) for origin in sorted(game.ignored)],
    )


def _values(game: Game, password_hash: str | None, now: datetime | None) -> dict[str, object]:
    plan = game.plan
    return {
        "id": game.id,
        "title": plan.title,
        "description": plan.description,
        "owner_id": game.owner,
        "format": plan.format.value,
        "options": msgspec.json.encode(plan.options).decode(),
        "starts_at": plan.schedule.start,
        "ends_at": plan.schedule.end,
        "freezes_at": plan.schedule.freeze,
        "removed_intervals": msgspec.json.encode(plan.schedule.removed).decode(),
        "unfrozen_at": plan.schedule.unfrozen_at,
        "finalized_at": plan.schedule.finalized_at,
        "private": plan.sign_up.private,
        "password_hash": password_hash,
        "sign_up_during": plan.sign_up.late_sign_up,
        "cancel_during": plan.sign_up.late_withdrawal,
        "virtual_allowed": plan.sign_up.virtual_allowed,
        "deleted_at": now if game.deleted else None,
    }
