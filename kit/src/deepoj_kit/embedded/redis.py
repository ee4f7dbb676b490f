"""Valkey (or Redis) on a unix socket, durable by append-only file."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from redis import Redis
from redis.exceptions import RedisError

from deepoj_kit.embedded.binaries import find_redis
from deepoj_kit.embedded.process import ProcessSpec


def redis(data: Path, run: Path, password: str, *, ephemeral: bool = False) -> tuple[ProcessSpec, str]:
    """Write the configuration; return how to start the server, and its URL."""
    data.mkdir(parents=True, exist_ok=True)
    socket = run / "redis.sock"
    # A file and not arguments: the process list shows arguments to every user of the machine.
    config = data / "redis.conf"
    config.touch(mode=0o600)
    config.write_text(
        "\n".join(
            (
                "port 0",
                f'unixsocket "{socket}"',
                "unixsocketperm 700",
                f'requirepass "{password}"',
                f'dir "{data}"',
                f"appendonly {'no' if ephemeral else 'yes'}",
                "appendfsync everysec",
                'save ""',
                "maxmemory-policy noeviction",
                "daemonize no",
                "",
            )
        )
    )
    url = f"unix://:{quote(password, safe='')}@{socket}"
    return ProcessSpec("redis", (str(find_redis()), str(config)), ready=lambda: _answers(url)), url


def _answers(url: str) -> bool:
    client = Redis.from_url(url, socket_timeout=2)
    try:
        return bool(client.ping())
    except RedisError:
        return False
    finally:
        client.close()
