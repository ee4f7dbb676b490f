"""What a server tells a judge host for its credential."""

from __future__ import annotations

import ssl
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
_NOT_OURS: Final = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED})
_ADVICE: Final = "see whether the address is right and the site is up"
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_LONGEST_TOKEN: Final = 4096
# What OpenSSL says of a certificate.
_DISTRUST: Final = {
    "certificate has expired": "has ended: whoever runs the site has to renew it",
    "certificate is not yet valid": "is not valid yet: see whether the clock of this machine is right",
    "Hostname mismatch": "is for another name: use the address that it is for",
    "IP address mismatch": "is for another address: use the name that it is for",
    "certificate verify failed": "is from no authority that this machine knows. If whoever runs the site has "
    "an authority of their own, name its file with --authority; otherwise somebody stands in between",
}


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
    reference_ms: int = 0


def read_token(path: Path) -> str:
    text = path.read_bytes()[: _LONGEST_TOKEN + 1]
    token = text.decode(errors="replace").strip()
    if not token or len(text) > _LONGEST_TOKEN or not token.isascii() or len(token.split()) != 1:
        raise Failure(f"{path} does not hold a token as deepoj worker invite prints it", Exit.USAGE)
    return token


def ask(server: str, token: str, authority: Path | None = None) -> HostSettings:
    """The answer holds passwords, so it comes by TLS or stays on this machine.

    `authority` is trusted besides those that this machine knows.
    """
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
            verify=_trusted(authority),
        )
    except httpx.TransportError as error:
        raise _distrusted(server, error) or unreachable(server, error, _ADVICE) from error
    if answer.is_error and answer.status_code not in _NOT_OURS:
        raise failure_of(problem_of(answer), logging_in=True)
    try:
        return msgspec.json.decode(answer.content, type=HostSettings)
    except msgspec.DecodeError as error:
        raise Failure(
            f"{server} knows no judge hosts: is it the address of a Deep-OJ of this version, and none that "
            "leads elsewhere?",
            Exit.REFUSED,
        ) from error


def _trusted(authority: Path | None) -> ssl.SSLContext:
    context = httpx.create_ssl_context()
    context.load_default_certs()
    if authority is not None:
        try:
            context.load_verify_locations(authority)
        except ssl.SSLError as error:
            raise Failure(f"{authority} holds no certificate of an authority", Exit.USAGE) from error
    return context


def _distrusted(server: str, error: httpx.TransportError) -> Failure | None:
    """Say what the certificate lacks; nothing was sent to whoever showed it."""
    for sign, why in _DISTRUST.items():
        if sign in str(error):
            return Failure(f"{server} is not asked: its certificate {why}", Exit.UNREACHABLE)
    return None
