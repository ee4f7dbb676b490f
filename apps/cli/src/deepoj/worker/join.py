"""What a server tells a judge host for its credential, and whether it can be reached from here."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx
import msgspec

from deepoj.client.refusals import failure_of, problem_of, unreachable
from deepoj.client.wire import Wire
from deepoj.errors import Exit, Failure

_PATIENCE: Final = 10.0
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_LONGEST_TOKEN: Final = 4096
_PORTS: Final = {"redis": 6379, "rediss": 6379, "http": 80, "https": 443}


class HostSettings(Wire, frozen=True):
    name: str
    env: str
    record_address: str
    question_address: str
    redis_url: str
    s3_endpoint: str
    s3_bucket: str
    s3_access_key: str
    s3_secret_key: str
    tls: str
    authorities: str = ""


@dataclass(frozen=True, slots=True)
class Reached:
    what: str
    address: str
    problem: str = ""


def read_token(path: Path) -> str:
    text = path.read_bytes()[: _LONGEST_TOKEN + 1]
    token = text.decode(errors="replace").strip()
    if not token or len(text) > _LONGEST_TOKEN or not token.isascii() or len(token.split()) != 1:
        raise Failure(f"{path} does not hold a token as deepoj worker invite prints it", Exit.USAGE)
    return token


def ask(server: str, token: str) -> HostSettings:
    """The answer holds passwords, so it comes by TLS or stays on this machine."""
    host = urlsplit(server).hostname or ""
    local = host in _LOOPBACK
    if not (server.startswith("https://") or local):
        raise Failure(f"{server} would send passwords in the clear: use its https:// address", Exit.USAGE)
    try:
        answer = httpx.post(
            f"{server}/api/judge-hosts/join",
            json={"credential": token},
            timeout=_PATIENCE,
            trust_env=not local,
        )
    except httpx.TransportError as error:
        raise unreachable(server, error) from error
    if answer.status_code == HTTPStatus.NOT_FOUND:
        raise Failure(f"{server} knows no judge hosts: is it a Deep-OJ of this version?", Exit.REFUSED)
    if answer.is_error:
        raise failure_of(problem_of(answer), logging_in=True)
    try:
        return msgspec.json.decode(answer.content, type=HostSettings)
    except msgspec.DecodeError as error:
        raise Failure(f"{server} answered with something unexpected ({error})", Exit.FAILED) from error


def reached(settings: HostSettings) -> Iterator[Reached]:
    """Connect to everything the worker will call, as it will: with TLS where it will have it."""
    trusted = ssl.create_default_context()
    if settings.authorities:
        try:
            trusted.load_verify_locations(cadata=settings.authorities)
        except ssl.SSLError as error:
            raise Failure(
                f"the server sent authorities that cannot be read: {error}", Exit.REFUSED
            ) from error
    for what, address in (("record", settings.record_address), ("question", settings.question_address)):
        yield _tried(what, address, trusted if settings.tls == "server" else None)
    redis, store = urlsplit(settings.redis_url), urlsplit(settings.s3_endpoint)
    for what, parts in (("redis", redis), ("s3", store)):
        address = (
            f"unix:{parts.path}" if parts.scheme == "unix" else _host_and_port(parts.netloc, parts.scheme)
        )
        yield _tried(what, address, trusted if parts.scheme in {"rediss", "https"} else None)


def _host_and_port(netloc: str, scheme: str) -> str:
    place = netloc.rpartition("@")[2]
    has_port = place.rpartition("]")[2].count(":") == 1
    return place if has_port else f"{place}:{_PORTS.get(scheme, 0)}"


def _tried(what: str, address: str, tls: ssl.SSLContext | None) -> Reached:
    try:
        if address.startswith("unix:"):
            with socket.socket(socket.AF_UNIX) as local:
                local.connect(address.removeprefix("unix:"))
            return Reached(what, address)
        host, _, port = address.rpartition(":")
        with socket.create_connection((host.strip("[]"), int(port)), _PATIENCE) as connection:
            if tls is not None:
                tls.wrap_socket(connection, server_hostname=host.strip("[]")).close()
    except (OSError, ValueError) as error:
        return Reached(what, address, str(error) or type(error).__name__)
    return Reached(what, address)
