"""Accounts made for others, new passwords, sessions and invitations."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from apps.user.tests.fakes import MemoryStore
from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.api_token import ApiToken, Scope
from deepoj_domain.account.audit import AuditEvent, origin
from deepoj_domain.account.invitation import Invitation
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, ApiTokenId, FamilyId, InvitationId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE, BOB, NOW, ROOT, uuid
from deepoj_kit.testing.conditions import ManualClock
from deepoj_user.commands.create_accounts import MOST_AT_ONCE, Creation, CreationOutcome, NewAccount
from deepoj_user.commands.create_invitation import NewInvitation
from deepoj_user.commands.end_session import EndSessionRefusal
from deepoj_user.commands.log_in import LogInRefusal, LogInRequest
from deepoj_user.commands.ports import Throttled
from deepoj_user.commands.replace_password import ReplacePasswordRequest
from deepoj_user.commands.session_tokens import Tokens
from deepoj_user.container import Container
from deepoj_user.inbound.grpc.administration_calls import AdministrationUseCases
from deepoj_user.inbound.grpc.session_calls import SessionUseCases

HERE = origin("192.0.2.7", "a browser")
CREATED, EXISTS, REFUSED = CreationOutcome.CREATED, CreationOutcome.EXISTS, CreationOutcome.REFUSED


@pytest.fixture
def administration(container: Container) -> AdministrationUseCases:
    return container.administration_use_cases()


@pytest.fixture
def sessions(container: Container) -> SessionUseCases:
    return container.session_use_cases()


def new(name: str, **fields: str | Role) -> NewAccount:
    given: dict[str, object] = {"account_id": AccountId(uuid4()), "name": name, **fields}
    return NewAccount(**given)  # type: ignore[arg-type]  # the fields are the test's own


async def made(
    administration: AdministrationUseCases, actor: Actor, *accounts: NewAccount, dry_run: bool = False
) -> list[Creation]:
    outcome = await administration.create_accounts(actor, accounts, HERE, dry_run=dry_run)
    assert isinstance(outcome, list)
    return outcome


async def log_in(sessions: SessionUseCases, login: str, password: str) -> object:
    return await sessions.log_in(LogInRequest(login=login, password=password, origin=HERE))


async def test_an_account_made_by_an_admin_can_log_in(
    administration: AdministrationUseCases, sessions: SessionUseCases, store: MemoryStore
) -> None:
    carol, judge = await made(
        administration,
        ROOT,
        new("carol", display_name="Carol", email="carol@example.org"),
        new("judge1", role=Role.JUDGE, password="chosen by the admin"),
    )
    assert (carol.outcome, judge.outcome, judge.password) == (CREATED, CREATED, "")
    assert isinstance(await log_in(sessions, "carol@example.org", carol.password), Tokens)
    tokens = await log_in(sessions, "judge1", "chosen by the admin")
    assert isinstance(tokens, Tokens)
    assert tokens.account.role is Role.JUDGE
    assert carol.password not in repr(carol)
    assert store.events()[:2] == [AuditEvent.ACCOUNT_CREATED] * 2


async def test_of_many_each_is_judged_by_itself(administration: AdministrationUseCases) -> None:
    outcomes = await made(
        administration,
        ROOT,
        new("ALICE"),
        new("x"),
        new("carol", email="alice@example.org"),
        new("dave", email="nonsense"),
        new("erin", password="short"),
        new("frank", display_name="two\nlines"),
        new("grace"),
    )
    assert [(each.outcome, each.reason) for each in outcomes] == [
        (EXISTS, ""),
        (REFUSED, "username_malformed"),
        (REFUSED, "email_taken"),
        (REFUSED, "email_malformed"),
        (REFUSED, "password_length"),
        (REFUSED, "display_name_malformed"),
        (CREATED, ""),
    ]
    assert outcomes[0].account_id == ALICE
    assert [bool(each.password) for each in outcomes] == [False] * 6 + [True]


async def test_a_dry_run_says_the_same_and_writes_nothing(
    administration: AdministrationUseCases, store: MemoryStore
) -> None:
    before = store.rows.copy()
    outcomes = await made(administration, ROOT, new("alice"), new("carol"), new("x"), dry_run=True)
    assert [each.outcome for each in outcomes] == [EXISTS, CREATED, REFUSED]
    assert not any(each.password for each in outcomes)
    assert store.rows == before


async def test_repeating_it_makes_nothing_twice(
    administration: AdministrationUseCases, store: MemoryStore
) -> None:
    await made(administration, ROOT, new("carol"))
    count = len(store.rows.accounts)
    assert [each.outcome for each in await made(administration, ROOT, new("carol"))] == [EXISTS]
    assert len(store.rows.accounts) == count


@pytest.mark.parametrize("role", [Role.SETTER, Role.JUDGE])
async def test_setters_and_judges_make_contestants_only(
    administration: AdministrationUseCases, store: MemoryStore, role: Role
) -> None:
    store.rows.accounts[BOB] = replace(store.rows.accounts[BOB], role=role)
    outcomes = await made(
        administration,
        Actor(BOB, role),
        new("team-01"),
        new("carol", role=Role.SETTER),
        new("dave", role=Role.ADMIN),
        # An address that is taken would tell who has an account.
        new("erin", email="alice@example.org"),
        new("frank", email="nobody@example.org"),
        new("admin2"),
        new("team-02", display_name="Jury"),
    )
    assert [(each.outcome, each.reason) for each in outcomes] == [
        (CREATED, ""),
        (REFUSED, "role_not_allowed"),
        (REFUSED, "role_not_allowed"),
        (REFUSED, "email_not_allowed"),
        (REFUSED, "email_not_allowed"),
        (REFUSED, "username_reserved"),
        (REFUSED, "display_name_reserved"),
    ]


async def test_a_setter_makes_a_bounded_number(
    administration: AdministrationUseCases, store: MemoryStore
) -> None:
    store.rows.accounts[BOB] = replace(store.rows.accounts[BOB], role=Role.SETTER)
    outcome: object = None
    for batch in range(1000 // MOST_AT_ONCE + 1):
        accounts = [new(f"team-{batch}-{number}") for number in range(MOST_AT_ONCE)]
        outcome = await administration.create_accounts(Actor(BOB, Role.SETTER), accounts, HERE)
    assert isinstance(outcome, Throttled)


@pytest.mark.parametrize("claimed", [Role.CONTESTANT, Role.SETTER, Role.ADMIN])
async def test_a_contestant_makes_no_account_whatever_the_token_says(
    administration: AdministrationUseCases, claimed: Role
) -> None:
    outcome = await administration.create_accounts(Actor(BOB, claimed), [new("carol")], HERE)
    assert outcome == Refused(AccountRefusal.NOT_ADMIN)


async def test_too_many_at_once_are_refused(administration: AdministrationUseCases) -> None:
    with pytest.raises(InvalidValueError, match="at most"):
        await administration.create_accounts(ROOT, [new("carol")] * (MOST_AT_ONCE + 1), HERE)


async def test_a_reset_ends_sessions_and_tokens_and_the_new_password_is_good(
    administration: AdministrationUseCases, sessions: SessionUseCases, store: MemoryStore
) -> None:
    before = await log_in(sessions, "alice", "password of alice")
    assert isinstance(before, Tokens)
    give_token(store)
    password = await administration.reset_password(ROOT, ALICE, HERE)
    assert isinstance(password, str)
    assert not list(store.sessions())
    assert not list(store.api_tokens())
    assert await log_in(sessions, "alice", "password of alice") == Refused(LogInRefusal.BAD_CREDENTIALS)
    assert isinstance(await log_in(sessions, "alice", password), Tokens)
    assert store.rows.accounts[ALICE].session_epoch == 1
    assert AuditEvent.PASSWORD_RESET in store.events()


def give_token(store: MemoryStore) -> None:
    key = ApiTokenId(uuid(1))
    store.rows.api_tokens[key] = ApiToken(
        id=key, account_id=ALICE, name="t", digest=b"d" * 32, scopes=frozenset({Scope.READ}), created_at=NOW
    )


async def replaced(
    sessions: SessionUseCases, password: str, following: str = "another fine one"
) -> Tokens | Throttled | Refused[LogInRefusal | AccountRefusal]:
    return await sessions.replace_password(
        ReplacePasswordRequest(account_id=ALICE, password=password, new_password=following, origin=HERE)
    )


async def test_a_new_password_needs_the_old_one_and_leaves_one_session(
    sessions: SessionUseCases, store: MemoryStore
) -> None:
    await log_in(sessions, "alice", "password of alice")
    give_token(store)
    assert await replaced(sessions, "wrong") == Refused(LogInRefusal.BAD_CREDENTIALS)
    assert len(list(store.sessions())) == len(list(store.api_tokens())) == 1
    assert isinstance(await replaced(sessions, "password of alice"), Tokens)
    (session,) = store.sessions()
    assert session.session_epoch == store.rows.accounts[ALICE].session_epoch == 1
    assert not list(store.api_tokens())
    assert isinstance(await log_in(sessions, "alice", "another fine one"), Tokens)


async def test_guessing_the_old_password_is_slowed_down(sessions: SessionUseCases) -> None:
    outcomes = [await replaced(sessions, "wrong") for _ in range(11)]
    assert isinstance(outcomes[-1], Throttled)


async def test_a_weak_new_password_is_refused(sessions: SessionUseCases) -> None:
    for weak in ("alice", "aaaaaaaaaa", "alice@example.org"):
        with pytest.raises(InvalidValueError):
            await replaced(sessions, "password of alice", weak)


async def test_sessions_are_listed_with_where_they_were_used_last(
    sessions: SessionUseCases, clock: ManualClock
) -> None:
    alice = Actor(ALICE, Role.CONTESTANT)
    first = await log_in(sessions, "alice", "password of alice")
    assert isinstance(first, Tokens)
    clock.advance(minutes=1)
    await log_in(sessions, "alice", "password of alice")
    await log_in(sessions, "bob", "password of bob")
    clock.advance(minutes=1)
    elsewhere = origin("2001:db8::1", "another browser")
    await sessions.refresh(first.refresh_token, elsewhere)
    found = await sessions.list_sessions(alice)
    start = clock.now - timedelta(minutes=2)
    assert [(each.started_at - start, each.used_at - start, each.origin) for each in found] == [
        (timedelta(0), timedelta(minutes=2), elsewhere),
        (timedelta(minutes=1), timedelta(minutes=1), HERE),
    ]
    assert await sessions.end_session(alice, found[0].id, HERE) is None
    assert [each.id for each in await sessions.list_sessions(alice)] == [found[1].id]
    clock.advance(days=15)
    assert not await sessions.list_sessions(alice)


async def test_nobody_ends_another_s_session(sessions: SessionUseCases, store: MemoryStore) -> None:
    await log_in(sessions, "alice", "password of alice")
    (session,) = store.sessions()
    missing = Refused(EndSessionRefusal.NOT_FOUND)
    for actor, key in (
        (Actor(BOB, Role.CONTESTANT), session.family),
        (ROOT, session.family),
        (Actor(ALICE, Role.CONTESTANT), FamilyId(uuid4())),
    ):
        assert await sessions.end_session(actor, key, HERE) == missing
    assert list(store.sessions()) == [session]


async def test_an_invitation_is_made_listed_and_revoked(administration: AdministrationUseCases) -> None:
    key = InvitationId(uuid4())
    wanted = NewInvitation(invitation_id=key, uses=30, expires_at=None, note="class of 2026", origin=HERE)
    invitation = await administration.create_invitation(ROOT, wanted)
    assert isinstance(invitation, Invitation)
    assert (len(invitation.code), invitation.uses_left) == (11, 30)
    assert invitation.code not in repr(invitation)
    assert await administration.list_invitations(ROOT) == [invitation]
    assert await administration.revoke_invitation(ROOT, key, HERE) is None
    assert isinstance(await administration.revoke_invitation(ROOT, key, HERE), Refused)
    assert await administration.list_invitations(ROOT) == []


@pytest.mark.parametrize(
    ("uses", "expires_in", "note"),
    [(0, 1, ""), (10_001, 1, ""), (1, -1, ""), (1, 1, "x" * 201), (1, 1, "a\nb")],
)
async def test_an_invitation_has_limits(
    administration: AdministrationUseCases, clock: ManualClock, uses: int, expires_in: int, note: str
) -> None:
    expires_at = clock.now + timedelta(days=expires_in)
    wanted = NewInvitation(
        invitation_id=InvitationId(uuid4()), uses=uses, expires_at=expires_at, note=note, origin=HERE
    )
    with pytest.raises(InvalidValueError):
        await administration.create_invitation(ROOT, wanted)
