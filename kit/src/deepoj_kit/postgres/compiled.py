"""Statements of SQLAlchemy Core on psycopg's own connections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Column, Executable
from sqlalchemy.dialects.postgresql import psycopg
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
