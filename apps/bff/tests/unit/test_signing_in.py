"""Who a request comes from, and what that lets it do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from apps.bff.tests.fakes import Signer, ToldServices
from deepoj_bff.inbound.http.auth.access_tokens import AccessTokens, SigningKeys
from deepoj_bff.inbound.http.auth.api_tokens import ApiTokens, TokenOwner
from deepoj_bff.inbound.http.auth.caller import Means
from deepoj_bff.queries.projections.revoked_credentials import RevokedCredentials
from deepoj_bff.queries.services import Nothing, Origin
from deepoj_bff.queries.views.base import PageInfo
from deepoj_bff.queries.views.user import Role as ShownRole
from deepoj_bff.queries.views.user import Session, Tokens, User, UserAnswer, Users
from deepoj_domain.account.account import AccountStatus
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.grpc import Kind, RemoteError

ACCOUNT = UUID("019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11")
USER = User(
    id=str(ACCOUNT), name="ada", display_name="Ada", email=None, role=ShownRole.CONTESTANT,
    status=AccountStatus.ACTIVE, created_at=None, bio="", avatar="",
)  # fmt: skip
LOGIN = {"login": "ada", "password": "secret"}


@pytest.fixture(autouse=True)
def answers(services: ToldServices) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)
    tokens = Tokens(access_token="a", access_expires_at=later, refresh_token="r", refresh_expires_at=later)
    services.answers |= {
        ("user", "Get"): UserAnswer(account=USER),
        ("user", "Login"): Session(account=USER, tokens=tokens),
        ("user", "Refresh"): Session(account=USER, tokens=tokens),
        ("user", "Logout"): Nothing(),
        ("user", "UpdateInfo"): UserAnswer(account=USER),
        ("user", "List"): Users(accounts=[USER], page=PageInfo()),
    }


async def test_an_access_token_names_the_caller(
    client: httpx.AsyncClient, signer: Signer, services: ToldServices
) -> None:
    answer = await client.get("/api/users/me", headers=signer.headers(Role.SETTER, ACCOUNT))
    assert answer.status_code == 200
    assert services.asked[-1][2]["actor"] == Actor(AccountId(ACCOUNT), Role.SETTER)


async def test_the_keys_are_asked_for_once(
    client: httpx.AsyncClient, signer: Signer, services: ToldServices
) -> None:
    for _ in range(3):
        await client.get("/api/users/me", headers=signer.headers(Role.CONTESTANT))
    assert [method for _, method, _ in services.asked].count("GetSigningKeys") <= 1


async def test_a_key_made_a_moment_ago_is_known_whatever_keys_others_invent(
    signer: Signer, services: ToldServices
) -> None:
    tokens = AccessTokens(services, RevokedCredentials())
    assert await tokens.identity(signer.token(Role.CONTESTANT), Means.BEARER) is not None
    invented = [Signer(signer.key, f"invented {number}").token(Role.ADMIN) for number in range(1000)]
    flood = asyncio.gather(*(tokens.identity(each, Means.BEARER) for each in invented))
    new = Signer(Ed25519PrivateKey.generate(), "made a moment ago")
    published = signer.published()
    services.answers["user", "GetSigningKeys"] = SigningKeys(
        keys=[*published.keys, *new.published().keys], issuer=published.issuer
    )
    assert await tokens.identity(new.token(Role.CONTESTANT), Means.BEARER) is not None
    assert set(await flood) == {None}


async def test_however_many_keys_are_invented_at_once_user_is_asked_a_few_times(
    signer: Signer, services: ToldServices
) -> None:
    tokens = AccessTokens(services, RevokedCredentials())
    invented = [Signer(signer.key, f"invented {number}").token(Role.ADMIN) for number in range(1000)]
    assert set(await asyncio.gather(*(tokens.identity(each, Means.BEARER) for each in invented))) == {None}
    assert [method for _, method, _ in services.asked].count("GetSigningKeys") <= 3


def _forged(signer: Signer) -> str:
    return Signer(Ed25519PrivateKey.generate(), signer.key_id).token(Role.ADMIN)


def _symmetric(signer: Signer) -> str:
    # Signed with the public key as if it were a shared secret.
    claims = {"sub": str(ACCOUNT), "role": "admin", "exp": datetime.now(UTC) + timedelta(hours=1)}
    secret = signer.published().keys[0].id.encode() * 8
    return jwt.encode(claims, secret, algorithm="HS256", headers={"kid": signer.key_id})


@pytest.mark.parametrize(
    "make",
    [
        _forged,
        _symmetric,
        lambda signer: signer.token(Role.ADMIN, valid_for=timedelta(seconds=-1)),
        lambda signer: Signer(signer.key, "another key").token(Role.ADMIN),
        lambda signer: signer.token(Role.ADMIN)[:-4] + "AAAA",
        lambda _: "a.b.c",
    ],
)
async def test_a_bad_token_is_refused_even_where_guests_are_welcome(
    client: httpx.AsyncClient, signer: Signer, make: Callable[[Signer], str]
) -> None:
    for path in ("/api/users/me", f"/api/users/{ACCOUNT}"):
        answer = await client.get(path, headers={"authorization": f"Bearer {make(signer)}"})
        assert (answer.status_code, answer.json()["reason"]) == (401, "credential_refused")
        assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_browser_gets_cookies_that_scripts_cannot_read_and_no_tokens(
    client: httpx.AsyncClient,
) -> None:
    answer = await client.post("/api/auth/login", json={**LOGIN, "transport": "cookie"})
    assert answer.json()["tokens"] is None
    cookies = answer.headers.get_list("set-cookie")
    assert {cookie.split("=", 1)[0] for cookie in cookies} == {"deepoj_access", "deepoj_refresh"}
    assert all("HttpOnly" in cookie and "SameSite=strict" in cookie for cookie in cookies)
    assert next(cookie for cookie in cookies if "refresh" in cookie).count("Path=/api/auth") == 1


async def test_a_tool_gets_tokens_and_no_cookies(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/auth/login", json=LOGIN)
    assert answer.json()["tokens"]["access_token"] == "a"
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"origin": "http://evil.test"}, 403),
        ({"origin": "http://oj.test"}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "cross-site", "origin": "http://oj.test"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
)
async def test_a_change_made_with_a_cookie_has_to_come_from_our_own_pages(
    client: httpx.AsyncClient, signer: Signer, headers: dict[str, str], status: int
) -> None:
    client.cookies.set("deepoj_access", signer.token(Role.CONTESTANT))
    answer = await client.patch("/api/users/me", json={"bio": "x"}, headers=headers)
    assert answer.status_code == status
    assert (await client.get("/api/users/me")).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://oj.test"}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"origin": "http://evil.test"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
    ],
)
async def test_another_site_cannot_log_a_browser_in_under_a_name_of_its_choice(
    client: httpx.AsyncClient, headers: dict[str, str], status: int
) -> None:
    body = {**LOGIN, "transport": "cookie"}
    answer = await client.post("/api/auth/login", json=body, headers=headers)
    assert answer.status_code == status
    assert ("set-cookie" in answer.headers) is (status == 200)


async def test_a_token_is_enough_wherever_the_page_is_from(client: httpx.AsyncClient, signer: Signer) -> None:
    headers = {**signer.headers(Role.CONTESTANT), "origin": "http://elsewhere.test"}
    assert (await client.patch("/api/users/me", json={"bio": "x"}, headers=headers)).status_code == 200


async def test_a_refresh_with_the_cookie_has_to_come_from_our_own_pages(client: httpx.AsyncClient) -> None:
    client.cookies.set("deepoj_refresh", "r")
    assert (await client.post("/api/auth/refresh")).status_code == 403
    answer = await client.post("/api/auth/refresh", headers={"origin": "http://oj.test"})
    assert answer.status_code == 200
    assert answer.json()["tokens"] is None


async def test_an_old_cookie_is_a_guest_where_guests_are_welcome(
    client: httpx.AsyncClient, signer: Signer, services: ToldServices
) -> None:
    client.cookies.set("deepoj_access", signer.token(Role.CONTESTANT, valid_for=timedelta(seconds=-1)))
    assert (await client.get(f"/api/users/{ACCOUNT}")).status_code == 200
    assert services.asked[-1][2]["actor"] is None
    assert (await client.get("/api/users/me")).status_code == 401


async def test_an_api_token_does_what_its_scopes_allow_and_never_manages_accounts(
    client: httpx.AsyncClient, services: ToldServices
) -> None:
    owner = TokenOwner(Actor(AccountId(ACCOUNT), Role.ADMIN), ["read"])
    services.answers["user", "AuthenticateApiToken"] = owner
    headers = {"authorization": "Bearer doj_secret"}
    assert (await client.get("/api/users/me", headers=headers)).status_code == 200
    listed = await client.get("/api/users", headers=headers)
    assert (listed.status_code, listed.json()["reason"]) == (403, "scope_required")
    edited = await client.patch("/api/users/me", json={}, headers=headers)
    assert (edited.status_code, edited.json()["reason"]) == (403, "scope_required")


async def test_a_refused_api_token_is_not_good_but_an_outage_is_not_its_fault(
    client: httpx.AsyncClient, services: ToldServices
) -> None:
    headers = {"authorization": "Bearer doj_another"}
    services.answers["user", "AuthenticateApiToken"] = RemoteError(Kind.UNAUTHENTICATED, "x", "no")
    assert (await client.get("/api/users/me", headers=headers)).status_code == 401
    services.answers["user", "AuthenticateApiToken"] = RemoteError(Kind.UNAVAILABLE, "x", "away")
    assert (await client.get("/api/users/me", headers=headers)).status_code == 503


@pytest.mark.parametrize("role", [None, *Role])
async def test_only_admins_list_accounts(
    client: httpx.AsyncClient, signer: Signer, role: Role | None
) -> None:
    answer = await client.get("/api/users", headers=signer.headers(role) if role else {})
    assert answer.status_code == {None: 401, Role.ADMIN: 200}.get(role, 403)


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        (["6.6.6.6, 192.0.2.7, 127.0.0.9"], "192.0.2.7"),
        (["6.6.6.6", "192.0.2.7", "127.0.0.9"], "192.0.2.7"),
        (["6.6.6.6, 192.0.2.7:4711"], "127.0.0.1"),
        (["127.0.0.9"], "127.0.0.1"),
        ([], "127.0.0.1"),
    ],
)
async def test_a_trusted_proxy_tells_the_address_and_nobody_else_can(
    client: httpx.AsyncClient, services: ToldServices, lines: list[str], address: str
) -> None:
    # The client of these tests comes from 127.0.0.1, which is trusted.
    headers = [("user-agent", "test"), *(("x-forwarded-for", line) for line in lines)]
    await client.post("/api/auth/login", json=LOGIN, headers=headers)
    assert services.asked[-1][2]["origin"] == Origin(address, "test")


async def test_logging_out_clears_the_cookies_even_without_a_session(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/auth/logout", headers={"origin": "http://oj.test"})
    assert answer.status_code == 204
    assert all("Max-Age=0" in cookie for cookie in answer.headers.get_list("set-cookie"))
    assert (await client.post("/api/auth/logout", json={"everywhere": True})).status_code == 401


async def test_a_revoked_api_token_is_refused_after_some_seconds_though_no_event_came(
    services: ToldServices,
) -> None:
    now = 0.0
    tokens, origin = ApiTokens(services, RevokedCredentials(), lambda: now), Origin("", "")
    owner = TokenOwner(Actor(AccountId(ACCOUNT), Role.SETTER), ["read"])
    services.answers["user", "AuthenticateApiToken"] = owner
    assert await tokens.identity("doj_api_x", origin) is not None
    services.answers["user", "AuthenticateApiToken"] = RemoteError(Kind.UNAUTHENTICATED, "x", "no")
    now = 5.0
    assert await tokens.identity("doj_api_x", origin) is not None
    now = 10.0
    assert await tokens.identity("doj_api_x", origin) is None
