"""A problem at hand is answered before the framework, and nobody can tell but by the time."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import httpx
import pytest

from apps.bff.tests.fakes import Signer, ToldServices, a_problem
from deepoj_bff.container import Container
from deepoj_domain.kernel.role import Role
from deepoj_kit.grpc import Kind, RemoteError

OWN = {"x-request-id", "x-trace-id"}


@pytest.fixture
def path(
    client: httpx.AsyncClient,  # noqa: ARG001 — makes the container
    services: ToldServices,
    containers: dict[tuple[str | None, int], Container],
) -> Iterator[str]:
    slug = f"sum-{uuid4().hex}"
    services.answers["question", "Get"] = a_problem(slug)
    following = [container.revisions() for container in containers.values()]
    for revisions in following:
        revisions.following = True
    yield f"/api/problems/{slug}"
    for revisions in following:
        revisions.following = False


def questions(services: ToldServices) -> int:
    return sum(method == "Get" for _, method, _ in services.asked)


async def test_both_ways_give_the_same_answer(
    client: httpx.AsyncClient, services: ToldServices, path: str
) -> None:
    # The slug becomes known with the first answer, and with it the key under which the second is kept.
    answers = [await client.get(path) for _ in range(4)]
    shown = [
        (answer.status_code, answer.content, {k: v for k, v in answer.headers.items() if k not in OWN})
        for answer in answers
    ]
    assert shown[0] == shown[1] == shown[2] == shown[3]
    asked = questions(services)
    by_query = await client.get(path, params={"unknown": "1"})
    assert by_query.content == answers[0].content
    assert questions(services) == asked


async def test_who_has_it_is_told_so(client: httpx.AsyncClient, path: str) -> None:
    for _ in range(3):
        etag = (await client.get(path)).headers["etag"]
        again = await client.get(path, headers={"if-none-match": etag})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)


async def test_a_bad_credential_is_refused_although_the_problem_is_at_hand(
    client: httpx.AsyncClient, signer: Signer, path: str
) -> None:
    good = signer.headers(Role.CONTESTANT)
    for headers in ({}, good, good, {"cookie": "deepoj_access=bad"}):
        assert (await client.get(path, headers=headers)).status_code == 200
    for value in ("Bearer a.b.c", "Basic eDp5", good["authorization"] + "x"):
        assert (await client.get(path, headers={"authorization": value})).status_code == 401


async def test_without_events_nothing_is_at_hand_for_long(
    client: httpx.AsyncClient, services: ToldServices, path: str, containers: dict[object, Container]
) -> None:
    await client.get(path)
    await client.get(path)
    assert any(each.problems().at_hand(path.rpartition("/")[2]) for each in containers.values())
    for container in containers.values():
        container.revisions().following = False
        assert container.problems().at_hand(path.rpartition("/")[2]) is None
    services.answers["question", "Get"] = RemoteError(Kind.NOT_FOUND, "not_found", "there is none")
    assert (await client.get(f"{path}-other")).status_code == 404
