"""Every route × every role × every scope of an API token. What exists is in the table, and nothing else."""

from __future__ import annotations

import re
from typing import Final

import httpx
import pytest
from litestar.routes import HTTPRoute

from apps.bff.tests.fakes import Signer, ToldServices
from deepoj_bff.container import Container
from deepoj_bff.inbound.http.auth.api_tokens import TokenOwner
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE
from deepoj_kit.grpc import Kind, RemoteError

ID = "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11"
EVERYBODY: Final = {None, *Role}
SIGNED_IN: Final = set(Role)
SETTERS: Final = {Role.SETTER, Role.JUDGE, Role.ADMIN}
JUDGES: Final = {Role.JUDGE, Role.ADMIN}
ADMINS: Final = {Role.ADMIN}
C: Final = "/api/contests/{contest_id}"
P: Final = "/api/problems/{problem}"
S: Final = "/api/submissions/{submission_id}"

# method and path → who gets past the door, and the scope an API token needs ("account": none has it)
TABLE: Final = {
    "POST /api/auth/captchas": (EVERYBODY, "account"),
    "POST /api/auth/login": (EVERYBODY, "account"),
    "POST /api/auth/logout": (EVERYBODY, "account"),
    "POST /api/auth/password": (EVERYBODY, "account"),
    "POST /api/auth/refresh": (EVERYBODY, "account"),
    "POST /api/auth/register": (EVERYBODY, "account"),
    "POST /api/auth/guest": (EVERYBODY, "account"),
    "GET /api/site": (EVERYBODY, "read"),
    "GET /api/events": (EVERYBODY, "read"),
    "GET /api/users": (ADMINS, "admin"),
    "POST /api/users": (ADMINS, "admin"),
    "POST /api/users/import": (SETTERS, "manage"),
    "POST /api/users/{user_id}/password": (ADMINS, "account"),
    "POST /api/users/me/password": (SIGNED_IN, "account"),
    "GET /api/users/me/sessions": (SIGNED_IN, "account"),
    "DELETE /api/users/me/sessions/{session_id}": (SIGNED_IN, "account"),
    "GET /api/admin/invitations": (ADMINS, "admin"),
    "POST /api/admin/invitations": (ADMINS, "admin"),
    "DELETE /api/admin/invitations/{invitation_id}": (ADMINS, "admin"),
    "GET /api/admin/limits": (ADMINS, "admin"),
    "GET /api/users/me": (SIGNED_IN, "read"),
    "PATCH /api/users/me": (SIGNED_IN, "account"),
    "GET /api/users/by-name/{name}": (EVERYBODY, "read"),
    "GET /api/users/{user_id}": (EVERYBODY, "read"),
    "PATCH /api/users/{user_id}": (ADMINS, "admin"),
    "DELETE /api/users/{user_id}": (SIGNED_IN, "account"),
    "PUT /api/users/{user_id}/role": (ADMINS, "admin"),
    "PUT /api/users/{user_id}/status": (ADMINS, "admin"),
    "GET /api/users/{user_id}/audit-log": (SIGNED_IN, "account"),
    "GET /api/users/{user_id}/statistics": (EVERYBODY, "read"),
    "GET /api/users/{user_id}/best/{problem_id}": (SIGNED_IN, "read"),
    "GET /api/users/me/tokens": (SIGNED_IN, "account"),
    "POST /api/users/me/tokens": (SIGNED_IN, "account"),
    "DELETE /api/users/me/tokens/{token_id}": (SIGNED_IN, "account"),
    "GET /api/problems": (EVERYBODY, "read"),
    "GET /api/problems/tags": (EVERYBODY, "read"),
    "POST /api/problems": (SETTERS, "manage"),
    "POST /api/problems/import": (SETTERS, "manage"),
    "POST /api/problems/objects": (SETTERS, "manage"),
    f"GET {P}": (EVERYBODY, "read"),
    f"GET {P}/statement": (EVERYBODY, "read"),
    f"PUT {P}": (SETTERS, "manage"),
    f"PATCH {P}": (SETTERS, "manage"),
    f"DELETE {P}": (SETTERS, "manage"),
    f"GET {P}/assets/{{name}}": (EVERYBODY, "read"),
    f"GET {P}/export": (SETTERS, "manage"),
    f"POST {P}/verify": (SETTERS, "manage"),
    f"GET {P}/judging": (SETTERS, "manage"),
    f"GET {P}/cases/{{number}}/{{file}}": (SETTERS, "manage"),
    f"POST {P}/import": (SETTERS, "manage"),
    f"PUT {P}/published": (SETTERS, "manage"),
    f"GET {P}/statistics": (EVERYBODY, "read"),
    f"GET {P}/revisions": (SETTERS, "manage"),
    "GET /api/languages": (EVERYBODY, "read"),
    "POST /api/judge-hosts/join": (EVERYBODY, "read"),
    "POST /api/runs": (SIGNED_IN, "submit"),
    "GET /api/submissions": (SIGNED_IN, "read"),
    "POST /api/submissions": (SIGNED_IN, "submit"),
    "GET /api/submissions/events": (SIGNED_IN, "read"),
    "GET /api/submissions/quota": (SIGNED_IN, "read"),
    f"GET {S}": (SIGNED_IN, "read"),
    f"GET {S}/events": (SIGNED_IN, "read"),
    f"GET {S}/explain": (SIGNED_IN, "read"),
    f"GET {S}/source": (SIGNED_IN, "read"),
    f"GET {S}/attempts/{{attempt}}/compile.log": (SIGNED_IN, "read"),
    f"GET {S}/attempts/{{attempt}}/cases/{{case_number}}/{{log}}": (SIGNED_IN, "read"),
    f"GET {S}/attempts/{{attempt}}/manifest.json": (SIGNED_IN, "read"),
    f"POST {S}/replay": (JUDGES, "manage"),
    f"POST {S}/cancel": (SIGNED_IN, "submit"),
    "GET /api/contests": (EVERYBODY, "read"),
    "POST /api/contests": (SIGNED_IN, "manage"),
    f"GET {C}": (EVERYBODY, "read"),
    f"PUT {C}": (SIGNED_IN, "manage"),
    f"DELETE {C}": (SIGNED_IN, "manage"),
    f"GET {C}/events": (EVERYBODY, "read"),
    f"GET {C}/participants": (EVERYBODY, "read"),
    f"POST {C}/participants": (SIGNED_IN, "submit"),
    f"DELETE {C}/participants/me": (SIGNED_IN, "submit"),
    f"DELETE {C}/participants/{{user_id}}": (SIGNED_IN, "manage"),
    f"PATCH {C}/participants/{{user_id}}": (SIGNED_IN, "manage"),
    f"GET {C}/clarifications": (EVERYBODY, "read"),
    f"POST {C}/clarifications": (SIGNED_IN, "submit"),
    f"PUT {C}/clarifications/{{clarification_id}}/answer": (SIGNED_IN, "manage"),
    f"POST {C}/broadcasts": (SIGNED_IN, "manage"),
    f"GET {C}/problems/{{problem_id}}/entry": (SIGNED_IN, "read"),
    f"POST {C}/extend": (SIGNED_IN, "manage"),
    f"POST {C}/unfreeze": (SIGNED_IN, "manage"),
    f"POST {C}/finalize": (SIGNED_IN, "manage"),
    f"POST {C}/removed-intervals": (SIGNED_IN, "manage"),
    f"PUT {C}/submissions/{{submission_id}}/ignored": (SIGNED_IN, "manage"),
    f"GET {C}/scoreboard": (EVERYBODY, "read"),
    f"GET {C}/scoreboard/export": (EVERYBODY, "read"),
    f"GET {C}/scoreboard/compact": (EVERYBODY, "read"),
    f"GET {C}/scoreboard/{{user_id}}": (EVERYBODY, "read"),
    f"GET {C}/scoreboard/{{user_id}}/explain": (EVERYBODY, "read"),
    f"GET {C}/rejudges/{{rejudge_id}}/preview": (SIGNED_IN, "manage"),
    f"POST {C}/recompute": (SIGNED_IN, "manage"),
    f"GET {C}/work": (SIGNED_IN, "manage"),
    f"GET {C}/work/{{work_id}}": (SIGNED_IN, "manage"),
    f"GET {C}/rulings": (SIGNED_IN, "manage"),
    f"GET {C}/undecided": (SIGNED_IN, "manage"),
    f"GET {C}/ignored": (SIGNED_IN, "manage"),
    f"POST {C}/participants/import": (SIGNED_IN, "manage"),
    f"POST {C}/reopen": (SIGNED_IN, "manage"),
    f"POST {C}/restored-intervals": (SIGNED_IN, "manage"),
    "GET /api/admin/audit-log": (ADMINS, "admin"),
    "GET /api/admin/dead-letters": (ADMINS, "admin"),
    "GET /api/admin/dead-letters/groups": (ADMINS, "admin"),
    "POST /api/admin/dead-letters/replay": (ADMINS, "admin"),
    "POST /api/admin/dead-letters/{submission_id}/replay": (ADMINS, "admin"),
    "GET /api/admin/quotas": (ADMINS, "admin"),
    "GET /api/admin/now": (ADMINS, "admin"),
    "GET /api/admin/events": (ADMINS, "admin"),
    "GET /api/admin/queue": (JUDGES, "manage"),
    "GET /api/admin/workers": (JUDGES, "manage"),
    "GET /api/admin/attempts": (JUDGES, "manage"),
    "GET /api/admin/workers/drained": (JUDGES, "manage"),
    "POST /api/admin/workers/drain": (ADMINS, "admin"),
    "POST /api/admin/workers/resume": (ADMINS, "admin"),
    "GET /api/admin/rejudges": (SIGNED_IN, "manage"),
    "POST /api/admin/rejudges": (SIGNED_IN, "manage"),
    "POST /api/admin/rejudges/count": (SIGNED_IN, "manage"),
    "GET /api/admin/rejudges/{rejudge_id}": (SIGNED_IN, "manage"),
    "POST /api/admin/rejudges/{rejudge_id}/apply": (SIGNED_IN, "manage"),
    "POST /api/admin/rejudges/{rejudge_id}/discard": (SIGNED_IN, "manage"),
    "GET /api/health": (EVERYBODY, "read"),
    "GET /api/openapi": (EVERYBODY, "read"),
    "GET /api/openapi/openapi.json": (EVERYBODY, "read"),
    "GET /api/openapi/viewer.js": (EVERYBODY, "read"),
    "GET /api/openapi/viewer.css": (EVERYBODY, "read"),
}
# The framework's own pages.
FOREIGN: Final = "/api/openapi/internal"
DOOR_REASONS: Final = {"sign_in_required", "role_required", "scope_required"}


@pytest.fixture(autouse=True)
def unwilling(services: ToldServices) -> None:
    """Let every service refuse: past the door is not inside."""
    services.otherwise = RemoteError(Kind.NOT_FOUND, "not_found", "there is no such thing")


def test_the_table_names_every_route(client: httpx.AsyncClient, containers: dict[object, Container]) -> None:
    del client
    app = next(iter(containers.values())).app()
    routes = {
        f"{method} {route.path_format}"
        for route in app.routes
        if isinstance(route, HTTPRoute) and not route.path_format.startswith(FOREIGN)
        for method in route.route_handler_map
        if method != "OPTIONS"
    }
    assert routes == TABLE.keys()


@pytest.mark.parametrize("role", sorted(EVERYBODY, key=str))
async def test_each_role_gets_past_the_doors_of_its_row(
    client: httpx.AsyncClient, signer: Signer, role: Role | None
) -> None:
    headers = signer.headers(role) if role else {}
    for row, (allowed, _) in TABLE.items():
        answer = await call(client, row, headers)
        turned_away = answer.status_code in {401, 403} and answer.json()["reason"] in DOOR_REASONS
        # Logging out everywhere needs somebody; the door itself is open.
        assert turned_away == (role not in allowed), f"{row} as {role}: {answer.status_code} {answer.text}"
        if turned_away:
            assert answer.status_code == (401 if role is None else 403)


@pytest.mark.parametrize("scope", ["read", "submit", "manage", "admin"])
async def test_a_token_does_what_its_scope_names_and_no_more(
    client: httpx.AsyncClient, services: ToldServices, scope: str
) -> None:
    services.answers["user", "AuthenticateApiToken"] = TokenOwner(Actor(ALICE, Role.ADMIN), [scope])
    headers = {"authorization": f"Bearer doj_api_{scope}"}
    for row, (_, needed) in TABLE.items():
        answer = await call(client, row, headers)
        refused = answer.status_code == 403 and answer.json()["reason"] == "scope_required"
        assert refused == (needed != scope), f"{row} with {scope}: {answer.status_code} {answer.text}"


async def test_what_the_framework_adds_is_for_admins(client: httpx.AsyncClient, signer: Signer) -> None:
    for role in (None, Role.JUDGE):
        answer = await client.get(f"{FOREIGN}/openapi.json", headers=signer.headers(role) if role else {})
        assert answer.status_code in {401, 403}


async def call(client: httpx.AsyncClient, row: str, headers: dict[str, str]) -> httpx.Response:
    method, path = row.split(" ", 1)
    filled = re.sub(r"\{\w+\}", ID, re.sub(r"\{(attempt|case_number|number)\}", "1", path))
    if row in {"GET /api/submissions/events", "GET /api/admin/events"}:
        # A stream does not end: past the door, a position that is too long to be one is refused.
        request = client.build_request(method, filled, headers=headers | {"last-event-id": "x" * 1000})
        return await client.send(request)
    return await client.request(method, filled, headers=headers)
