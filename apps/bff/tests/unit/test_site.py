"""What the site tells of itself, and the ways in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import httpx
import pytest

from apps.bff.tests.fakes import Signer, ToldServices
from deepoj_bff.queries.views.base import PageInfo
from deepoj_bff.queries.views.site import RegistrationTerms
from deepoj_bff.queries.views.user import (
    Creation,
    CreationOutcome,
    Creations,
    NewPasswordAnswer,
    OpenSession,
    OpenSessions,
    Role,
    Session,
    SessionOrigin,
    Tokens,
    User,
    UserAnswer,
    Users,
)
from deepoj_domain.account.account import AccountStatus
from deepoj_domain.account.registration import RegistrationMode
from deepoj_domain.kernel.role import Role as DomainRole
from deepoj_kit.grpc import Kind, RemoteError

SOON = datetime.now(UTC) + timedelta(days=1)
NEWCOMER = {"name": "ada", "password": "correct horse"}


def a_user(name: str = "ada") -> User:
    return User(
        id=str(uuid4()),
        name=name,
        display_name=name.title(),
        email="ada@example.org",
        role=Role.CONTESTANT,
        status=AccountStatus.ACTIVE,
        created_at=None,
        bio="of nobody's concern",
        avatar="",
    )


def a_session() -> Session:
    tokens = Tokens(
        access_token="ACCESS", access_expires_at=SOON, refresh_token="REFRESH", refresh_expires_at=SOON
    )
    return Session(account=a_user(), tokens=tokens)


@pytest.mark.parametrize(("seen", "hint"), [(False, ".deepoj/first-admin.json"), (True, None)])
async def test_the_site_tells_how_one_gets_in_and_what_time_it_is(
    *, client: httpx.AsyncClient, services: ToldServices, seen: bool, hint: str | None
) -> None:
    services.answers["user", "GetRegistration"] = RegistrationTerms(
        mode=RegistrationMode.OPEN,
        guest_accounts=True,
        first_admin=".deepoj/first-admin.json",
        admin_seen=seen,
    )
    site = (await client.get("/api/site")).json()
    assert (site["registration"], site["guest_accounts"], site["first_admin_hint"]) == ("open", True, hint)
    assert abs(datetime.fromisoformat(site["time"]) - datetime.now(UTC)) < timedelta(minutes=1)
    assert site["locales"] == ["en", "zh"]
    assert site["limits"] == {"source_bytes": 1_000_000, "input_bytes": 1_000_000, "page_size": 100}
    assert (site["name"], site["demo"], site["start_problem"]) == ("Deep-OJ", False, None)


async def test_registering_answers_the_account_or_a_session(
    client: httpx.AsyncClient, services: ToldServices
) -> None:
    services.answers["user", "Register"] = a_session()
    plain = await client.post("/api/auth/register", json=NEWCOMER)
    assert (plain.status_code, plain.json()["name"]) == (201, "ada")
    assert "set-cookie" not in plain.headers
    bearer = await client.post("/api/auth/register", json=NEWCOMER | {"transport": "bearer"})
    assert bearer.json()["tokens"]["access_token"] == "ACCESS"
    cookie = await client.post("/api/auth/register", json=NEWCOMER | {"transport": "cookie"})
    assert cookie.json()["tokens"] is None
    assert set(cookie.cookies) == {"deepoj_access", "deepoj_refresh"}
    assert [fields["sign_in"] for _, _, fields in services.asked] == [False, True, True]


async def test_another_site_cannot_sign_a_browser_in(client: httpx.AsyncClient) -> None:
    elsewhere = {"origin": "https://evil.test", "sec-fetch-site": "cross-site"}
    for path, body in (("/api/auth/register", NEWCOMER | {"transport": "cookie"}), ("/api/auth/guest", None)):
        answer = await client.post(path, json=body, headers=elsewhere)
        assert (answer.status_code, answer.json()["reason"]) == (403, "cross_site")


async def test_a_guest_gets_a_session_in_cookies(client: httpx.AsyncClient, services: ToldServices) -> None:
    services.answers["user", "MakeGuest"] = a_session()
    answer = await client.post("/api/auth/guest")
    assert (answer.status_code, answer.json()["tokens"]) == (201, None)
    assert set(answer.cookies) == {"deepoj_access", "deepoj_refresh"}


async def test_everybody_is_told_names_and_only_admins_more(
    client: httpx.AsyncClient, services: ToldServices, signer: Signer
) -> None:
    user = a_user()
    services.answers["user", "List"] = Users(accounts=[user], page=PageInfo())
    path = f"/api/users?id={user.id}&id={user.id}"
    for headers in ({}, signer.headers(DomainRole.JUDGE)):
        answer = await client.get(path, headers=headers)
        assert answer.json() == {"items": [{"id": user.id, "name": "ada", "display_name": "Ada"}]}
        again = await client.get(path, headers=headers | {"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304
    # The question is a guest's, whoever asks: no answer to it depends on the caller.
    assert all("actor" not in fields for _, method, fields in services.asked if method == "List")
    admins = (await client.get(path, headers=signer.headers(DomainRole.ADMIN))).json()
    assert admins["items"][0]["email"] == "ada@example.org"


async def test_names_for_ids_have_a_limit(client: httpx.AsyncClient) -> None:
    many = "&".join(f"id={uuid4()}" for _ in range(101))
    assert (await client.get(f"/api/users?{many}")).status_code == 400
    assert (await client.get("/api/users?id=nonsense")).status_code == 400


@pytest.mark.parametrize(
    ("outcome", "reason", "status"),
    [
        (CreationOutcome.EXISTS, "", 409),
        (CreationOutcome.REFUSED, "email_taken", 409),
        (CreationOutcome.REFUSED, "username_malformed", 400),
    ],
)
async def test_an_account_that_cannot_be_made_is_refused_by_name(
    client: httpx.AsyncClient,
    services: ToldServices,
    signer: Signer,
    outcome: CreationOutcome,
    reason: str,
    status: int,
) -> None:
    creation = Creation(outcome=outcome, reason=reason, account_id="", password="")
    services.answers["user", "CreateAccounts"] = Creations(creations=[creation])
    answer = await client.post("/api/users", json={"name": "ada"}, headers=signer.headers(DomainRole.ADMIN))
    assert (answer.status_code, answer.json()["reason"]) == (status, reason or "name_taken")


async def test_a_generated_password_is_shown_once_and_never_compressed(
    client: httpx.AsyncClient, services: ToldServices, signer: Signer
) -> None:
    admin = signer.headers(DomainRole.ADMIN)
    made = Creation(outcome=CreationOutcome.CREATED, reason="", account_id=str(uuid4()), password="abcd")
    services.answers["user", "CreateAccounts"] = Creations(creations=[made])
    services.answers["user", "Get"] = UserAnswer(account=a_user())
    services.answers["user", "ResetPassword"] = NewPasswordAnswer(password="efgh")
    created = await client.post("/api/users", json={"name": "ada"}, headers=admin)
    reset = await client.post(f"/api/users/{uuid4()}/password", headers=admin)
    assert (created.status_code, created.json()["password"]) == (201, "abcd")
    assert (reset.status_code, reset.json()) == (200, {"password": "efgh"})
    for answer in (created, reset):
        assert answer.headers["cache-control"] == "no-store"
        assert "content-encoding" not in answer.headers


async def test_my_sessions_are_listed_and_this_one_is_marked(
    client: httpx.AsyncClient, services: ToldServices, signer: Signer
) -> None:
    here, there = str(uuid4()), str(uuid4())
    services.answers["user", "ListSessions"] = OpenSessions(
        sessions=[
            OpenSession(
                id=each,
                started_at=SOON,
                used_at=SOON,
                origin=SessionOrigin(address="192.0.2.7", user_agent="a browser"),
            )
            for each in (here, there)
        ]
    )
    token = signer.token(DomainRole.CONTESTANT, session_id=here)
    answer = await client.get("/api/users/me/sessions", headers={"authorization": f"Bearer {token}"})
    items = answer.json()["items"]
    assert [(each["id"], each["current"]) for each in items] == [(here, True), (there, False)]
    assert items[0]["address"] == "192.0.2.7"


async def test_who_came_with_a_cookie_gets_the_new_session_in_cookies(
    client: httpx.AsyncClient, services: ToldServices, signer: Signer
) -> None:
    services.answers["user", "ReplacePassword"] = a_session()
    body = {"password": "old", "new_password": "a new password"}
    token = signer.token(DomainRole.CONTESTANT)
    bearer = await client.post(
        "/api/users/me/password", json=body, headers={"authorization": f"Bearer {token}"}
    )
    assert bearer.json()["tokens"]["access_token"] == "ACCESS"
    headers = {"cookie": f"deepoj_access={token}", "sec-fetch-site": "same-origin"}
    cookie = await client.post("/api/users/me/password", json=body, headers=headers)
    assert cookie.json()["tokens"] is None
    assert set(cookie.cookies) == {"deepoj_access", "deepoj_refresh"}


async def test_a_refusal_of_the_old_password_is_not_a_lost_session(
    client: httpx.AsyncClient, services: ToldServices, signer: Signer
) -> None:
    refusal = RemoteError(Kind.UNAUTHENTICATED, "bad_credentials", "the name or the password is wrong")
    services.answers["user", "ReplacePassword"] = refusal
    answer = await client.post(
        "/api/users/me/password",
        json={"password": "old", "new_password": "a new password"},
        headers=signer.headers(DomainRole.CONTESTANT),
    )
    assert (answer.status_code, answer.json()["reason"]) == (403, "bad_credentials")
