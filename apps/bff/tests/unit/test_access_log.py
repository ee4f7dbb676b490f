"""What every answer has in common, refusals most of all."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from apps.bff.tests.fakes import Signer, ToldServices
from deepoj_bff.inbound.http.errors import ErrorType
from deepoj_domain.kernel.role import Role
from deepoj_kit.grpc import Kind, RemoteError

DOCS = Path(__file__).parents[4] / "docs/http.md"
LOGIN = {"login": "ada", "password": "secret"}


async def test_every_answer_carries_a_request_id_a_trace_id_and_the_security_headers(
    client: httpx.AsyncClient,
) -> None:
    for path in ("/api/health", "/api/nothing", "/api/users/me"):
        headers = (await client.get(path)).headers
        assert re.fullmatch(r"[0-9a-f]{32}", headers["x-request-id"])
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["cache-control"] == "no-store"
        assert "x-trace-id" in headers


@pytest.mark.parametrize("given", ["abc-123.XYZ", "short", "a b<script>"])
async def test_a_request_id_is_taken_when_it_is_harmless(client: httpx.AsyncClient, given: str) -> None:
    answer = await client.get("/api/users/me", headers={"x-request-id": given})
    assert (answer.headers["x-request-id"] == given) is (given == "abc-123.XYZ")
    assert answer.json()["request_id"] == answer.headers["x-request-id"]


@pytest.mark.parametrize("kind", list(Kind))
async def test_every_kind_of_refusal_of_a_service_is_a_problem_with_its_reason(
    client: httpx.AsyncClient, services: ToldServices, kind: Kind
) -> None:
    error = RemoteError(kind, "some_reason", "what happened", timedelta(milliseconds=1500))
    services.answers["user", "Login"] = error
    answer = await client.post("/api/auth/login", json=LOGIN)
    body = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert body["status"] == answer.status_code
    assert body["type"] in {each.uri for each in ErrorType}
    assert body["reason"] == ("internal" if kind is Kind.INTERNAL else "some_reason")
    if answer.status_code in {429, 503}:
        assert answer.headers["retry-after"] == "2"


async def test_a_failure_of_ours_shows_nothing_of_itself(
    client: httpx.AsyncClient, services: ToldServices
) -> None:
    services.answers["user", "Login"] = ZeroDivisionError("the secret")
    answer = await client.post("/api/auth/login", json=LOGIN)
    assert answer.status_code == 500
    assert "secret" not in answer.text


async def test_an_outage_names_no_address(client: httpx.AsyncClient, services: ToldServices) -> None:
    services.answers["user", "Login"] = RemoteError(Kind.UNAVAILABLE, "unavailable", "unix:/run/user.sock")
    assert "user.sock" not in (await client.post("/api/auth/login", json=LOGIN)).text


async def test_an_unknown_or_wrong_field_is_named(client: httpx.AsyncClient) -> None:
    unknown = await client.post("/api/auth/login", json={**LOGIN, "passwort": "x"})
    assert unknown.status_code == 400
    assert "passwort" in unknown.text
    wrong = await client.post("/api/auth/login", json={"login": 3, "password": "x"})
    assert wrong.json()["errors"] == [{"field": "login", "message": "Expected `str`, got `int`"}]


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 400),
        ("Application/JSON; charset=utf-8", 400),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("application/jsonp", 415),
        (None, 415),
    ],
)
async def test_a_body_that_is_not_sent_as_json_is_of_the_wrong_type(
    client: httpx.AsyncClient, content_type: str | None, status: int
) -> None:
    headers = {} if content_type is None else {"content-type": content_type}
    answer = await client.post("/api/auth/login", content=b"{}", headers=headers)
    assert answer.status_code == status
    assert status == 400 or answer.json()["type"] == "urn:deepoj:error:unsupported-media-type"


async def test_a_body_above_the_limit_is_refused(door: Callable[..., httpx.AsyncClient]) -> None:
    async with door(body_limit=100) as client:
        answer = await client.post("/api/auth/login", json={**LOGIN, "password": "x" * 200})
    assert (answer.status_code, answer.json()["type"]) == (413, "urn:deepoj:error:too-large")


@pytest.mark.parametrize(("size", "status"), [(200, 413), (20, 503)])
async def test_a_body_that_does_not_tell_its_length_is_measured_as_it_comes(
    door: Callable[..., httpx.AsyncClient], services: ToldServices, size: int, status: int
) -> None:
    services.answers["user", "Login"] = RemoteError(Kind.UNAVAILABLE, "unavailable", "away")

    async def chunks() -> AsyncIterator[bytes]:
        yield b'{"login": "ada", "password": "'
        for _ in range(size):
            yield b"x"
        yield b'"}'

    async with door(body_limit=100) as client:
        headers = {"content-type": "application/json"}
        answer = await client.post("/api/auth/login", content=chunks(), headers=headers)
    assert "content-length" not in answer.request.headers
    assert answer.status_code == status


async def test_a_wrong_method_is_told_the_right_ones(client: httpx.AsyncClient) -> None:
    answer = await client.put("/api/auth/login")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST, OPTIONS")


async def test_a_malformed_id_is_not_found(client: httpx.AsyncClient) -> None:
    assert (await client.get("/api/users/not-an-id/audit-log")).status_code == 404


async def test_https_is_made_to_stay(door: Callable[..., httpx.AsyncClient]) -> None:
    async with door(public_url="https://oj.test") as client:
        assert "strict-transport-security" in (await client.get("/api/health")).headers


def test_error_types_are_unique_and_documented() -> None:
    page = DOCS.read_text()
    assert len({each.uri for each in ErrorType}) == len(ErrorType)
    for each in ErrorType:
        assert f"| `{each.value.slug}` | {each.status} |" in page


async def test_no_secret_reaches_the_log(
    client: httpx.AsyncClient, signer: Signer, caplog: pytest.LogCaptureFixture
) -> None:
    token = signer.token(Role.CONTESTANT)
    await client.get(f"/api/users/{uuid4()}?token={token}", headers={"authorization": f"Bearer {token}"})
    assert token not in "".join(str(vars(record)) for record in caplog.records)
