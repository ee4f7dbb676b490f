from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from apps.user.tests.fakes import MemoryStore
from deepoj_domain.account.account import Account, AccountRefusal, AccountStatus
from deepoj_domain.account.api_token import MOST_TOKENS, ApiTokenRefusal, Scope
from deepoj_domain.account.audit import NOWHERE, AuditEvent, origin
from deepoj_domain.account.personal import DELETED_NAME
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import ApiTokenId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE, BOB, ROOT, uuid
from deepoj_kit.testing.conditions import ManualClock
from deepoj_proto.user.v1 import user_pb2
from deepoj_user.commands.authenticate_api_token import Bearer
from deepoj_user.commands.create_admin import CreateAdminRefusal, NewAdmin
from deepoj_user.commands.create_api_token import Made, NewApiToken
from deepoj_user.commands.ports import Taken
from deepoj_user.commands.update_info import InfoChange
from deepoj_user.container import Container
from deepoj_user.inbound.grpc import wire
from deepoj_user.queries.access import AccountView

OWNER = Actor(ALICE, Role.CONTESTANT)
HERE = origin("192.0.2.1", "curl")


def a_new_token(number: int = 1, **changes: object) -> NewApiToken:
    new = NewApiToken(
        token_id=ApiTokenId(uuid(number)),
        name="laptop",
        scopes=frozenset({Scope.READ, Scope.SUBMIT}),
        expires_at=None,
        origin=NOWHERE,
    )
    return replace(new, **changes)  # type: ignore[arg-type]  # each test names real fields


async def test_a_deleted_account_is_forgotten_but_still_known_by_its_id(
    container: Container, store: MemoryStore
) -> None:
    accounts = container.account_use_cases()
    await container.token_use_cases().create(OWNER, a_new_token(origin=HERE))
    gone = await accounts.delete(OWNER, ALICE, HERE)
    assert isinstance(gone, Account)
    view = await accounts.get(None, ALICE)
    assert isinstance(view, AccountView)
    assert (view.display_name, view.status) == (DELETED_NAME, AccountStatus.DELETED)
    assert view.name == f"deleted-{ALICE.hex}"
    assert store.rows.api_tokens == {}
    assert [where for _, owner, where, _ in store.rows.audit if owner == ALICE] == [NOWHERE, NOWHERE]
    assert isinstance(await accounts.get(None, "alice"), Refused)


async def test_the_last_admin_stays(container: Container, store: MemoryStore) -> None:
    accounts = container.account_use_cases()
    assert await accounts.delete(ROOT, ROOT.account_id, NOWHERE) == Refused(AccountRefusal.LAST_ADMIN)
    await accounts.set_role(ROOT, BOB, Role.ADMIN, NOWHERE)
    assert isinstance(await accounts.delete(ROOT, ROOT.account_id, NOWHERE), Account)
    assert store.events() == [AuditEvent.ROLE_SET, AuditEvent.DELETED]


async def test_info_is_changed_field_by_field_and_an_equal_change_is_no_change(
    container: Container, store: MemoryStore
) -> None:
    update = container.account_use_cases().update_info
    first = await update(OWNER, ALICE, InfoChange(display_name="Alice A.", bio="two\nlines"), NOWHERE)
    second = await update(OWNER, ALICE, InfoChange(avatar="https://example.org/a.png"), NOWHERE)
    same = await update(OWNER, ALICE, InfoChange(display_name="Alice A."), NOWHERE)
    assert isinstance(first, Account)
    assert isinstance(second, Account)
    assert second.personal is not None
    assert second.personal.profile.bio == "two\nlines"
    assert same == second
    assert store.events() == [AuditEvent.INFO_UPDATED] * 2


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (InfoChange(display_name="x" * 65), "display_name_malformed"),
        (InfoChange(display_name="a\nb"), "display_name_malformed"),
        (InfoChange(display_name=" padded"), "display_name_malformed"),
        (InfoChange(display_name="\u202eflipped"), "display_name_malformed"),
        (InfoChange(bio="x" * 1001), "bio_malformed"),
        (InfoChange(bio="nul\0"), "bio_malformed"),
        (InfoChange(avatar="http://example.org/a.png"), "avatar_malformed"),
        (InfoChange(avatar="javascript:alert(1)"), "avatar_malformed"),
        (InfoChange(avatar="https://example.org/" + "a" * 500), "avatar_malformed"),
    ],
)
async def test_info_beyond_its_limits_is_refused(container: Container, change: InfoChange, code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        await container.account_use_cases().update_info(OWNER, ALICE, change, NOWHERE)
    assert refused.value.code == code


async def test_a_suspension_tells_why_and_by_whom(container: Container, store: MemoryStore) -> None:
    set_status = container.account_use_cases().set_status
    await set_status(ROOT, ALICE, "shared their code", NOWHERE, active=False)
    event, account_id, _, detail = store.rows.audit[-1]
    assert (event, account_id) == (AuditEvent.STATUS_SET, ALICE)
    assert detail == f"suspended by {ROOT.account_id}: shared their code"
    with pytest.raises(InvalidValueError):
        await set_status(ROOT, ALICE, "two\nlines", NOWHERE, active=True)


async def test_an_api_token_speaks_for_its_owner_until_it_expires(
    container: Container, store: MemoryStore, clock: ManualClock
) -> None:
    tokens = container.token_use_cases()
    made = await tokens.create(OWNER, a_new_token(expires_at=clock.now + timedelta(hours=1)))
    assert isinstance(made, Made)
    assert made.secret not in repr(made) + repr(store.rows)
    bearer = await tokens.authenticate(made.secret)
    assert bearer == Bearer(OWNER, made.token.id, frozenset({Scope.READ, Scope.SUBMIT}))
    clock.advance(hours=1)
    assert await tokens.authenticate(made.secret) == Refused(ApiTokenRefusal.INVALID)


async def test_the_role_of_a_bearer_is_the_owners_of_now_and_a_suspended_owner_has_none(
    container: Container, store: MemoryStore
) -> None:
    tokens, accounts = container.token_use_cases(), container.account_use_cases()
    made = await tokens.create(OWNER, a_new_token())
    assert isinstance(made, Made)
    await accounts.set_role(ROOT, ALICE, Role.SETTER, NOWHERE)
    bearer = await tokens.authenticate(made.secret)
    assert isinstance(bearer, Bearer)
    assert bearer.actor.role is Role.SETTER
    await accounts.set_status(ROOT, ALICE, "", NOWHERE, active=False)
    assert await tokens.authenticate(made.secret) == Refused(AccountRefusal.SUSPENDED)
    assert await tokens.create(OWNER, a_new_token(2)) == Refused(AccountRefusal.SUSPENDED)
    assert store.events()[0] is AuditEvent.API_TOKEN_CREATED


async def test_last_used_is_written_at_most_once_a_minute(
    container: Container, store: MemoryStore, clock: ManualClock
) -> None:
    tokens, began = container.token_use_cases(), clock.now
    made = await tokens.create(OWNER, a_new_token())
    assert isinstance(made, Made)
    seen = []
    for _ in range(4):
        await tokens.authenticate(made.secret)
        seen.append(store.rows.api_tokens[made.token.id].last_used_at)
        clock.advance(seconds=30)
    assert seen == [began, began, began + timedelta(seconds=60), began + timedelta(seconds=60)]


async def test_an_account_has_so_many_tokens_and_an_id_is_used_once(container: Container) -> None:
    create = container.token_use_cases().create
    assert isinstance(await create(OWNER, a_new_token(1)), Made)
    assert await create(OWNER, a_new_token(1)) == Refused(ApiTokenRefusal.ID_TAKEN)
    for number in range(2, MOST_TOKENS + 1):
        await create(OWNER, a_new_token(number))
    assert await create(OWNER, a_new_token(99)) == Refused(ApiTokenRefusal.TOO_MANY)


async def test_a_malformed_token_is_refused_by_name(container: Container, clock: ManualClock) -> None:
    for changes, code in (
        ({"name": ""}, "api_token_name_malformed"),
        ({"name": "x" * 101}, "api_token_name_malformed"),
        ({"scopes": frozenset()}, "scopes_missing"),
        ({"expires_at": clock.now}, "expiry_passed"),
    ):
        with pytest.raises(InvalidValueError) as refused:
            await container.token_use_cases().create(OWNER, a_new_token(**changes))
        assert refused.value.code == code
    with pytest.raises(InvalidValueError, match="manage"):
        wire.read_new_token(
            user_pb2.CreateApiTokenRequest(token_id=str(uuid(1)), scopes=["read", "everything"])
        )


async def test_the_first_admin_is_kept_before_it_exists_and_there_is_only_one_first(
    container: Container, store: MemoryStore
) -> None:
    create, kept = container.create_admin(), list[NewAdmin]()
    new = NewAdmin(name="chief", email="chief@example.org", password="a long secret")
    assert await create(new, only_first=True, keep=kept.append) == Refused(CreateAdminRefusal.HAS_ADMIN)
    store.rows.accounts.pop(ROOT.account_id)

    def full(_: NewAdmin) -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        await create(new, only_first=True, keep=full)
    assert len(store.rows.accounts) == 2
    made = await create(new, only_first=True, keep=kept.append)
    assert isinstance(made, Account)
    assert (made.role, kept) == (Role.ADMIN, [new])
    assert await create(new) == Refused(Taken.NAME)
