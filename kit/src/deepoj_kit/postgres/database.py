"""One PostgreSQL database: a pool of connections, and what can go wrong as the rest of the code sees it.

    Exception
    ├── Unavailable          connection lost or refused, pool exhausted, time-out, deadlock, serialization
    └── ConstraintViolated   the statement breaks a named constraint; retrying cannot help

Anything else (a syntax error, a missing table) is a mistake in our own code and passes unchanged.
"""

from __future__ import annotations

import select
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from deepoj_kit.settings import Secret
from deepoj_kit.tls import Tls
from deepoj_kit.tls.postgres import with_tls
from deepoj_kit.unavailable import Unavailable

# psycopg files these two under InternalError; all its other "try again" states are OperationalError.
_TIMED_OUT = (psycopg.errors.IdleInTransactionSessionTimeout, psycopg.errors.TransactionTimeout)


class ConstraintViolated(Exception):  # noqa: N818 — names the fact; the caller decides whether it is an error
    def __init__(self, constraint: str) -> None:
        super().__init__(constraint)
        self.constraint = constraint


@contextmanager
def translated() -> Iterator[None]:
    """Raise Unavailable or ConstraintViolated for what psycopg and its pool raise."""
    try:
        yield
    except psycopg.Error as error:
        raise _translate(error) from error


def _translate(error: psycopg.Error) -> Exception:
    if isinstance(error, psycopg.IntegrityError) and error.diag.constraint_name is not None:
        return ConstraintViolated(error.diag.constraint_name)
    if isinstance(error, (psycopg.OperationalError, *_TIMED_OUT)):
        return Unavailable(f"{type(error).__name__}: {error}")
    return error


@dataclass(frozen=True, slots=True)
class DatabaseOptions:
    """Times are in seconds."""

    application_name: str = "deepoj"
    pool_min: int = 1
    pool_max: int = 8
    acquire_timeout: float = 5.0
    connect_timeout: int = 3
    statement_timeout: float = 10.0
    idle_in_transaction_timeout: float = 30.0
    pool_by_index: bool = False
    """Let the pool's statements find their rows by index. The planner takes a batch that comes as JSON for a
    hundred rows, and would rather read a table of some thousand from end to end."""


class DatabaseSettings(Protocol):
    """The settings a process needs to reach its database; msgspec structs cannot be mixed in."""

    @property
    def postgres_url(self) -> Secret: ...
    @property
    def postgres_connections(self) -> int: ...
    @property
    def tls_files(self) -> Tls: ...


class Database:
    """Nothing connects before `open`; `close` ends every connection.

    Connections are in autocommit mode: where one statement is one transaction, BEGIN and COMMIT would treble
    the round trips.
    """

    def __init__(self, url: str, options: DatabaseOptions | None = None) -> None:
        self._options = options or DatabaseOptions()
        self._conninfo = _conninfo(url, self._options)
        self._pool: AsyncConnectionPool[Connection] | None = None

    @classmethod
    def from_settings(cls, settings: DatabaseSettings, name: str, *, by_index: bool = False) -> Self:
        options = DatabaseOptions(
            application_name=name, pool_max=settings.postgres_connections, pool_by_index=by_index
        )
        return cls(with_tls(settings.postgres_url.reveal(), settings.tls_files), options)

    async def open(self) -> None:
        """Start connecting; the server may still be down, then calls raise Unavailable until it is up."""
        options = self._options
        self._pool = AsyncConnectionPool(
            _by_index(self._conninfo) if options.pool_by_index else self._conninfo,
            open=False,
            kwargs={"autocommit": True},
            min_size=options.pool_min,
            max_size=options.pool_max,
            timeout=options.acquire_timeout,
            check=self._check,
            # The pool doubles its delay for as long as it tries. Giving up early and beginning again with the
            # next caller keeps the delay after a long outage as short as after a short one.
            reconnect_timeout=options.acquire_timeout,
        )
        await self._pool.open()

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()
        self._pool = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """Lend a connection on which every statement commits by itself."""
        if self._pool is None:
            raise RuntimeError("the database is not open")
        with translated():
            async with self._pool.connection() as connection:
                yield connection

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """Lend a connection inside one transaction: the end of the block commits, an error rolls back."""
        async with self.connection() as connection, connection.transaction():
            yield connection

    async def ping(self) -> None:
        """Raise Unavailable unless the server answers."""
        async with self.connection() as connection:
            await connection.execute("SELECT 1")

    async def connect(self) -> Connection:
        """Open a connection outside the pool, for a caller that keeps it (LISTEN) and closes it."""
        with translated():
            return await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)

    async def _check(self, connection: Connection) -> None:
        """Find out without a round trip that the server closed this connection while it lay idle."""
        if not _has_input(connection):
            return
        try:
            await AsyncConnectionPool.check_connection(connection)
        except psycopg.Error:
            # One dead connection means that the server went away, and with it all the others.
            if self._pool is not None:
                await self._pool.drain()
            raise


Connection = psycopg.AsyncConnection[TupleRow]


def _conninfo(url: str, options: DatabaseOptions) -> str:
    settings = {
        "statement_timeout": options.statement_timeout,
        "idle_in_transaction_session_timeout": options.idle_in_transaction_timeout,
    }
    given = conninfo_to_dict(url).get("options", "")
    return make_conninfo(
        url,
        application_name=options.application_name,
        connect_timeout=options.connect_timeout,
        options=" ".join(
            [f"-c {name}={round(seconds * 1000)}" for name, seconds in settings.items()] + [str(given)]
        ),
        # A peer that vanished without a word is noticed within a minute and not after two hours.
        keepalives_idle=30,
        keepalives_interval=10,
        keepalives_count=3,
    )


def _by_index(conninfo: str) -> str:
    switches = " ".join(f"-c enable_{way}=off" for way in ("seqscan", "hashjoin", "mergejoin"))
    return make_conninfo(conninfo, options=f"{conninfo_to_dict(conninfo).get('options', '')} {switches}")


def _has_input(connection: Connection) -> bool:
    """Tell whether bytes wait on an idle connection: the server only speaks unasked to say goodbye."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
