"""Which answers are compressed, and which never."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import msgspec
import pytest
from litestar.types import Receive, Scope, Send

from deepoj_bff.inbound.http.compressed_answers import CompressedAnswers

LONG = msgspec.json.encode([{"name": "ada", "number": number} for number in range(5000)])
SHORT = b'{"name":"ada"}'


async def answers(scope: Scope, _receive: Receive, send: Send) -> None:
    path = scope["path"]
    kind = b"text/event-stream" if path.endswith("events") else b"application/json"
    body = SHORT if path.endswith("short") else LONG
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), (b"etag", b'"1"')]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    parts = [body[:2000], body[2000:]] if path.endswith("parts") else [body]
    for number, part in enumerate(parts, 1):
        await send({"type": "http.response.body", "body": part, "more_body": number < len(parts)})


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    # Both are ASGI, but each library has its own types for it.
    transport = httpx.ASGITransport(CompressedAnswers(answers))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://oj.test") as client:
        yield client


async def test_a_long_answer_is_compressed_for_who_asks(client: httpx.AsyncClient) -> None:
    packed = await client.get("/api/problems", headers={"accept-encoding": "gzip"})
    assert (packed.headers["content-encoding"], packed.content) == ("gzip", LONG)
    assert int(packed.headers["content-length"]) < len(LONG) / 5
    assert (packed.headers["vary"], packed.headers["etag"]) == ("accept-encoding", 'W/"1"')
    plain = await client.get("/api/problems", headers={"accept-encoding": "identity"})
    assert (plain.headers.get("content-encoding"), plain.content) == (None, LONG)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/short"),
        ("GET", "/api/events"),
        ("GET", "/api/parts"),
        ("POST", "/api/users/me/tokens"),
        ("GET", "/api/auth/anything"),
        ("GET", "/api/admin/invitations"),
    ],
)
async def test_short_answers_streams_and_secrets_pass_as_they_are(
    client: httpx.AsyncClient, method: str, path: str
) -> None:
    answer = await client.request(method, path, headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in answer.headers
    assert answer.content == (SHORT if path.endswith("short") else LONG)
    assert answer.headers["etag"] == '"1"'
