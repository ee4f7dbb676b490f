"""Valkey (or Redis) on a unix socket, durable by append-only file."""

from __future__ import annotations

import socket
from pathlib import Path
from urllib.parse import quote

from deepoj_kit.embedded.binaries import find_redis
from deepoj_kit.embedded.process import ProcessSpec
from deepoj_kit.private import private_directory

PROBE_TIMEOUT = 2.0


def redis(data: Path, run: Path, password: str, *, ephemeral: bool = False) -> tuple[ProcessSpec, str]:
    """Write the configuration; return how to start the server, and its URL."""
    private_directory(data)
    address = run / "redis.sock"
    # A file and not arguments: the process list shows arguments to every user of the machine.
    config = data / "redis.conf"
    config.touch(mode=0o600)
    config.write_text(
        "\n".join(
            (
                "port 0",
                f'unixsocket "{address}"',
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
    url = f"unix://:{quote(password, safe='')}@{address}"
    return ProcessSpec(
        "redis", (str(find_redis()), str(config)), ready=lambda: _answers(address, password)
    ), url


def _answers(address: Path, password: str) -> bool:
    """Ask as the protocol has it; the client library takes longer to import than the server to start."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PROBE_TIMEOUT)
        try:
            client.connect(str(address))
            client.sendall(f"AUTH {password}\r\nPING\r\n".encode())
            with client.makefile("rb") as replies:
                return [next(replies), next(replies)] == [b"+OK\r\n", b"+PONG\r\n"]
        except (OSError, StopIteration):
            return False
