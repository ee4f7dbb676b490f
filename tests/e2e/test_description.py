"""The description of the API is true, whoever calls and whatever they send."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

if TYPE_CHECKING:
    from tests.e2e.conftest import System

pytestmark = pytest.mark.xdist_group("description")

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
PASSWORD = "correct horse battery"
# Where a session can end.
DOORS = ("/api/auth/", "/api/users/me/password", "/api/users/me/sessions")
ROLES = ("guest", "contestant", "setter", "judge", "admin")
# Enough to meet each refusal; a machine with time may try more.
EXAMPLES = int(os.environ.get("DEEPOJ_TEST_EXAMPLES", "3"))


@schemathesis.serializer("application/zip", "application/x-tar")
def archive(ctx: object, value: object) -> bytes:  # noqa: ARG001 — schemathesis's signature
    return value if isinstance(value, bytes) else str(value).encode()


@pytest.fixture(scope="module")
def described(system: System) -> Any:  # noqa: ANN401 — schemathesis does not export the type
    document = httpx.get(f"{system.url}/api/openapi/openapi.json", timeout=60).json()
    return schemathesis.openapi.from_dict(document)


@pytest.fixture(scope="module")
def things(system: System) -> dict[str, str]:
    """Return ids, names and numbers of things that exist, by the name of the path parameter."""
    # Nobody's favourite: what admins are tried with may delete them.
    setter, judge, ada = system.person("setter"), system.person("judge"), system.person()
    problem = system.problem(setter)
    contest = judge.post("/contests", contest_of(problem))
    path = f"/contests/{contest['id']}"
    ada.post(f"{path}/participants", {"display_name": "Ada"})
    submission_id = ada.submit(problem["id"], contest_id=contest["id"])
    judged = ada.judged(submission_id)
    return {
        "problem": problem["id"],
        "problem_id": problem["id"],
        "contest_id": contest["id"],
        "submission_id": submission_id,
        "attempt": str(judged["attempt"]),
        "case_number": "1",
        "log": "stdout",
        "number": "1",
        "file": "input",
        "clarification_id": ada.post(f"{path}/clarifications", {"text": "Why?"})["id"],
        "rejudge_id": judge.post("/admin/rejudges", {"submission_id": submission_id})["rejudge_id"],
        "work_id": judge.post(f"{path}/recompute", expect=202)["id"],
        "token_id": ada.post("/users/me/tokens", {"name": "a tool", "scopes": ["read"]})["token"]["id"],
        "session_id": ada.get("/users/me/sessions")["items"][0]["id"],
        "invitation_id": system.admin.post("/admin/invitations", {})["id"],
        "user_id": ada.id,
        "name": ada.name,
    }


def contest_of(problem: Any) -> Any:  # noqa: ANN401 — JSON
    return {
        "title": "Described",
        "format": "icpc",
        "schedule": {"starts_at": "2020-01-01T00:00:00Z", "ends_at": "2099-01-01T00:00:00Z"},
        "problems": [{"problem_id": problem["id"], "label": "A"}],
        "entry": {"during_contest": True},
    }


def test_every_id_in_a_path_is_one_that_exists(
    described: Any,  # noqa: ANN401 — schemathesis does not export the type
    things: dict[str, str],
) -> None:
    operations = [result.ok() for result in described.get_all_operations()]
    assert {each.name for operation in operations for each in operation.path_parameters} == things.keys()


@pytest.fixture(scope="module")
def calls(described: Any, things: dict[str, str]) -> list[Case[Any]]:  # noqa: ANN401 — as above
    """Make them once: to think of one costs as much as to make it, and everybody makes the same."""
    operations = [result.ok() for result in described.get_all_operations()]
    return [
        case
        for each in operations
        if "text/event-stream" not in str(each.definition.raw["responses"].get("200", ""))
        for case in calls_of(each, things)
    ]


def calls_of(operation: Any, things: dict[str, str]) -> list[Case[Any]]:  # noqa: ANN401 — as above
    found: list[Case[Any]] = []

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def once(case: Case[Any]) -> None:
        # Half of the calls are about something that exists; a random id never does.
        if len(found) % 2 == 0:
            known = {name: value for name, value in things.items() if name in case.path_parameters}
            case.path_parameters.update(known)
        found.append(case)

    once()
    return found


@pytest.fixture
def bearer(system: System) -> Iterator[Callable[[str], requests.Session]]:
    """Give a function that lets somebody new of a role in, as a tool."""
    with ExitStack() as opened:

        def enter(role: str) -> requests.Session:
            session = opened.enter_context(requests.Session())
            if role != "guest":
                session.headers["authorization"] = f"Bearer {system.person(role).token}"
            return session

        yield enter


@pytest.fixture
def cookies(system: System) -> Iterator[Callable[[str], requests.Session]]:
    """Give the same for a browser."""
    with ExitStack() as opened:

        def enter(role: str) -> requests.Session:
            session = opened.enter_context(requests.Session())
            session.headers["origin"] = system.url
            body = {"login": system.person(role).name, "password": PASSWORD, "transport": "cookie"}
            session.post(f"{system.url}/api/auth/login", json=body, timeout=60).raise_for_status()
            return session

        yield enter


@pytest.mark.parametrize(("means", "role"), [*(("bearer", role) for role in ROLES), ("cookies", "judge")])
def test_no_route_answers_otherwise_than_described(
    system: System,
    calls: list[Case[Any]],
    means: str,
    role: str,
    request: pytest.FixtureRequest,
) -> None:
    enter = request.getfixturevalue(means)
    # Who is tried at the doors of sessions may be sent away there: that is somebody else.
    session, another = enter(role), enter(role)
    failures: list[str] = []
    for case in calls:
        caller = another if case.operation.path.startswith(DOORS) else session
        try:
            case.call_and_validate(base_url=system.url, session=caller, checks=CHECKS, timeout=60)
        except FailureGroup as found:
            # All that is wrong is shown at once.
            failures.extend(f"{case.operation.label}: {each}" for each in found.exceptions)
    assert not failures, "\n\n".join(failures[:10])
    me = session.get(f"{system.url}/api/users/me", timeout=60)
    assert me.status_code == (401 if role == "guest" else 200), me.text
