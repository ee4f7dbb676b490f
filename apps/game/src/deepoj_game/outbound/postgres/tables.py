"""The tables of the game service. Migrations make them; a test compares the two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Column, Executable, LargeBinary, MetaData, Table

from deepoj_kit.postgres import Connection, compiled, type_of
from deepoj_kit.postgres.columns import bigint, binary, boolean, integer, json, moment, text, uuid
from deepoj_kit.postgres.statements import Records

METADATA: Final = MetaData(schema="game")

GAMES: Final = Table(
    "games",
    METADATA,
    uuid("id", key=True),
    text("title"),
    text("description"),
    uuid("owner_id"),
    text("format"),
    json("options"),
    moment("starts_at"),
    moment("ends_at"),
    moment("freezes_at", optional=True),
    json("removed_intervals"),
    moment("unfrozen_at", optional=True),
    moment("finalized_at", optional=True),
    boolean("private"),
    text("password_hash", optional=True),
    boolean("sign_up_during"),
    boolean("cancel_during"),
    boolean("virtual_allowed"),
    moment("deleted_at", optional=True),
)
PROBLEMS: Final = Table(
    "problems",
    METADATA,
    uuid("game_id", key=True),
    uuid("question_id", key=True),
    integer("ordinal"),
    text("label"),
    bigint("points_micros"),
    text("colour"),
)
STAFF: Final = Table("staff", METADATA, uuid("game_id", key=True), uuid("account_id", key=True), text("role"))
INVITATIONS: Final = Table("invitations", METADATA, uuid("game_id", key=True), uuid("account_id", key=True))
IGNORED: Final = Table("ignored", METADATA, uuid("game_id", key=True), uuid("origin_id", key=True))
PARTICIPANTS: Final = Table(
    "participants",
    METADATA,
    uuid("game_id", key=True),
    uuid("account_id", key=True),
    text("display_name"),
    text("kind"),
    moment("signed_up_at"),
    moment("virtual_start", optional=True),
    integer("penalty_adjustment"),
    boolean("withdrawn"),
    boolean("removed"),
)
CLARIFICATIONS: Final = Table(
    "clarifications",
    METADATA,
    uuid("id", key=True),
    uuid("game_id"),
    uuid("question_id", optional=True),
    uuid("asked_by", optional=True),
    text("text"),
    moment("asked_at"),
    text("answer", optional=True),
    uuid("answered_by", optional=True),
    moment("answered_at", optional=True),
    boolean("public"),
)
BOARDS: Final = Table(
    "boards", METADATA, uuid("id", key=True), uuid("game_id"), moment("made_at"), uuid("log_id")
)
COUNTERS: Final = Table(
    "counters",
    METADATA,
    uuid("game_id", key=True),
    bigint("sequence"),
    uuid("board_id"),
    bigint("version"),
    bigint("public_sequence"),
    uuid("log_id"),
)
CHANGES: Final = Table(
    "changes",
    METADATA,
    uuid("game_id", key=True),
    bigint("sequence", key=True),
    text("kind"),
    uuid("account_id", optional=True),
    uuid("clarification_id", optional=True),
    moment("at"),
    boolean("public"),
    bigint("public_sequence"),
    uuid("own_id", optional=True),
)
FACTS: Final = Table(
    "facts",
    METADATA,
    uuid("log_id", key=True),
    uuid("submission_id", key=True),
    boolean("decided", key=True),
    uuid("origin_id"),
    uuid("account_id"),
    uuid("question_id"),
    bigint("submitted_us"),
    bigint("known_us"),
    text("verdict", optional=True),
    bigint("score_micros"),
    text("groups"),
    boolean("cancelled"),
    bigint("sequence", optional=True),
)
ROWS: Final = Table(
    "rows",
    METADATA,
    uuid("board_id", key=True),
    uuid("account_id", key=True),
    boolean("shown"),
    boolean("ranked"),
    binary("full_key"),
    text("full_row"),
    binary("frozen_key"),
    text("frozen_row"),
)
CELLS: Final = Table(
    "cells",
    METADATA,
    uuid("board_id", key=True),
    uuid("question_id", key=True),
    uuid("account_id", key=True),
    bigint("full_solved_ms", optional=True),
    bigint("full_pending_ms", optional=True),
    bigint("frozen_solved_ms", optional=True),
    bigint("frozen_pending_ms", optional=True),
)
WORK: Final = Table(
    "work",
    METADATA,
    uuid("id", key=True),
    uuid("game_id"),
    text("kind"),
    json("task"),
    uuid("asked_by"),
    moment("asked_at"),
    text("reason"),
    text("stage"),
    bigint("done"),
    bigint("total"),
    integer("attempts"),
    uuid("board_id", optional=True),
    uuid("log_id", optional=True),
    bigint("since", optional=True),
    bigint("version", optional=True),
    text("position"),
    bigint("submissions"),
    moment("finished_at", optional=True),
    text("outcome", optional=True),
    text("error"),
    json("result", optional=True),
)
AUDIT: Final = Table(
    "audit",
    METADATA,
    uuid("id", key=True),
    uuid("game_id"),
    uuid("actor_id"),
    moment("at"),
    text("action"),
    text("reason"),
    json("details"),
)


def names(table: Table, without: Iterable[str] = ()) -> tuple[str, ...]:
    return tuple(name for name in table.columns.keys() if name not in frozenset(without))  # noqa: SIM118 — not a dict


def listed(columns: Iterable[str], of: str = "") -> str:
    """Return the columns as a statement names them."""
    return ", ".join(f"{of}.{name}" if of else name for name in columns)


def records(table: Table, columns: Sequence[str]) -> Records:
    """Return rows of these columns as one parameter; bytes travel as hexadecimal text."""
    return Records(*(f"{name} {_type_of(table.columns[name])}" for name in columns))


def typed(table: Table, columns: Iterable[str]) -> str:
    """Return the columns with their types, as the definition of a table has them."""
    return ", ".join(f"{name} {_type_of(table.columns[name])}" for name in columns)


def _type_of(column: Column[Any]) -> str:
    return "text" if isinstance(column.type, LargeBinary) else type_of(column)


def excluded(columns: Iterable[str]) -> str:
    """Return what `ON CONFLICT DO UPDATE SET` needs to take over these columns."""
    return ", ".join(f"{name} = excluded.{name}" for name in columns)


def as_text(statement: Executable) -> bytes:
    """Return a statement whose values come with each execution, by the names of its parameters."""
    text, _ = compiled(statement)
    return text


async def fetch(connection: Connection, statement: Executable) -> list[tuple[Any, ...]]:
    """Run a statement that was built for this one question."""
    cursor = await connection.execute(*compiled(statement))
    return [(*row,) for row in await cursor.fetchall()]
