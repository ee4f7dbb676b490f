"""What holds when two do the same at once. Only the database can promise this, so there is no memory twin."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from dependency_injector import providers

from apps.user.tests.fakes import MemoryMailer, PlainPasswords, an_account
from deepoj_domain.account.account import Account, AccountRefusal
from deepoj_domain.account.audit import NOWHERE, AuditEvent, origin
from deepoj_domain.account.captcha import CaptchaPurpose
from deepoj_domain.account.invitation import InvitationRefusal, invite
from deepoj_domain.account.registration import RegistrationMode
from deepoj_domain.kernel.ids import AccountId, FamilyId, InvitationId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.paging import PageRequest, at_id
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.token_bucket import RateLimit
from deepoj_domain.testing import ALICE, BOB, NOW
from deepoj_kit.lifecycle import Process
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import ManualClock
from deepoj_user.commands.log_in import LogInRequest
from deepoj_user.commands.ports import Bucket
from deepoj_user.commands.register import Register, RegisterRequest
from deepoj_user.commands.session_tokens import Tokens
from deepoj_user.container import Container
from deepoj_user.outbound.access_tokens import SignedAccessTokens
from deepoj_user.settings import UserSettings

AT_ONCE = 8
NOBODY = "redis://127.0.0.1:1/0"
HERE = origin("2001:db8::1", "curl")


@pytest.fixture
async def container(user_url: str, clock: ManualClock) -> AsyncIterator[Container]:
    settings = UserSettings(
        listen="unix:/nobody",
        service_token=Secret("throw-away"),
        postgres_url=Secret(user_url),
        redis_url=Secret(NOBODY),
    )
    made = Container(settings=settings, process=Process())
    made.clock.override(providers.Object(clock))
    made.passwords.override(providers.Object(PlainPasswords()))
    made.mailer.override(providers.Object(MemoryMailer()))
    made.codes.override(providers.Object(lambda _: "123456"))
    async with made.database():
        yield made


async def add(container: Container, *accounts: Account) -> None:
    async with container.store().transaction() as transaction:
        for account in accounts:
            assert await transaction.accounts.add(Changed(account)) is None


async def test_refreshes_at_once_get_one_successor(container: Container) -> None:
    await add(container, an_account(ALICE, "alice"))
    sessions = container.session_use_cases()
    request = LogInRequest(login="alice", password="password of alice", origin=NOWHERE)
    first = await sessions.log_in(request)
    assert isinstance(first, Tokens)
    refreshes = (sessions.refresh(first.refresh_token, NOWHERE) for _ in range(AT_ONCE))
    answers = await asyncio.gather(*refreshes)
    assert len({each.refresh_token for each in answers if isinstance(each, Tokens)}) == 1
    assert all(isinstance(each, Tokens) for each in answers)


async def test_a_code_makes_one_account_however_often_it_comes_at_once(container: Container) -> None:
    sessions = container.session_use_cases()
    await sessions.send_captcha(CaptchaPurpose.REGISTER, "carol@example.org", NOWHERE)

    def request(number: int) -> RegisterRequest:
        return RegisterRequest(
            account_id=AccountId(uuid4()),
            name=f"carol{number}",
            email="carol@example.org",
            password="a fine password",
            captcha="123456",
            origin=NOWHERE,
        )

    answers = await asyncio.gather(*(sessions.register(request(number)) for number in range(AT_ONCE)))
    assert sum(isinstance(each, Account) for each in answers) == 1


async def test_one_mail_is_sent_however_often_it_is_asked_for_at_once(container: Container) -> None:
    send = container.session_use_cases().send_captcha
    await asyncio.gather(
        *(send(CaptchaPurpose.REGISTER, "carol@example.org", NOWHERE) for _ in range(AT_ONCE))
    )
    await asyncio.gather(*(container.mail_captcha()() for _ in range(AT_ONCE)))
    mailer = container.mailer()
    assert isinstance(mailer, MemoryMailer)
    assert len(mailer.mails) == 1


async def test_of_two_admins_who_leave_at_once_one_stays(container: Container) -> None:
    await add(container, an_account(ALICE, "alice", Role.ADMIN), an_account(BOB, "bob", Role.ADMIN))
    delete = container.account_use_cases().delete
    answers = await asyncio.gather(*(delete(Actor(who, Role.ADMIN), who, NOWHERE) for who in (ALICE, BOB)))
    assert [each for each in answers if isinstance(each, Refused)] == [Refused(AccountRefusal.LAST_ADMIN)]


async def test_of_two_admins_who_demote_each_other_at_once_one_stays(container: Container) -> None:
    await add(container, an_account(ALICE, "alice", Role.ADMIN), an_account(BOB, "bob", Role.ADMIN))
    accounts = container.account_use_cases()
    first, second = Actor(ALICE, Role.ADMIN), Actor(BOB, Role.ADMIN)
    answers = await asyncio.gather(
        accounts.set_role(first, BOB, Role.CONTESTANT, NOWHERE),
        accounts.set_status(second, ALICE, "", NOWHERE, active=False),
    )
    refused = [each.reason for each in answers if isinstance(each, Refused)]
    assert refused in ([AccountRefusal.NOT_ADMIN], [AccountRefusal.SUSPENDED])
    async with container.store().transaction() as transaction:
        assert await transaction.accounts.has_admin()


async def test_a_burst_is_not_larger_for_those_who_come_at_once(container: Container) -> None:
    bucket = Bucket("a", RateLimit(NOW - NOW.replace(hour=0), 3))
    charges = await asyncio.gather(*(container.throttle().charge([bucket], NOW) for _ in range(AT_ONCE)))
    assert sum(wait is None for wait in charges) == 3


async def test_processes_that_start_together_agree_on_one_key(container: Container) -> None:
    account = an_account(ALICE, "alice")
    keys, terms = container.signing_keys(), container.settings().signing_terms()
    processes = [SignedAccessTokens(keys, terms, container.clock()) for _ in range(AT_ONCE)]
    await asyncio.gather(*(each.sign(account, FamilyId(uuid4())) for each in processes))
    assert len(await container.signing_keys().public_keys()) == 1


async def test_the_audit_log_is_read_newest_first_and_forgets_from_where(
    container: Container,
) -> None:
    events = [AuditEvent.REGISTERED, AuditEvent.LOGGED_IN, AuditEvent.LOGGED_OUT]
    async with container.store().transaction() as transaction:
        for event in events:
            await transaction.audit.add(event, ALICE, HERE, "detail")
        await transaction.audit.add(AuditEvent.LOG_IN_FAILED, None, HERE)
    views = container.audit_views()
    first = await views.list(ALICE, PageRequest(2))
    assert [entry.event for entry in first.items] == [AuditEvent.LOGGED_OUT, AuditEvent.LOGGED_IN]
    rest = await views.list(ALICE, PageRequest(2, at_id(first.items[-1].id)))
    assert ([entry.event for entry in rest.items], rest.next) == ([AuditEvent.REGISTERED], None)
    assert {(entry.origin, entry.detail) for entry in first.items} == {(HERE, "detail")}
    async with container.store().transaction() as transaction:
        await transaction.audit.forget(ALICE)
    everything = (await views.list(None, PageRequest())).items
    assert [entry.origin for entry in everything] == [HERE, NOWHERE, NOWHERE, NOWHERE]


async def test_of_many_at_once_an_invitation_lets_in_as_many_as_it_says(container: Container) -> None:
    register = Register(
        container.store(),
        RegistrationMode.INVITATION,
        container.captcha_check(),
        PlainPasswords(),
        container.session_tokens(),
        container.gate(),
        container.clock(),
    )
    async with container.store().transaction() as transaction:
        await transaction.invitations.add(invite(InvitationId(uuid4()), "AAAAA-BBBBB", 3, None, "", NOW))
    requests = (
        RegisterRequest(
            account_id=AccountId(uuid4()),
            name=f"carol{number}",
            password="a fine password",
            invitation="AAAAA-BBBBB",
            origin=NOWHERE,
        )
        for number in range(AT_ONCE)
    )
    outcomes = await asyncio.gather(*map(register, requests))
    assert sum(isinstance(each, Account) for each in outcomes) == 3
    assert outcomes.count(Refused(InvitationRefusal.REFUSED)) == AT_ONCE - 3
