"""Statements and rows in the forms that psycopg takes fastest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from sqlalchemy import Column, ColumnElement, Executable, Table, Text, cast
from sqlalchemy.dialects.postgresql import JSONB, psycopg
from sqlalchemy.sql import ClauseElement

_DIALECT: Final = psycopg.PGDialect_psycopg()  # type: ignore[no-untyped-call]  # SQLAlchemy's own


def compiled(statement: Executable) -> tuple[bytes, Mapping[str, Any]]:
    """Return the text and the parameters for `execute`."""
    if not isinstance(statement, ClauseElement):
        raise TypeError(f"{type(statement).__name__} is no statement of SQLAlchemy Core")
    made = statement.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
    return made.string.encode(), made.params


def type_of(column: Column[Any]) -> str:
    """Return the type of a column as PostgreSQL names it."""
    return column.type.compile(_DIALECT).lower()


def selected(table: Table, of: str, *names: str) -> str:
    """Return columns as a statement reads them; JSON comes as text, for the decoder of its type."""
    columns = (table.c[name] for name in names)
    return ", ".join(f"{of}.{each.name}{'::text' * isinstance(each.type, JSONB)}" for each in columns)


def readable(table: Table, *names: str) -> list[ColumnElement[Any]]:
    """Return the same columns for a statement that is built."""
    columns = (table.c[name] for name in names)
    return [cast(each, Text) if isinstance(each.type, JSONB) else each for each in columns]


def insert(table: Table, *without: str) -> str:
    """Return a statement that takes a value for each column, by its name."""
    names = [column.name for column in table.c if column.name not in without]
    values = ", ".join(f"%({name})s" for name in names)
    place = _DIALECT.identifier_preparer.format_table(table)
    return f"INSERT INTO {place} ({', '.join(names)}) VALUES ({values})"  # noqa: S608 — names of columns


def assignments(table: Table, *without: str) -> str:
    """Return what `UPDATE … SET` needs for all other columns."""
    return ", ".join(f"{each.name} = %({each.name})s" for each in table.c if each.name not in without)


def utc(moment: datetime) -> datetime:
    """Turn a time as PostgreSQL answers it: in the time zone of the session."""
    return moment.astimezone(UTC)


def utc_or_none(moment: datetime | None) -> datetime | None:
    return None if moment is None else utc(moment)


_ENCODER = msgspec.json.Encoder()


class Records:
    """Rows of named and typed columns, for `FROM {records} AS name` and one JSON parameter.

    psycopg converts an array in Python, element by element, and a batch has hundreds of them. Encoding the
    rows as JSON here and taking them apart in the server costs a small part of that.
    """

    def __init__(self, *columns: str) -> None:
        self._columns = ", ".join(columns)
        self.names: Sequence[str] = tuple(column.split()[0] for column in columns)

    def called(self, alias: str) -> str:
        return f"json_to_recordset(%s::json) AS {alias} ({self._columns})"

    def parameter(self, rows: Iterable[Sequence[object]]) -> str:
        return self.named(dict(zip(self.names, row, strict=True)) for row in rows)

    def named(self, rows: Iterable[Mapping[str, object]]) -> str:
        """Make the parameter of rows by column name; a column that a row does not name is empty in it."""
        return _ENCODER.encode(list(rows)).decode()
