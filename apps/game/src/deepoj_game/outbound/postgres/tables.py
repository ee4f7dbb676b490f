"""The tables of the game service. Migrations make them; a test compares the two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    ClauseElement,
    Column,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    Uuid,
    make_url,
)
from sqlalchemy.dialects.postgresql import JSONB

from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.statements import Records

METADATA: Final = MetaData(schema="game")
_MOMENT: Final = DateTime(timezone=True)
# The one of the driver: its parameters are psycopg's.
_DIALECT: Final = make_url("postgresql+psycopg://").get_dialect()()


def _id(name: str, *, key: bool = False, optional: bool = False) -> Column[Any]:
    return Column(name, Uuid, primary_key=key, nullable=optional)


def _text(name: str, *, optional: bool = False) -> Column[Any]:
    return Column(name, Text, nullable=optional)


def _flag(name: str, *, key: bool = False) -> Column[Any]:
    return Column(name, Boolean, primary_key=key, nullable=False)


def _number(name: str, *, key: bool = False, optional: bool = False) -> Column[Any]:
    return Column(name, BigInteger, primary_key=key, autoincrement=False, nullable=optional)


def _moment(name: str, *, optional: bool = False) -> Column[Any]:
    return Column(name, _MOMENT, nullable=optional)


GAMES: Final = Table(
    "games",
    METADATA,
    _id("id", key=True),
    _text("title"),
    _text("description"),
    _id("owner_id"),
    _text("format"),
    Column("options", JSONB, nullable=False),
    _moment("starts_at"),
    _moment("ends_at"),
    _moment("freezes_at", optional=True),
    Column("removed_intervals", JSONB, nullable=False),
    _moment("unfrozen_at", optional=True),
    _moment("finalized_at", optional=True),
    _flag("private"),
    _text("password_hash", optional=True),
    _flag("sign_up_during"),
    _flag("cancel_during"),
    _flag("virtual_allowed"),
    _moment("deleted_at", optional=True),
)
PROBLEMS: Final = Table(
    "problems",
    METADATA,
    _id("game_id", key=True),
    _id("question_id", key=True),
    Column("ordinal", Integer, nullable=False),
    _text("label"),
    _number("points_micros"),
    _text("colour"),
)
STAFF: Final = Table("staff", METADATA, _id("game_id", key=True), _id("account_id", key=True), _text("role"))
INVITATIONS: Final = Table("invitations", METADATA, _id("game_id", key=True), _id("account_id", key=True))
IGNORED: Final = Table("ignored", METADATA, _id("game_id", key=True), _id("origin_id", key=True))
PARTICIPANTS: Final = Table(
    "participants",
    METADATA,
    _id("game_id", key=True),
    _id("account_id", key=True),
    _text("display_name"),
    _text("kind"),
    _moment("signed_up_at"),
    _moment("virtual_start", optional=True),
    Column("penalty_adjustment", Integer, nullable=False),
    _flag("withdrawn"),
    _flag("removed"),
)
CLARIFICATIONS: Final = Table(
    "clarifications",
    METADATA,
    _id("id", key=True),
    _id("game_id"),
    _id("question_id", optional=True),
    _id("asked_by", optional=True),
    _text("text"),
    _moment("asked_at"),
    _text("answer", optional=True),
    _id("answered_by", optional=True),
    _moment("answered_at", optional=True),
    _flag("public"),
)
BOARDS: Final = Table(
    "boards", METADATA, _id("id", key=True), _id("game_id"), _moment("made_at"), _id("log_id")
)
COUNTERS: Final = Table(
    "counters",
    METADATA,
    _id("game_id", key=True),
    _number("sequence"),
    _id("board_id"),
    _number("version"),
    _number("public_sequence"),
    _id("log_id"),
)
CHANGES: Final = Table(
    "changes",
    METADATA,
    _id("game_id", key=True),
    _number("sequence", key=True),
    _text("kind"),
    _id("account_id", optional=True),
    _id("clarification_id", optional=True),
    _moment("at"),
    _flag("public"),
    _number("public_sequence"),
    _id("own_id", optional=True),
)
FACTS: Final = Table(
    "facts",
    METADATA,
    _id("log_id", key=True),
    _id("submission_id", key=True),
    _flag("decided", key=True),
    _id("origin_id"),
    _id("account_id"),
    _id("question_id"),
    _number("submitted_us"),
    _number("known_us"),
    _text("verdict", optional=True),
    _number("score_micros"),
    _text("groups"),
    _flag("cancelled"),
    _number("sequence", optional=True),
)
ROWS: Final = Table(
    "rows",
    METADATA,
    _id("board_id", key=True),
    _id("account_id", key=True),
    _flag("shown"),
    _flag("ranked"),
    Column("full_key", LargeBinary, nullable=False),
    _text("full_row"),
    Column("frozen_key", LargeBinary, nullable=False),
    _text("frozen_row"),
)
CELLS: Final = Table(
    "cells",
    METADATA,
    _id("board_id", key=True),
    _id("question_id", key=True),
    _id("account_id", key=True),
    _number("full_solved_ms", optional=True),
    _number("full_pending_ms", optional=True),
    _number("frozen_solved_ms", optional=True),
    _number("frozen_pending_ms", optional=True),
)
WORK: Final = Table(
    "work",
    METADATA,
    _id("id", key=True),
    _id("game_id"),
    _text("kind"),
    Column("task", JSONB, nullable=False),
    _id("asked_by"),
    _moment("asked_at"),
    _text("reason"),
    _text("stage"),
    _number("done"),
    _number("total"),
    Column("attempts", Integer, nullable=False),
    _id("board_id", optional=True),
    _id("log_id", optional=True),
    _number("since", optional=True),
    _number("version", optional=True),
    _text("position"),
    _number("submissions"),
    _moment("finished_at", optional=True),
    _text("outcome", optional=True),
    _text("error"),
    Column("result", JSONB, nullable=True),
)
AUDIT: Final = Table(
    "audit",
    METADATA,
    _id("id", key=True),
    _id("game_id"),
    _id("actor_id"),
    _moment("at"),
    _text("action"),
    _text("reason"),
    Column("details", JSONB, nullable=False),
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
    return "text" if isinstance(column.type, LargeBinary) else column.type.compile(dialect=_DIALECT)


def excluded(columns: Iterable[str]) -> str:
    """Return what `ON CONFLICT DO UPDATE SET` needs to take over these columns."""
    return ", ".join(f"{name} = excluded.{name}" for name in columns)


def as_text(statement: ClauseElement) -> bytes:
    """Return a statement whose values come with each execution, by the names of its parameters."""
    return str(statement.compile(dialect=_DIALECT)).encode()


async def fetch(connection: Connection, statement: ClauseElement) -> list[tuple[Any, ...]]:
    """Run a statement that was built for this one question."""
    compiled = statement.compile(dialect=_DIALECT)
    cursor = await connection.execute(str(compiled).encode(), compiled.params)
    return [(*row,) for row in await cursor.fetchall()]


def utc(moment: datetime) -> datetime:
    """PostgreSQL answers in the time zone of the session."""
    return moment.astimezone(UTC)


def utc_or_none(moment: datetime | None) -> datetime | None:
    return None if moment is None else utc(moment)
