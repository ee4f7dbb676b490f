"""One transaction for the repositories of one use case."""

from __future__ import annotations

from types import TracebackType
from typing import Literal, Self

import psycopg
from psycopg.rows import TupleRow
from sqlalchemy.ext.asyncio import AsyncConnection

from deepoj_kit.postgres.errors import translated

Isolation = Literal["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"]


class UnitOfWork:
    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        """For SQLAlchemy Core statements."""
        self._driver: psycopg.AsyncConnection[TupleRow] | None = None

    @property
    def driver(self) -> psycopg.AsyncConnection[TupleRow]:
        """The psycopg connection beneath, in the same transaction: for outbox, inbox and hand-written SQL."""
        if self._driver is None:
            raise RuntimeError("the unit of work is over or was not entered")
        return self._driver

    async def commit(self) -> None:
        """Keep everything the unit did; a unit commits once and is then over."""
        self._driver = None
        with translated():
            await self.connection.commit()

    async def __aenter__(self) -> Self:
        # Begun here, so that work done only through the driver is committed and rolled back as well.
        _ = await self.connection.begin()
        raw = await self.connection.get_raw_connection()
        driver = raw.driver_connection
        if not isinstance(driver, psycopg.AsyncConnection):
            raise TypeError(f"the engine runs on {type(driver).__name__} and not on psycopg")
        self._driver = driver
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._driver = None
        await self.connection.rollback()
