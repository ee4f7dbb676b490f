"""The tables of record's schema: their columns are named here and nowhere else; rows are read by these names.

Migrations make them; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
from psycopg.rows import dict_row
from sqlalchemy import BigInteger, Column, DateTime, Integer, LargeBinary, MetaData, Table, Text, Uuid
from sqlalchemy.dialects.postgresql import JSONB

from deepoj_kit.outbox import outbox_table
from deepoj_kit.postgres import Connection, Database, type_of

T = TypeVar("T")
Row = Mapping[str, Any]
Parameters = Sequence[object] | Mapping[str, object] | None
_MOMENT: Final = DateTime(timezone=True)
_required: Final = partial(Column[Any], nullable=False)
_METADATA: Final = MetaData(schema="record")

JUDGE_HOSTS: Final = Table(
    "judge_hosts",
    _METADATA,
    Column("name", Text, primary_key=True),
    _required("credential_sha256", LargeBinary),
    _required("invited_at", _MOMENT),
    Column("revoked_at", _MOMENT),
)

DRAINED_WORKERS: Final = Table(
    "drained_workers",
    _METADATA,
    Column("name", Text, primary_key=True),
    _required("reason", Text),
    _required("drained_by", Uuid),
    _required("drained_at", _MOMENT),
    _required("hand_back_at", _MOMENT),
)

REPRODUCTIONS: Final = Table(
    "reproductions",
    _METADATA,
    Column("id", Uuid, primary_key=True),
    _required("submission_id", Uuid),
    _required("worker", Text),
    _required("asked_at", _MOMENT),
    Column("answered_at", _MOMENT),
    Column("result", LargeBinary),
    Column("manifest", LargeBinary),
    Column("problem", Text),
)

SUBMISSIONS: Final = Table(
    "submissions",
    _METADATA,
    Column("id", Uuid, primary_key=True),
    _required("account_id", Uuid),
    Column("idempotency_key", Text),
    Column("request_hash", LargeBinary),
    _required("question_id", Uuid),
    _required("question_revision", Integer),
    Column("game_id", Uuid),
    _required("language", Text),
    _required("code_sha256", LargeBinary),
    _required("source_bytes", Integer),
    _required("lane", Text),
    _required("band", Text),
    _required("needs", Text),
    _required("status", Text),
    _required("attempt_id", Integer),
    Column("lease_owner", Text),
    Column("lease_until", _MOMENT),
    Column("verdict", Text),
    Column("score_micros", BigInteger),
    Column("result", JSONB),
    Column("death_cause", Text),
    Column("last_error", Text),
    Column("cancelled_by", Uuid),
    _required("submitted_at", _MOMENT),
    _required("updated_at", _MOMENT),
    Column("finished_at", _MOMENT),
    _required("origin_id", Uuid),
    Column("rejudge_of", Uuid),
    Column("rejudge_id", Uuid),
    _required("standing", Text),
    _required("message_due", _MOMENT),
    Column("message_id", Uuid),
    Column("traceparent", Text),
    _required("version", BigInteger),
)
SOURCES: Final = Table(
    "sources", _METADATA, Column("origin_id", Uuid, primary_key=True), _required("code", Text)
)
ATTEMPTS: Final = Table(
    "attempts",
    _METADATA,
    Column("submission_id", Uuid, primary_key=True),
    Column("attempt_id", Integer, primary_key=True),
    _required("worker", Text),
    _required("started_at", _MOMENT),
    Column("ended_at", _MOMENT),
    Column("outcome", Text),
    _required("reason", Text),
    _required("toolchain", Text),
)
REJUDGES: Final = Table(
    "rejudges",
    _METADATA,
    Column("id", Uuid, primary_key=True),
    _required("status", Text),
    _required("selection", JSONB),
    _required("reason", Text),
    _required("started_by", Uuid),
    _required("started_at", _MOMENT),
    Column("closed_at", _MOMENT),
    _required("version", BigInteger),
    _required("selected", Integer),
    Column("reached", Uuid),
    _required("applied", Integer),
    _required("dropped", Integer),
    Column("decided_by", Uuid),
    _required("touched_at", _MOMENT),
)
OUTBOX: Final = outbox_table(_METADATA)
TABLES: Final = (
    SUBMISSIONS,
    SOURCES,
    ATTEMPTS,
    REJUDGES,
    JUDGE_HOSTS,
    DRAINED_WORKERS,
    REPRODUCTIONS,
    OUTBOX,
)


def in_json(table: Table, *names: str) -> list[str]:
    """Return columns as `name type` for rows that come as JSON. It has no bytes: they come as hex digits."""
    columns = [table.c[name] for name in names]
    return [
        f"{column.name} {'text' if isinstance(column.type, LargeBinary) else type_of(column)}"
        for column in columns
    ]


def from_json(table: Table, *names: str) -> list[str]:
    """Return what turns such columns into those of the table."""
    return [
        f"decode({name}, 'hex')" if isinstance(table.c[name].type, LargeBinary) else name for name in names
    ]


async def fetch(connection: Connection, statement: str | bytes, parameters: Parameters = None) -> list[Row]:
    cursor = connection.cursor(row_factory=dict_row)
    await cursor.execute(statement.encode() if isinstance(statement, str) else statement, parameters)
    return list(await cursor.fetchall())


async def read(database: Database, statement: str | bytes, parameters: Parameters = None) -> list[Row]:
    async with database.connection() as connection:
        return await fetch(connection, statement, parameters)


async def count(connection: Connection, statement: str | bytes, parameters: Parameters = None) -> int:
    """Return the only value of the only row, which is called `count`."""
    (row,) = await fetch(connection, statement, parameters)
    return int(row["count"])


def utc(moment: datetime) -> datetime:
    """PostgreSQL answers in the time zone of the session."""
    return moment.astimezone(UTC)


def made_of(row: Row, kind: type[T]) -> T:
    """Make a dataclass of the columns that are named like its fields."""
    values = {name: utc(value) if isinstance(value, datetime) else value for name, value in row.items()}
    return msgspec.convert(values, kind)
