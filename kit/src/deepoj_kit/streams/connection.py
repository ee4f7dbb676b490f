"""A Redis client with the settings the kit relies on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from redis.asyncio import Connection, Redis, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import OutOfMemoryError, ReadOnlyError
from redis.exceptions import TimeoutError as RedisTimeoutError

from deepoj_kit.unavailable import Unavailable

_RETRYABLE = (RedisConnectionError, RedisTimeoutError, ReadOnlyError, OutOfMemoryError)


class _WritesAtOnce(AbstractConnection):
    """Bounds the time of a write without a task of its own.

    The library makes one for every write, and it would begin after all that is ready to run by then.
    """

    async def send_packed_command(
        self,
        command: bytes | str | Iterable[bytes],
        check_health: bool = True,  # noqa: FBT001, FBT002 — the signature of the library
    ) -> None:
        limit, self.socket_timeout = self.socket_timeout, None
        try:
            async with asyncio.timeout(limit):
                await super().send_packed_command(command, check_health)
        except TimeoutError:
            raise RedisTimeoutError("Timeout writing to socket") from None
        finally:
            self.socket_timeout = limit


class _Tcp(_WritesAtOnce, Connection):
    pass


class _Tls(_WritesAtOnce, SSLConnection):
    pass


class _Unix(_WritesAtOnce, UnixDomainSocketConnection):
    pass


_AT_ONCE = {Connection: _Tcp, SSLConnection: _Tls, UnixDomainSocketConnection: _Unix}


def connect(url: str, *, command_timeout: float = 5.0, connect_timeout: float = 2.0) -> Redis:
    """Make a client; it connects with its first command. Close it with `aclose`.

    A blocking read has to end before `command_timeout`. Protocol 2 gives one shape of reply on every server
    and library version. The library's own retries are off: it would repeat an XADD whose reply was lost,
    and hide an outage from the loops here, which have a back-off of their own.
    """
    client = Redis.from_url(
        url,
        protocol=2,
        socket_timeout=command_timeout,
        socket_connect_timeout=connect_timeout,
        retry=Retry(NoBackoff(), 0),
    )
    pool = client.connection_pool
    pool.connection_class = _AT_ONCE[pool.connection_class]
    return client


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except _RETRYABLE as error:
        raise Unavailable(f"{type(error).__name__}: {error}") from error
