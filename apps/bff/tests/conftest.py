"""The front door in this process, with services that say what a test tells them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deepoj_bff.inbound.http.access_tokens import AccessTokens
from deepoj_bff.inbound.http.api_tokens import ApiTokens
from deepoj_bff.inbound.http.app import Parts, make_app, make_edge
from deepoj_bff.inbound.http.authorise import Authorise
from deepoj_bff.inbound.http.cookies import CookieJar
from deepoj_bff.inbound.http.credentials import Credentials
from deepoj_bff.inbound.http.testing import Signer, ToldServices
from deepoj_bff.queries.health import GetHealth
from deepoj_kit.ids import Uuid7

PROXY = "127.0.0.0/8"


@pytest.fixture
def signer() -> Signer:
    return Signer(Ed25519PrivateKey.generate())


@pytest.fixture
def services(signer: Signer) -> ToldServices:
    return ToldServices({("user", "GetSigningKeys"): signer.published()})


Door = Callable[..., httpx.AsyncClient]


@pytest.fixture
def door(services: ToldServices) -> Door:
    """Give a function that makes a client of a front door with settings of the test's choice."""

    def make(public_url: str | None = None, body_limit: int = 10_000) -> httpx.AsyncClient:
        credentials = Credentials(AccessTokens(services), ApiTokens(services), (PROXY,))
        parts = Parts(
            services=services, get_health=GetHealth({}), new_id=Uuid7(), cookie_jar=CookieJar(secure=False)
        )
        app = make_app(parts, Authorise(credentials, public_url), body_limit)
        transport = httpx.ASGITransport(make_edge(app, public_url))  # type: ignore[arg-type]  # both are ASGI
        return httpx.AsyncClient(transport=transport, base_url=public_url or "http://oj.test")

    return make


@pytest.fixture
async def client(door: Door) -> AsyncIterator[httpx.AsyncClient]:
    async with door() as client:
        yield client
