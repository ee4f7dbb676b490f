"""JSON in gzip, for those who ask for it and answers long enough to gain by it (ADR 0120).

Only answers to GET: whatever is shown once (tokens, passwords) answers a POST, and the length of a compressed
answer would tell of a secret that stands beside what somebody else chose (BREACH). Event streams and answers
that come in parts pass as they are.
"""

from __future__ import annotations

import asyncio
import gzip
from contextlib import suppress
from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send

_LEAST: Final = 1024
# What takes longer than a hop to a thread.
_LARGE: Final = 32 * 1024
_LEVEL: Final = 5
_TYPES: Final = (b"application/json", b"application/problem+json")
_WITH_SECRETS: Final = ("/api/auth/", "/api/admin/invitations")


class CompressedAnswers:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and scope["method"] == "GET":
            asked = dict(scope["headers"]).get(b"accept-encoding", b"").decode("latin-1")
            if "gzip" in accepted_encodings(asked) and not scope["path"].startswith(_WITH_SECRETS):
                send = _Compressor(send).send
        await self._app(scope, receive, send)


class _Compressor:
    def __init__(self, send: Send) -> None:
        self._send = send
        self._held: HTTPResponseStartEvent | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_json(message):
            self._held = message
            return
        held, self._held = self._held, None
        if held is not None:
            if message["type"] == "http.response.body" and not message["more_body"]:
                body = message["body"]
                if len(body) >= _LEAST:
                    message["body"] = await compressed(body)
                    held["headers"] = _headers(held, len(message["body"]))
            await self._send(held)
        await self._send(message)


def _is_json(start: HTTPResponseStartEvent) -> bool:
    headers = dict(start["headers"])
    kind = headers.get(b"content-type", b"").partition(b";")[0].strip()
    return kind in _TYPES and b"content-encoding" not in headers


async def compressed(body: bytes) -> bytes:
    if len(body) < _LARGE:
        return gzip.compress(body, _LEVEL, mtime=0)
    return await asyncio.to_thread(gzip.compress, body, _LEVEL, mtime=0)


def _headers(start: HTTPResponseStartEvent, length: int) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in start["headers"] if name not in {b"content-length", b"etag"}]
    # The same answer in other bytes: its tag is a weak one.
    tags = [(name, b"W/" + value.removeprefix(b"W/")) for name, value in start["headers"] if name == b"etag"]
    encoding = (
        (b"content-encoding", b"gzip"),
        (b"vary", b"accept-encoding"),
        (b"content-length", b"%d" % length),
    )
    return [*kept, *tags, *encoding]


def accepted_encodings(header: str) -> frozenset[str]:
    """Return the codings that a client names without ruling them out."""
    found = set()
    for each in header.lower().split(","):
        name, *parameters = (part.strip() for part in each.split(";"))
        if all(_weight(parameter) > 0 for parameter in parameters):
            found.add(name)
    return frozenset(found)


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    with suppress(ValueError):
        return float(value) if name.strip() == "q" else 1.0
    return 0.0
