"""A front door that follows the events of accounts: what it believed of one ends with the event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import UUID, uuid4

import httpx
import msgspec
import pytest
from redis.asyncio import Redis
from redis.typing import EncodableT, FieldT

from apps.bff.tests.fakes import A, Signer, ToldServices
from deepoj_bff.container import Container
from deepoj_bff.inbound.http.auth.api_tokens import ApiTokens, TokenOwner
from deepoj_bff.inbound.stream.event_reader import EventReader
from deepoj_bff.inbound.stream.on_account_changed import OnAccountChanged
from deepoj_bff.queries.projections.revoked_credentials import RevokedCredentials
from deepoj_bff.queries.services import Call, Origin
from deepoj_bff.queries.views.base import PageInfo
from deepoj_bff.queries.views.submission import Submissions
from deepoj_bff.queries.views.user import Role as ShownRole
from deepoj_bff.queries.views.user import User, UserAnswer
from deepoj_domain.account.account import AccountStatus
from deepoj_domain.account.events import AccountChange, AccountChanged
from deepoj_domain.events import EVENTS
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.clock import system_clock
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.streams import EventCodec, connect
from deepoj_kit.testing.conditions import eventually, running

ME = "/api/users/me"
Happen = Callable[[UUID, AccountChange, int], Awaitable[None]]


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with connect(redis_url) as redis:
        yield redis


@pytest.fixture
def container(
    client: httpx.AsyncClient,  # noqa: ARG001 — makes it
    containers: dict[tuple[str | None, int], Container],
) -> Container:
    return containers[None, 10_000]


@pytest.fixture
async def happen(container: Container, redis: Redis, key_prefix: str) -> AsyncIterator[Happen]:
    """Let something happen to an account, and wait until the front door has heard of it."""
    stream, revoked = f"{key_prefix}events:user", container.revoked()

    async def happen(account: UUID, change: AccountChange, epoch: int) -> None:
        await add(redis, stream, AccountId(account), change, epoch)
        last = AccountId(uuid4())
        await add(redis, stream, last, AccountChange.DELETED, 1)
        await eventually(lambda: revoked.least_epoch(last) == 1)

    async with running(EventReader(redis, {stream: OnAccountChanged(revoked)})):
        yield happen


async def add(redis: Redis, stream: str, account: AccountId, change: AccountChange, epoch: int) -> None:
    event = AccountChanged(occurred_at=system_clock(), account_id=account, change=change, session_epoch=epoch)
    fields: dict[FieldT, EncodableT] = dict(EventCodec(EVENTS).encode(event).items())
    await redis.xadd(stream, fields)


@pytest.fixture
def account(services: ToldServices) -> UUID:
    account = uuid4()
    shown = User(
        id=str(account), name="ada", display_name="Ada", email=None, role=ShownRole.CONTESTANT,
        status=AccountStatus.ACTIVE, created_at=None, bio="", avatar="",
    )  # fmt: skip
    services.answers["user", "Get"] = UserAnswer(account=shown)
    services.answers["record", "List"] = Submissions(submissions=[], page=PageInfo())
    return account


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


@pytest.mark.parametrize(
    "change",
    [
        AccountChange.STATUS_SET,
        AccountChange.ROLE_SET,
        AccountChange.PASSWORD_CHANGED,
        AccountChange.SESSIONS_ENDED,
        AccountChange.DELETED,
    ],
)
async def test_a_session_from_before_the_change_is_refused_and_a_later_one_is_not(
    client: httpx.AsyncClient, signer: Signer, account: UUID, happen: Happen, change: AccountChange
) -> None:
    seen, unseen = (signer.token(Role.ADMIN, account, epoch=1) for _ in range(2))
    other, later = signer.token(Role.ADMIN), signer.token(Role.ADMIN, account, epoch=2)
    assert (await client.get(ME, headers=bearer(seen))).status_code == 200
    await happen(account, change, 2)
    answers = [await client.get(ME, headers=bearer(each)) for each in (seen, unseen, other, later)]
    assert [each.status_code for each in answers] == [401, 401, 200, 200]
    assert answers[0].json()["reason"] == "credential_refused"


@pytest.mark.parametrize(
    "change", [AccountChange.REGISTERED, AccountChange.INFO_UPDATED, AccountChange.API_TOKEN_REVOKED]
)
async def test_a_session_outlives_what_does_not_concern_it(
    client: httpx.AsyncClient, signer: Signer, account: UUID, happen: Happen, change: AccountChange
) -> None:
    token = bearer(signer.token(Role.SETTER, account, epoch=1))
    assert (await client.get(ME, headers=token)).status_code == 200
    await happen(account, change, 1)
    assert (await client.get(ME, headers=token)).status_code == 200


async def test_a_revoked_api_token_is_refused_at_once(
    client: httpx.AsyncClient, services: ToldServices, account: UUID, happen: Happen
) -> None:
    token = bearer(f"doj_api_{account.hex}")
    owner = TokenOwner(Actor(AccountId(account), Role.SETTER), ["read"])
    services.answers["user", "AuthenticateApiToken"] = owner
    for _ in range(2):
        assert (await client.get(ME, headers=token)).status_code == 200
    assert [method for _, method, _ in services.asked].count("AuthenticateApiToken") == 1
    services.answers["user", "AuthenticateApiToken"] = RemoteError(Kind.UNAUTHENTICATED, "x", "no")
    await happen(account, AccountChange.API_TOKEN_REVOKED, 0)
    assert (await client.get(ME, headers=token)).status_code == 401


async def test_an_answer_about_an_api_token_that_the_event_overtook_is_not_kept(account: UUID) -> None:
    revoked, owner = RevokedCredentials(), Actor(AccountId(account), Role.SETTER)

    class Overtaken(ToldServices):
        async def call(self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object) -> A:
            revoked.changed(owner.account_id, 0)
            return await super().call(call, body, **fields)

    services = Overtaken({("user", "AuthenticateApiToken"): TokenOwner(owner, ["read"])})
    tokens = ApiTokens(services, revoked)
    identities = [await tokens.identity("doj_api_x", Origin("", "")) for _ in range(2)]
    assert [each.actor for each in identities if each] == [owner, owner]
    assert len(services.asked) == 2


async def test_an_open_stream_ends_with_the_account_and_tells_why(
    client: httpx.AsyncClient, signer: Signer, services: ToldServices, account: UUID, happen: Happen
) -> None:
    token = bearer(signer.token(Role.CONTESTANT, account, epoch=1))
    reading = asyncio.create_task(client.get("/api/submissions/events", headers=token))
    await eventually(lambda: any(method == "List" for _, method, _ in services.asked))
    await happen(account, AccountChange.STATUS_SET, 2)
    answer = await reading
    assert answer.text.startswith("event: snapshot")
    last = answer.text.strip().split("\n\n")[-1]
    assert last.startswith("event: error")
    assert "credential_refused" in last


async def test_a_front_door_that_starts_later_knows_too(redis: Redis, key_prefix: str) -> None:
    stream, account, revoked = f"{key_prefix}events:user", AccountId(uuid4()), RevokedCredentials()
    await redis.xadd(stream, {"data": "not an event"})
    await add(redis, stream, account, AccountChange.DELETED, 4)
    async with running(EventReader(redis, {stream: OnAccountChanged(revoked)})):
        await eventually(lambda: revoked.least_epoch(account) == 4)


def test_what_was_heard_first_is_forgotten_first() -> None:
    revoked, accounts = RevokedCredentials(kept=2), [AccountId(uuid4()) for _ in range(3)]
    for account in (*accounts, accounts[1]):
        revoked.changed(account, 1)
    assert [revoked.least_epoch(each) for each in accounts] == [0, 1, 1]
