"""The statements that make tables."""

from __future__ import annotations

from typing import Any

from sqlalchemy import MetaData, create_mock_engine
from sqlalchemy.sql.ddl import ExecutableDDLElement


def definitions(metadata: MetaData) -> list[bytes]:
    made: list[bytes] = []

    def note(statement: ExecutableDDLElement, *_: object, **__: Any) -> None:  # noqa: ANN401 — SQLAlchemy's signature
        made.append(str(statement.compile(dialect=engine.dialect)).encode())

    engine = create_mock_engine("postgresql+psycopg://", note)
    metadata.create_all(engine, checkfirst=False)
    return made
