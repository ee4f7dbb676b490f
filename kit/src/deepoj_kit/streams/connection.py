"""A Redis client with the settings the kit relies on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import OutOfMemoryError, ReadOnlyError
from redis.exceptions import TimeoutError as RedisTimeoutError

from deepoj_kit.unavailable import Unavailable

_RETRYABLE = (RedisConnectionError, RedisTimeoutError, ReadOnlyError, OutOfMemoryError)


def connect(url: str, *, command_timeout: float = 5.0, connect_timeout: float = 2.0) -> Redis:
    """Make a client; it connects with its first command. Close it with `aclose`.

    A blocking read has to end before `command_timeout`. Protocol 2 gives one shape of reply on every server
    and library version. The library's own retries are off: it would repeat an XADD whose reply was lost,
    and hide an outage from the loops here, which have a back-off of their own.
    """
    return Redis.from_url(
        url,
        protocol=2,
        socket_timeout=command_timeout,
        socket_connect_timeout=connect_timeout,
        retry=Retry(NoBackoff(), 0),
    )


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except _RETRYABLE as error:
        raise Unavailable(f"{type(error).__name__}: {error}") from error
