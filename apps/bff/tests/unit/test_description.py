"""The description of the API is complete: every operation, every body, every refusal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

# The parsed document: whatever JSON holds.
Json = Any


@pytest.fixture
async def document(client: httpx.AsyncClient) -> Json:
    answer = await client.get("/api/openapi/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


def operations(document: Json) -> Iterator[tuple[str, Json]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield f"{method.upper()} {path}", operation


async def test_every_operation_says_what_it_does_and_for_whom(document: Json) -> None:
    assert document["openapi"].startswith("3.1")
    names = [operation["operationId"] for _, operation in operations(document)]
    assert len(names) == len(set(names))
    for name, operation in operations(document):
        assert operation["summary"], name
        assert operation["tags"], name
        assert operation["x-access"] in {"public", "signed_in", "setter", "judge", "admin"}, name
        assert ("security" in operation) == (operation["x-access"] != "public"), name


async def test_every_refusal_is_a_problem(document: Json) -> None:
    for name, operation in operations(document):
        refusals = {status: each for status, each in operation["responses"].items() if status >= "400"}
        assert {"400", "401", "403", "500", "503", "504"} <= refusals.keys(), name
        for status, each in refusals.items():
            if (name, status) == ("GET /api/health", "503"):
                continue
            assert list(each["content"]) == ["application/problem+json"], f"{name} {status}"
            assert ("headers" in each) == (status in {"429", "503"}), f"{name} {status}"


async def test_event_streams_say_how_they_refuse_and_end(document: Json) -> None:
    streams = {
        name: operation["responses"]
        for name, operation in operations(document)
        if "text/event-stream" in operation["responses"].get("200", {}).get("content", {})
    }
    assert streams.keys() == {
        "GET /api/events",
        "GET /api/admin/events",
        "GET /api/submissions/events",
        "GET /api/submissions/{submission_id}/events",
        "GET /api/contests/{contest_id}/events",
    }
    for name, responses in streams.items():
        assert {"429", "503"} <= responses.keys(), name
        assert ("204" in responses) == ("{submission_id}" in name), name


async def test_every_path_parameter_is_described_and_every_reference_resolves(document: Json) -> None:
    for name, operation in operations(document):
        described = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"}
        assert described == {part[1:-1] for part in name.split("/") if part.startswith("{")}, name
    schemas = document["components"]["schemas"]
    for part in json.dumps(document).split('"$ref": "#/components/schemas/')[1:]:
        assert part.split('"', 1)[0] in schemas


async def test_every_body_and_answer_has_an_example(document: Json) -> None:
    for name, operation in operations(document):
        parts = [operation.get("requestBody", {})]
        parts += [each for status, each in operation["responses"].items() if status.startswith("2")]
        for part in parts:
            content = part.get("content", {}).get("application/json")
            assert content is None or "example" in content, name


async def test_a_body_that_is_like_its_example_is_understood(
    client: httpx.AsyncClient, document: Json
) -> None:
    public = [
        (name, operation["requestBody"]["content"]["application/json"]["example"])
        for name, operation in operations(document)
        if operation["x-access"] == "public" and "requestBody" in operation
    ]
    assert len(public) >= 6
    for name, body in public:
        method, path = name.split(" ")
        answer = await client.request(method, path, json=body)
        # The services of these tests know no answer: past validation is far enough.
        assert answer.status_code != 400, f"{name}: {answer.text}"


async def test_the_page_loads_nothing_from_elsewhere(client: httpx.AsyncClient) -> None:
    page = await client.get("/api/openapi")
    assert "default-src 'none'; script-src 'self'" in page.headers["content-security-policy"]
    assert "http://" not in page.text
    assert "https://" not in page.text
    for name in ("viewer.js", "viewer.css"):
        assert f"/api/openapi/{name}" in page.text
        assert (await client.get(f"/api/openapi/{name}")).status_code == 200
