"""A Redis client with the settings the kit relies on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import OutOfMemoryError, ReadOnlyError
from redis.exceptions import TimeoutError as RedisTimeoutError

from deepoj_kit.tls import Tls
from deepoj_kit.unavailable import Unavailable

_RETRYABLE = (RedisConnectionError, RedisTimeoutError, ReadOnlyError, OutOfMemoryError)


def connect(
    url: str, tls: Tls | None = None, *, command_timeout: float = 5.0, connect_timeout: float = 2.0
) -> Redis:
    """Make a client; it connects with its first command. Close it with `aclose`.

    A blocking read has to end before `command_timeout`. Protocol 2 gives one shape of reply on every server
    and library version. The library's own retries are off: it would repeat an XADD whose reply was lost,
    and hide an outage from the loops here, which have a back-off of their own.
    """
    return Redis.from_url(
        url,
        **redis_tls(url, tls),
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


def redis_tls(url: str, tls: Tls | None) -> dict[str, Any]:
    """Return what a client needs for `rediss://`; what the URL itself says goes before it."""
    if not url.startswith("rediss://"):
        return {}
    files = tls or Tls()
    named = {
        "ssl_ca_certs": files.authorities,
        "ssl_certfile": files.certificate,
        "ssl_keyfile": files.key,
    }
    return {"ssl_check_hostname": True} | {
        name: str(path) for name, path in named.items() if path is not None
    }
