"""How strangers get accounts: the modes, guests, and what somebody hostile would try."""
# ruff: noqa: RUF001 — letters that look alike are what some of this is about

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from uuid import uuid4

import pytest
from dependency_injector import providers

from apps.user.tests.fakes import MemoryStore, MemoryThrottle, PlainPasswords
from apps.user.tests.memory_views import MemoryAdminLogIns
from deepoj_domain.account.audit import NOWHERE, AuditEvent, Origin, origin
from deepoj_domain.account.captcha import CaptchaPurpose
from deepoj_domain.account.invitation import InvitationRefusal, invite
from deepoj_domain.account.registration import RegistrationMode, RegistrationRefusal
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, InvitationId
from deepoj_domain.kernel.network import networks
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Role
from deepoj_domain.kernel.token_bucket import RateLimit
from deepoj_domain.testing import NOW, uuid
from deepoj_kit.testing.conditions import ManualClock
from deepoj_user.commands.attempt_limits import AttemptGate, AttemptLimits
from deepoj_user.commands.captcha_check import CodeRefusal
from deepoj_user.commands.log_in import LogInRequest
from deepoj_user.commands.ports import Taken, Throttled
from deepoj_user.commands.register import RegisterOutcome, RegisterRequest
from deepoj_user.commands.session_tokens import Tokens
from deepoj_user.container import Container
from deepoj_user.inbound.grpc.session_calls import SessionUseCases
from deepoj_user.queries.get_registration import GetRegistration

ONCE = RateLimit(timedelta(hours=1), 1)
HERE = origin("192.0.2.7", "a browser")
PASSWORD = "a fine password"
CODE = "ABCDE-FGHIJ"
Site = Callable[..., SessionUseCases]


@pytest.fixture
def site(container: Container) -> Site:
    """Give a function that sets how strangers get in."""

    def site(mode: RegistrationMode, *, guests: bool = False) -> SessionUseCases:
        settings = container.settings()
        changed = {each: getattr(settings, each) for each in settings.__struct_fields__}
        changed |= {"registration": mode, "guest_accounts": guests}
        container.settings.override(providers.Object(type(settings)(**changed)))
        container.session_use_cases.reset()
        return container.session_use_cases()

    return site


async def register(
    sessions: SessionUseCases,
    name: str = "carol",
    *,
    display_name: str = "",
    email: str = "",
    captcha: str = "",
    invitation: str = "",
    sign_in: bool = False,
    where: Origin = HERE,
) -> RegisterOutcome:
    return await sessions.register(
        RegisterRequest(
            account_id=AccountId(uuid4()),
            name=name,
            password=PASSWORD,
            display_name=display_name,
            email=email,
            captcha=captcha,
            invitation=invitation,
            sign_in=sign_in,
            origin=where,
        )
    )


async def test_where_it_is_open_a_name_and_a_password_are_enough(site: Site, store: MemoryStore) -> None:
    sessions = site(RegistrationMode.OPEN)
    outcome = await register(sessions, display_name="Carol C.", sign_in=True)
    assert isinstance(outcome, Tokens)
    account = store.rows.accounts[outcome.account.id]
    assert account.role is Role.CONTESTANT
    assert account.personal is not None
    assert (account.personal.email, account.personal.profile.display_name) == (None, "Carol C.")
    assert store.events() == [AuditEvent.REGISTERED, AuditEvent.LOGGED_IN]
    (session,) = store.sessions()
    assert (session.account_id, session.origin) == (account.id, HERE)
    logged_in = await sessions.log_in(LogInRequest(login="Carol", password=PASSWORD, origin=HERE))
    assert isinstance(logged_in, Tokens)


async def test_an_address_counts_only_when_a_code_proves_it(site: Site, store: MemoryStore) -> None:
    sessions = site(RegistrationMode.OPEN)
    refused = await register(sessions, email="carol@example.org", captcha="100001")
    assert refused == Refused(CodeRefusal.REFUSED)
    await sessions.send_captcha(CaptchaPurpose.REGISTER, "carol@example.org", HERE)
    assert not isinstance(await register(sessions, email="carol@example.org", captcha="100001"), Refused)
    assert any(store.rows.mailed("carol@example.org"))


async def test_where_it_is_closed_nobody_registers(site: Site, store: MemoryStore) -> None:
    before = store.rows.copy()
    assert await register(site(RegistrationMode.CLOSED)) == Refused(RegistrationRefusal.CLOSED)
    assert store.rows == before


async def test_by_mail_an_address_is_needed(site: Site) -> None:
    with pytest.raises(InvalidValueError, match="e-mail"):
        await register(site(RegistrationMode.MAIL))


async def test_an_invitation_is_good_as_often_as_it_says(site: Site, store: MemoryStore) -> None:
    sessions = site(RegistrationMode.INVITATION)
    key = InvitationId(uuid(1))
    store.rows.invitations[key] = invite(key, CODE, 2, None, "", NOW)
    # A name that is taken costs no use.
    assert await register(sessions, "alice", invitation=CODE) == Refused(Taken.NAME)
    outcomes = [await register(sessions, f"carol{number}", invitation="abcde-fghij ") for number in range(3)]
    assert outcomes[2] == Refused(InvitationRefusal.REFUSED)
    assert not any(isinstance(each, Refused) for each in outcomes[:2])
    assert store.rows.invitations[key].uses_left == 0


@pytest.mark.parametrize("code", ["", "AAAAA-AAAAA", "100001"])
async def test_without_an_invitation_nobody_is_let_in(site: Site, code: str) -> None:
    outcome = await register(site(RegistrationMode.INVITATION), invitation=code)
    assert outcome == Refused(InvitationRefusal.REFUSED)


async def test_an_invitation_expires(site: Site, store: MemoryStore, clock: ManualClock) -> None:
    sessions = site(RegistrationMode.INVITATION)
    key = InvitationId(uuid(1))
    clock.advance(hours=1)
    store.rows.invitations[key] = invite(key, CODE, 2, clock.now, "", NOW)
    assert await register(sessions, invitation=CODE) == Refused(InvitationRefusal.REFUSED)


async def test_guessing_invitations_is_slowed_down(site: Site) -> None:
    sessions = site(RegistrationMode.INVITATION)
    outcomes = [await register(sessions, invitation=f"AAAAA-{number:05}") for number in range(40)]
    assert isinstance(outcomes[-1], Throttled)


async def test_one_network_makes_few_accounts_and_a_refused_one_costs_no_hash(
    site: Site, passwords: PlainPasswords, store: MemoryStore
) -> None:
    sessions = site(RegistrationMode.OPEN)
    outcomes = [await register(sessions, f"bot{number}") for number in range(12)]
    assert [isinstance(each, Throttled) for each in outcomes] == [False] * 10 + [True] * 2
    assert not any(store.rows.named("bot11"))
    assert passwords.hashed == 10
    assert not isinstance(await register(sessions, where=origin("192.0.2.8", "")), Throttled)


async def test_all_networks_together_make_a_bounded_number_of_accounts(site: Site) -> None:
    sessions = site(RegistrationMode.OPEN)
    first = int(ip_address("198.51.100.0"))
    outcomes = [
        await register(sessions, f"bot{number}", where=origin(str(ip_address(first + number)), ""))
        for number in range(1001)
    ]
    assert [isinstance(each, Throttled) for each in outcomes[-2:]] == [False, True]


@pytest.mark.parametrize("address", ["10.1.2.3", "::ffff:10.1.2.3"])
async def test_an_exempt_network_is_not_one_address(throttle: MemoryThrottle, address: str) -> None:
    hall = networks("exempt_networks", ["10.0.0.0/8", "2001:db8::/32"])
    gate = AttemptGate(throttle, AttemptLimits(**{each.name: ONCE for each in fields(AttemptLimits)}), hall)
    inside, outside = origin(address, ""), origin("11.1.2.3", "")
    assert [each.key for each in gate.for_account(inside)] == ["new"]
    assert gate.for_code(inside) == []
    assert len(gate.for_account(outside)) == 2
    # What protects one account stays.
    assert [each.key for each in gate.for_log_in("ada", inside)] == ["account:ada:10.1.2.3", "account:ada"]


@pytest.mark.parametrize(
    "name",
    [
        *("admin", "Admin", "adm1n", "ADMINISTRATOR", "admin-team", "root", "r00t", "judge", "judge2"),
        *("support", "deepoj", "deep-oj", "DeepOJ-bot", "guest-aaaaaaaa", "system", "5ystem", "sta-ff"),
    ],
)
async def test_names_that_look_like_the_staff_s_are_kept_for_it(site: Site, name: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        await register(site(RegistrationMode.OPEN), name)
    assert refused.value.code == "username_reserved"


@pytest.mark.parametrize("name", ["badminton", "rooted", "judgement-day", "stafford", "helper", "carol"])
async def test_other_names_are_free(site: Site, name: str) -> None:
    assert not isinstance(await register(site(RegistrationMode.OPEN), name), Refused)


@pytest.mark.parametrize("name", ["аdmin", "cаrol", "Αdmin", "ca\u0301rol", "ｃarol", "car ol"])
async def test_a_username_has_one_spelling(site: Site, name: str) -> None:
    with pytest.raises(InvalidValueError):
        await register(site(RegistrationMode.OPEN), name)


@pytest.mark.parametrize(
    ("display_name", "code"),
    [
        ("Admin", "display_name_reserved"),
        ("Аdmin", "display_name_reserved"),
        ("Ａｄｍｉｎ", "display_name_reserved"),
        ("A d m i n", "display_name_reserved"),
        ("Ádmin", "display_name_reserved"),
        ("JURY", "display_name_reserved"),
        ("Cаrol", "display_name_mixed"),
        ("car\u200bol", "display_name_malformed"),
        ("\u202elorac", "display_name_malformed"),
    ],
)
async def test_a_display_name_deceives_nobody(site: Site, display_name: str, code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        await register(site(RegistrationMode.OPEN), display_name=display_name)
    assert refused.value.code == code


@pytest.mark.parametrize("display_name", ["Мария Кюри", "Ада Lovelace", "王小明", "Łukasz Żal", "Τίνα", ""])
async def test_people_are_called_what_they_are_called(site: Site, display_name: str) -> None:
    outcome = await register(site(RegistrationMode.OPEN), display_name=display_name)
    assert not isinstance(outcome, Refused)


async def test_a_guest_gets_a_name_nobody_guesses_and_a_session(site: Site, store: MemoryStore) -> None:
    sessions = site(RegistrationMode.CLOSED, guests=True)
    outcomes = [await sessions.make_guest(AccountId(uuid4()), HERE) for _ in range(2)]
    names = set()
    for outcome in outcomes:
        assert isinstance(outcome, Tokens)
        person = outcome.account.personal
        assert person is not None
        assert (outcome.account.role, person.email) == (Role.CONTESTANT, None)
        names.add(person.username)
    assert len(names) == 2
    assert all(name.startswith("guest-") and len(name) == 14 for name in names)
    assert {each.account_id for each in store.sessions()} == {
        each.account.id for each in outcomes if isinstance(each, Tokens)
    }


async def test_guests_are_counted_with_other_new_accounts(site: Site) -> None:
    sessions = site(RegistrationMode.OPEN, guests=True)
    for number in range(5):
        await register(sessions, f"carol{number}")
    outcomes = [await sessions.make_guest(AccountId(uuid4()), HERE) for _ in range(6)]
    assert [isinstance(each, Throttled) for each in outcomes] == [False] * 5 + [True]


async def test_where_there_are_no_guests_none_is_made(site: Site) -> None:
    outcome = await site(RegistrationMode.OPEN).make_guest(AccountId(uuid4()), NOWHERE)
    assert outcome == Refused(RegistrationRefusal.NO_GUESTS)


async def test_it_is_told_where_the_first_admin_s_password_lies_and_whether_an_admin_has_logged_in() -> None:
    seen = MemoryAdminLogIns()
    file = Path("/srv/judge/.deepoj/first-admin.json")
    query = GetRegistration(seen, RegistrationMode.OPEN, file, guest_accounts=False)
    told = await query()
    assert (told.first_admin, told.admin_seen) == (".deepoj/first-admin.json", False)
    seen.found = True
    assert (await query()).admin_seen
    seen.found = False
    assert (await query()).admin_seen
