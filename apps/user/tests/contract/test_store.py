"""One suite for the store in memory and the one in PostgreSQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Protocol

import pytest

from apps.user.tests.fakes import MemoryStore, MemoryThrottle, an_account
from apps.user.tests.memory_views import (
    MemoryInvitationViews,
    MemorySessionViews,
    MemoryTokenViews,
    MemoryViews,
)
from deepoj_domain.account.account import Account, AccountStatus
from deepoj_domain.account.api_token import ApiToken, Scope
from deepoj_domain.account.audit import origin
from deepoj_domain.account.captcha import Captcha, CaptchaPurpose
from deepoj_domain.account.invitation import invite
from deepoj_domain.account.personal import EmailAddress, Personal, Profile, Username
from deepoj_domain.account.session import RefreshToken, digest_of
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.ids import AccountId, ApiTokenId, CaptchaId, FamilyId, InvitationId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.kernel.paging import PageRequest, at_id
from deepoj_domain.kernel.role import Role
from deepoj_domain.kernel.token_bucket import RateLimit
from deepoj_domain.testing import ALICE, BOB, NOW, ROOT, uuid
from deepoj_kit.postgres import Database
from deepoj_kit.testing.conditions import ManualClock
from deepoj_user.commands.ports import Bucket, CaptchaMailQueue, Directory, Store, Taken, Throttle
from deepoj_user.outbound.postgres.captcha_mail_queue import PostgresCaptchaMailQueue
from deepoj_user.outbound.postgres.directory import PostgresDirectory
from deepoj_user.outbound.postgres.store import PostgresStore
from deepoj_user.outbound.postgres.throttle import PostgresThrottle
from deepoj_user.outbound.postgres.views import (
    PostgresInvitationViews,
    PostgresSessionViews,
    PostgresTokenViews,
    PostgresViews,
)
from deepoj_user.queries.ports import AccountFilter, Accounts, ApiTokens, Invitations, Sessions

HOUR = timedelta(hours=1)
A_PERSON = an_account(ALICE, "Alice")
AN_ADMIN = an_account(ROOT.account_id, "root", Role.ADMIN)
EMAIL = EmailAddress("alice@example.org")


class Shop(Protocol):
    @property
    def store(self) -> Store: ...
    @property
    def directory(self) -> Directory: ...
    @property
    def mail_queue(self) -> CaptchaMailQueue: ...
    @property
    def throttle(self) -> Throttle: ...
    @property
    def views(self) -> Accounts: ...
    @property
    def token_views(self) -> ApiTokens: ...
    @property
    def session_views(self) -> Sessions: ...
    @property
    def invitation_views(self) -> Invitations: ...


class MemoryShop:
    def __init__(self) -> None:
        self.store = self.directory = self.mail_queue = memory = MemoryStore()
        self.throttle = MemoryThrottle()
        self.views = MemoryViews(memory.accounts)
        self.token_views = MemoryTokenViews(memory.api_tokens)
        self.session_views = MemorySessionViews(memory.sessions, memory.accounts)
        self.invitation_views = MemoryInvitationViews(memory.invitations)


class PostgresShop:
    def __init__(self, database: Database, store: PostgresStore) -> None:
        self.store = store
        self.directory = PostgresDirectory(database)
        self.mail_queue = PostgresCaptchaMailQueue(database)
        self.throttle = PostgresThrottle(database)
        self.views = PostgresViews(database)
        self.token_views = PostgresTokenViews(database)
        self.session_views = PostgresSessionViews(database)
        self.invitation_views = PostgresInvitationViews(database)


@pytest.fixture(params=["memory", "postgres"])
def shop(request: pytest.FixtureRequest) -> Shop:
    if request.param == "memory":
        return MemoryShop()
    return PostgresShop(*map(request.getfixturevalue, ("database", "postgres_store")))


async def add(shop: Shop, *accounts: Account) -> None:
    async with shop.store.transaction() as transaction:
        for account in accounts:
            assert await transaction.accounts.add(Changed(account)) is None


async def found(shop: Shop) -> Account | None:
    async with shop.store.transaction() as transaction:
        return await transaction.accounts.get(ALICE)


async def test_an_account_comes_back_as_it_was_stored(shop: Shop) -> None:
    await add(shop, A_PERSON)
    assert await found(shop) == A_PERSON
    assert A_PERSON.personal is not None
    profile = Profile(display_name="Alice Ä.", bio="two\nlines", avatar="https://example.org/a")
    changed = replace(
        A_PERSON,
        role=Role.SETTER,
        status=AccountStatus.SUSPENDED,
        session_epoch=3,
        personal=replace(A_PERSON.personal, profile=profile),
    )
    async with shop.store.transaction() as transaction:
        await transaction.accounts.save(Changed(changed))
    assert await found(shop) == changed
    gone = replace(changed, status=AccountStatus.DELETED, personal=None)
    async with shop.store.transaction() as transaction:
        await transaction.accounts.save(Changed(gone))
        assert await transaction.accounts.by_email(EMAIL) is None
    assert await found(shop) == gone
    await add(shop, replace(A_PERSON, id=BOB))


async def test_what_is_taken_is_named(shop: Shop) -> None:
    await add(shop, A_PERSON)
    for other, taken in (
        (an_account(ALICE, "somebody"), Taken.ACCOUNT_ID),
        (an_account(BOB, "ALICE"), Taken.NAME),
        (replace(an_account(BOB, "bob"), personal=_with_email_of_alice()), Taken.EMAIL),
    ):
        async with shop.store.transaction() as transaction:
            assert await transaction.accounts.add(Changed(other)) is taken
    async with shop.store.transaction() as transaction:
        assert not await transaction.accounts.name_is_free(Username("aLiCe"))
        assert await transaction.accounts.name_is_free(Username("bob"))


async def test_an_exception_keeps_nothing(shop: Shop) -> None:
    async def fail() -> None:
        async with shop.store.transaction() as transaction:
            await transaction.accounts.add(Changed(A_PERSON))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert await found(shop) is None


async def test_only_an_active_admin_is_an_admin(shop: Shop) -> None:
    await add(shop, A_PERSON, AN_ADMIN)
    async with shop.store.transaction() as transaction:
        assert await transaction.accounts.has_admin()
        assert not await transaction.accounts.has_admin(besides=AN_ADMIN.id)
        await transaction.accounts.save(Changed(replace(AN_ADMIN, status=AccountStatus.SUSPENDED)))
        assert not await transaction.accounts.has_admin()


async def test_the_latest_captcha_of_a_purpose_and_address_replaces_the_one_before(shop: Shop) -> None:
    first = a_captcha(1, EMAIL)
    second = replace(first, id=CaptchaId(uuid(2)), code=hash_of(b"2"), tries_left=4, used=True)
    for captcha in (first, second):
        async with shop.store.transaction() as transaction:
            await transaction.captchas.put(captcha)
            assert await transaction.captchas.latest(CaptchaPurpose.REGISTER, EMAIL) == captcha
            assert await transaction.captchas.latest(CaptchaPurpose.CHANGE_PASSWORD, EMAIL) is None


async def test_a_letter_is_taken_once_until_it_is_due_again(shop: Shop) -> None:
    await add(shop, A_PERSON)
    minute = timedelta(minutes=1)
    known, unknown = a_captcha(1, EMAIL), a_captcha(2, EmailAddress("nobody@example.org"), minute)
    async with shop.store.transaction() as transaction:
        for captcha in (unknown, known):
            await transaction.captchas.put(captcha)
    now = NOW + minute
    taken = [await shop.mail_queue.take(now, now + minute) for _ in range(3)]
    assert taken == [(known, True), (unknown, False), None]
    await shop.mail_queue.put_off(known.id, None)
    await shop.mail_queue.put_off(unknown.id, now + 2 * minute)
    async with shop.store.transaction() as transaction:
        await transaction.captchas.put(replace(known, tries_left=1))
    later = [await shop.mail_queue.take(now + minutes * minute, now + HOUR) for minutes in (1, 2)]
    assert later == [None, (unknown, False)]


async def test_a_letter_that_expired_or_was_replaced_is_not_taken(shop: Shop) -> None:
    first, second = a_captcha(1, EMAIL), a_captcha(2, EMAIL, HOUR)
    for captcha in (first, second):
        async with shop.store.transaction() as transaction:
            await transaction.captchas.put(captcha)
    assert await shop.mail_queue.take(NOW, NOW) is None
    await shop.mail_queue.put_off(first.id, NOW)
    assert await shop.mail_queue.take(second.expires_at, NOW) is None
    assert await shop.mail_queue.take(NOW + HOUR, NOW + HOUR) == (second, False)


def a_captcha(number: int, address: EmailAddress, after: timedelta = timedelta(0)) -> Captcha:
    return Captcha(
        id=CaptchaId(uuid(number)),
        purpose=CaptchaPurpose.REGISTER,
        address=address,
        code=hash_of(b"1"),
        issued_at=NOW + after,
        expires_at=NOW + after + HOUR,
        tries_left=5,
    )


async def test_sessions_are_used_and_end_by_family_or_by_account(shop: Shop) -> None:
    await add(shop, A_PERSON, an_account(BOB, "bob"))
    tokens = [a_token(1, ALICE, 1), a_token(2, ALICE, 1), a_token(3, ALICE, 2), a_token(4, BOB, 3)]
    async with shop.store.transaction() as transaction:
        for token in tokens:
            await transaction.sessions.add(token)
        used = replace(tokens[0], used_at=NOW, sealed_successor=b"s" * 32)
        await transaction.sessions.save_used(used)
        assert await transaction.sessions.find(used.digest) == used
        await transaction.sessions.end_family(tokens[0].family)
        left = [await transaction.sessions.find(token.digest) for token in tokens]
        assert left == [None, None, tokens[2], tokens[3]]
        await transaction.sessions.end_all(ALICE)
        assert await transaction.sessions.find(tokens[2].digest) is None
        assert await transaction.sessions.find(tokens[3].digest) == tokens[3]


async def test_api_tokens_are_found_by_their_secret_with_their_owner(shop: Shop) -> None:
    await add(shop, A_PERSON)
    first, second = an_api_token(1), an_api_token(2)
    async with shop.store.transaction() as transaction:
        assert await transaction.api_tokens.add(first)
        assert not await transaction.api_tokens.add(replace(first, digest=b"x" * 32))
        assert await transaction.api_tokens.add(second)
        assert await transaction.api_tokens.get(first.id) == first
        assert await transaction.api_tokens.count(ALICE) == 2
    assert await shop.directory.owner_of(second.digest) == (second, A_PERSON)
    await shop.directory.mark_used(first.id, NOW + HOUR)
    assert await shop.token_views.of(ALICE) == [replace(first, last_used_at=NOW + HOUR), second]
    async with shop.store.transaction() as transaction:
        await transaction.api_tokens.remove(first.id)
    assert await shop.token_views.of(ALICE) == [second]
    async with shop.store.transaction() as transaction:
        await transaction.api_tokens.remove_all(ALICE)
    assert await shop.directory.owner_of(second.digest) is None


@pytest.mark.parametrize("login", ["alice", "ALICE", "alice@example.org", "Alice@Example.org"])
async def test_an_account_is_found_by_what_people_type(shop: Shop, login: str) -> None:
    await add(shop, A_PERSON)
    assert await shop.directory.by_login(login) == A_PERSON
    assert await shop.directory.by_login("alice@example") is None


async def test_a_burst_is_allowed_then_an_even_pace(shop: Shop, clock: ManualClock) -> None:
    bucket, other = Bucket("a", RateLimit(HOUR, 3)), Bucket("b", RateLimit(HOUR, 1))
    charges = [await shop.throttle.charge([bucket], clock.now) for _ in range(4)]
    assert charges == [None, None, None, HOUR]
    clock.advance(minutes=30)
    assert await shop.throttle.charge([other, bucket], clock.now) == HOUR / 2
    assert await shop.throttle.charge([other], clock.now) == HOUR
    await shop.throttle.refund([bucket, other])
    assert await shop.throttle.charge([bucket, other], clock.now) is None
    clock.advance(days=1)
    charges = [await shop.throttle.charge([bucket], clock.now) for _ in range(4)]
    assert charges == [None, None, None, HOUR]


async def test_accounts_are_listed_by_page_and_by_what_they_are(shop: Shop) -> None:
    bob = replace(an_account(BOB, "bob"), status=AccountStatus.SUSPENDED)
    assert bob.personal is not None
    bob = replace(bob, personal=replace(bob.personal, profile=Profile(display_name="Robert 100%")))
    await add(shop, A_PERSON, bob, AN_ADMIN)
    views = shop.views
    for wanted, expected in (
        (AccountFilter(), [A_PERSON, bob, AN_ADMIN]),
        (AccountFilter(search="AL"), [A_PERSON]),
        (AccountFilter(search="robert 100%"), [bob]),
        (AccountFilter(search="%"), []),
        (AccountFilter(search="alice@"), []),
        (AccountFilter(search="alice@", in_email=True), [A_PERSON]),
        (AccountFilter(role=Role.ADMIN), [AN_ADMIN]),
        (AccountFilter(statuses=frozenset({AccountStatus.SUSPENDED})), [bob]),
        (AccountFilter(ids=frozenset({ALICE, BOB})), [A_PERSON, bob]),
        (AccountFilter(names=frozenset({"ALICE", "bo"})), [A_PERSON]),
    ):
        assert list((await views.list(wanted, PageRequest())).items) == expected
    first = await views.list(AccountFilter(), PageRequest(2))
    assert (list(first.items), first.next) == ([A_PERSON, bob], at_id(BOB))
    last = await views.list(AccountFilter(), PageRequest(2, first.next))
    assert (list(last.items), last.next) == ([AN_ADMIN], None)
    assert await views.get(ALICE) == await views.by_name("alice") == A_PERSON


async def test_accounts_without_an_address_do_not_share_one(shop: Shop) -> None:
    people = [an_account(ALICE, "alice"), an_account(BOB, "bob")]
    without = [replace(each, personal=_without_email(each)) for each in people]
    await add(shop, *without)
    assert await found(shop) == without[0]
    assert await shop.directory.by_login("alice") == without[0]
    listed = await shop.views.list(AccountFilter(search="alice@", in_email=True), PageRequest())
    assert not list(listed.items)


async def test_sessions_are_seen_while_their_last_token_is_good(shop: Shop) -> None:
    await add(shop, A_PERSON, an_account(BOB, "bob"))
    first, second = (replace(a_token(number, ALICE, number), session_epoch=0) for number in (1, 2))
    following = replace(first, digest=digest_of(b"next"), issued_at=NOW + timedelta(minutes=1))
    async with shop.store.transaction() as transaction:
        for token in (first, second, following, a_token(4, ALICE, 4)):
            await transaction.sessions.add(token)
        await transaction.sessions.save_used(replace(first, used_at=NOW, sealed_successor=b"s" * 32))
        assert await transaction.sessions.has_family(ALICE, first.family)
        assert not await transaction.sessions.has_family(BOB, first.family)
        assert await transaction.sessions.find(second.digest) == second
    seen = await shop.session_views.of(ALICE, NOW)
    # The fourth is of an epoch that is over, or not yet begun.
    assert [each.id for each in seen] == [first.family, second.family]
    assert (seen[0].used_at, seen[0].started_at) == (following.issued_at, first.started_at)
    assert seen[0].origin == origin("192.0.2.7", "a browser")
    assert not await shop.session_views.of(ALICE, NOW + HOUR)
    assert not await shop.session_views.of(BOB, NOW)


async def test_invitations_come_back_as_they_were_stored(shop: Shop) -> None:
    keys = [InvitationId(uuid(number)) for number in (1, 2)]
    first = invite(keys[0], "AAAAA-AAAAA", 3, NOW + HOUR, "a class", NOW)
    second = invite(keys[1], "BBBBB-BBBBB", 1, None, "", NOW)
    async with shop.store.transaction() as transaction:
        assert await transaction.invitations.add(first)
        assert await transaction.invitations.add(second)
        assert not await transaction.invitations.add(replace(first, code="CCCCC-CCCCC"))
        assert not await transaction.invitations.add(replace(first, id=InvitationId(uuid(3))))
        assert await transaction.invitations.count() == 2
        assert await transaction.invitations.by_code("AAAAA-AAAAA") == first
        for unknown in ("CCCCC-CCCCC", "", "a\0b"):
            assert await transaction.invitations.by_code(unknown) is None
        used = first.used(NOW)
        assert used is not None
        await transaction.invitations.save(used)
    assert list(await shop.invitation_views.all()) == [second, used]
    async with shop.store.transaction() as transaction:
        assert await transaction.invitations.remove(first.id)
        assert not await transaction.invitations.remove(first.id)
    assert list(await shop.invitation_views.all()) == [second]


def _without_email(account: Account) -> Personal:
    assert account.personal is not None
    return replace(account.personal, email=None)


def _with_email_of_alice() -> Personal:
    person = an_account(BOB, "bob").personal
    assert person is not None
    return replace(person, email=EMAIL)


def a_token(number: int, account_id: AccountId, family: int) -> RefreshToken:
    return RefreshToken(
        digest=digest_of(bytes([number])),
        family=FamilyId(uuid(family)),
        account_id=account_id,
        session_epoch=number,
        issued_at=NOW,
        expires_at=NOW + HOUR,
        started_at=NOW - HOUR,
        origin=origin("192.0.2.7", "a browser"),
    )


def an_api_token(number: int) -> ApiToken:
    return ApiToken(
        id=ApiTokenId(uuid(number)),
        account_id=ALICE,
        name=f"token {number}",
        digest=digest_of(bytes([number])),
        scopes=frozenset({Scope.READ, Scope.ADMIN}),
        created_at=NOW,
        expires_at=NOW + HOUR if number == 1 else None,
    )
