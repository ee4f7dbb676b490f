"""Make Redis forget a deployment, which loses nothing: what it holds is made again from the database."""

from __future__ import annotations

from itertools import islice

from deepoj_kit.tls import Tls

BATCH = 1000


def forget(url: str, env: str, tls: Tls) -> int:
    """Delete every key of the environment; return how many there were."""
    # As in reach.py.
    from redis import Redis  # noqa: PLC0415

    from deepoj_kit.streams.connection import redis_tls  # noqa: PLC0415

    deleted = 0
    with Redis.from_url(url, **redis_tls(url, tls)) as client:
        found = client.scan_iter(match=f"deepoj:{env}:*", count=BATCH)
        while keys := list(islice(found, BATCH)):
            deleted += int(client.unlink(*keys))
    return deleted
