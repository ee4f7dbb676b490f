"""The tables of record's schema: their columns are named here and nowhere else; rows are read by these names.

Migrations make them; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

import msgspec
from psycopg.rows import dict_row
from sqlalchemy import LargeBinary, MetaData, Table

from deepoj_kit.outbox import outbox_table
from deepoj_kit.postgres import Connection, Database, type_of
from deepoj_kit.postgres.columns import bigint, binary, integer, json, moment, text, uuid
from deepoj_kit.postgres.statements import utc

T = TypeVar("T")
Row = Mapping[str, Any]
Parameters = Sequence[object] | Mapping[str, object] | None
_METADATA: Final = MetaData(schema="record")

JUDGE_HOSTS: Final = Table(
    "judge_hosts",
    _METADATA,
    text("name", key=True),
    binary("credential_sha256"),
    moment("invited_at"),
    moment("revoked_at", optional=True),
)

DRAINED_WORKERS: Final = Table(
    "drained_workers",
    _METADATA,
    text("name", key=True),
    text("reason"),
    uuid("drained_by"),
    moment("drained_at"),
    moment("hand_back_at"),
)

REPRODUCTIONS: Final = Table(
    "reproductions",
    _METADATA,
    uuid("id", key=True),
    uuid("submission_id"),
    text("worker"),
    moment("asked_at"),
    moment("answered_at", optional=True),
    binary("result", optional=True),
    binary("manifest", optional=True),
    text("problem", optional=True),
)

SUBMISSIONS: Final = Table(
    "submissions",
    _METADATA,
    uuid("id", key=True),
    uuid("account_id"),
    text("idempotency_key", optional=True),
    binary("request_hash", optional=True),
    uuid("question_id"),
    integer("question_revision"),
    uuid("game_id", optional=True),
    text("language"),
    binary("code_sha256"),
    integer("source_bytes"),
    text("lane"),
    text("band"),
    text("needs"),
    text("status"),
    integer("attempt_id"),
    text("lease_owner", optional=True),
    moment("lease_until", optional=True),
    text("verdict", optional=True),
    bigint("score_micros", optional=True),
    json("result", optional=True),
    text("death_cause", optional=True),
    text("last_error", optional=True),
    uuid("cancelled_by", optional=True),
    moment("submitted_at"),
    moment("updated_at"),
    moment("finished_at", optional=True),
    uuid("origin_id"),
    uuid("rejudge_of", optional=True),
    uuid("rejudge_id", optional=True),
    text("standing"),
    moment("message_due"),
    uuid("message_id", optional=True),
    text("traceparent", optional=True),
    bigint("version"),
)
SOURCES: Final = Table("sources", _METADATA, uuid("origin_id", key=True), text("code"))
ATTEMPTS: Final = Table(
    "attempts",
    _METADATA,
    uuid("submission_id", key=True),
    integer("attempt_id", key=True),
    text("worker"),
    moment("started_at"),
    moment("ended_at", optional=True),
    text("outcome", optional=True),
    text("reason"),
    text("toolchain"),
)
REJUDGES: Final = Table(
    "rejudges",
    _METADATA,
    uuid("id", key=True),
    text("status"),
    json("selection"),
    text("reason"),
    uuid("started_by"),
    moment("started_at"),
    moment("closed_at", optional=True),
    bigint("version"),
    integer("selected"),
    uuid("reached", optional=True),
    integer("applied"),
    integer("dropped"),
    uuid("decided_by", optional=True),
    moment("touched_at"),
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


def made_of(row: Row, kind: type[T]) -> T:
    """Make a dataclass of the columns that are named like its fields."""
    values = {name: utc(value) if isinstance(value, datetime) else value for name, value in row.items()}
    return msgspec.convert(values, kind)
