"""Ports: whether one can be listened on, and whether a service behind one says it is ready."""

from __future__ import annotations

import errno
import http.client
import socket

from deepoj.errors import Exit, Failure
from deepoj_kit.embedded.free_ports import LOOPBACK

PROBE_TIMEOUT = 2.0


def refuse_used_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        # As servers do: a connection that is still closing does not keep the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise Failure(_why_not(host, port, error), Exit.UNUSABLE) from error


def http_ready(address: str) -> bool:
    host, _, port = address.rpartition(":")
    # A wildcard is no address to connect to.
    host = LOOPBACK if host in {"0.0.0.0", "[::]", ""} else host  # noqa: S104 — compared, not listened on
    connection = http.client.HTTPConnection(host, int(port), timeout=PROBE_TIMEOUT)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} on {host} is in use by another program: stop that program, or choose another port "
            "with --port"
        )
    said = error.strerror or error
    return f"port {port} on {host} cannot be listened on: {said}; choose others with --host and --port"
