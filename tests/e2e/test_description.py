"""The description of the API is true, whoever calls and whatever they send."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import httpx
import pytest
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

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ROLES = ("guest", "contestant", "setter", "judge", "admin")
# Enough to meet each refusal; the rest is for a machine with time.
EXAMPLES = 2


@schemathesis.serializer("application/zip", "application/x-tar")
def archive(ctx: object, value: object) -> bytes:  # noqa: ARG001 — schemathesis's signature
    return value if isinstance(value, bytes) else str(value).encode()


@pytest.fixture(scope="module")
def described(system: System) -> Any:  # noqa: ANN401 — schemathesis does not export the type
    document = httpx.get(f"{system.url}/api/openapi/openapi.json", timeout=60).json()
    return schemathesis.openapi.from_dict(document)


@pytest.fixture(scope="module")
def things(system: System) -> dict[str, str]:
    """Return ids of things that exist, by the name of the path parameter."""
    # Nobody's favourite: what admins are tried with may delete them.
    setter, judge, ada = system.person("setter"), system.person("judge"), system.person()
    problem = system.problem(setter)
    contest = judge.post("/contests", contest_of(problem))
    ada.post(f"/contests/{contest['id']}/participants", {"display_name": "Ada"})
    submission_id = ada.submit(problem["id"])
    ada.judged(submission_id)
    return {
        "problem": problem["id"],
        "problem_id": problem["id"],
        "contest_id": contest["id"],
        "submission_id": submission_id,
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


@pytest.mark.parametrize("role", ROLES)
def test_no_route_answers_otherwise_than_described(
    system: System,
    described: Any,  # noqa: ANN401 — as above
    things: dict[str, str],
    role: str,
) -> None:
    person = system.guest if role == "guest" else system.person(role)
    headers = {"authorization": f"Bearer {person.token}"} if person.token else {}
    failures: list[str] = []
    for result in described.get_all_operations():
        operation = result.ok()
        if "text/event-stream" in str(operation.definition.raw["responses"].get("200", "")):
            continue
        try_operation(operation, things, headers, system.url, failures)
    assert not failures, "\n\n".join(failures[:10])


def try_operation(
    operation: Any,  # noqa: ANN401 — as above
    things: dict[str, str],
    headers: dict[str, str],
    url: str,
    failures: list[str],
) -> None:
    turns = itertools.count()

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
        if next(turns) % 2 == 0:
            known = {name: value for name, value in things.items() if name in case.path_parameters}
            case.path_parameters.update(known)
        case.call_and_validate(base_url=url, headers=headers, checks=CHECKS, timeout=60)

    try:
        once()
    except FailureGroup as found:
        # All that is wrong is shown at once.
        failures.extend(f"{operation.label}: {each}" for each in found.exceptions)
