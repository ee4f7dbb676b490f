"""Who may call what: every call, by every role, on one's own account and on another's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from google.protobuf.message import Message

from apps.user.tests.fakes import MemoryStore
from deepoj_domain.account.account import AccountStatus
from deepoj_domain.account.api_token import ApiToken, Scope
from deepoj_domain.account.audit import origin
from deepoj_domain.account.invitation import invite
from deepoj_domain.account.session import SessionTerms, digest_of, issue
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import ApiTokenId, FamilyId, InvitationId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE, BOB, NOW
from deepoj_kit.grpc import Refusal, refusal_of
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.user.v1 import user_pb2
from deepoj_user.container import Container
from deepoj_user.inbound.grpc.refusals import translate
from deepoj_user.inbound.grpc.wire import write_actor

OK: Final = "ok"
NOT_YOU: Final = "not_admin"
SIGN_IN: Final = "sign_in_required"
TOKEN: Final = ApiTokenId(UUID(int=7))
SESSION: Final = FamilyId(UUID(int=8))
INVITATION: Final = InvitationId(UUID(int=9))

ON_ALICE: Final = str(ALICE)
SUSPENDED: Final = user_pb2.ACCOUNT_STATUS_SUSPENDED

# A call without its actor, and the answers: to a guest; about one's own account to an ordinary role and to an
# admin; about another's account to an ordinary role and to an admin.
TABLE: Final[Mapping[str, tuple[Message, tuple[str, str, str, str, str]]]] = {
    "Get": (user_pb2.GetRequest(account_id=ON_ALICE), (OK, OK, OK, OK, OK)),
    "List": (user_pb2.ListRequest(), (SIGN_IN, OK, OK, OK, OK)),
    "List by names": (user_pb2.ListRequest(names=["alice"]), (SIGN_IN, OK, OK, OK, OK)),
    "List by ids": (user_pb2.ListRequest(account_ids=[ON_ALICE]), (OK, OK, OK, OK, OK)),
    "List by role": (
        user_pb2.ListRequest(role=common_pb2.ROLE_ADMIN),
        (SIGN_IN, "not_allowed", OK, "not_allowed", OK),
    ),
    "UpdateInfo": (
        user_pb2.UpdateInfoRequest(account_id=ON_ALICE, bio="hello"),
        (SIGN_IN, OK, OK, NOT_YOU, OK),
    ),
    "SetRole": (
        user_pb2.SetRoleRequest(account_id=ON_ALICE, role=common_pb2.ROLE_SETTER),
        (SIGN_IN, NOT_YOU, "own_account", NOT_YOU, OK),
    ),
    "SetStatus": (
        user_pb2.SetStatusRequest(account_id=ON_ALICE, status=SUSPENDED),
        (SIGN_IN, NOT_YOU, "own_account", NOT_YOU, OK),
    ),
    "Delete": (user_pb2.DeleteRequest(account_id=ON_ALICE), (SIGN_IN, OK, OK, NOT_YOU, OK)),
    "Logout everywhere": (user_pb2.LogoutRequest(everywhere=True), (SIGN_IN, OK, OK, OK, OK)),
    "ResetPassword": (
        user_pb2.ResetPasswordRequest(account_id=ON_ALICE),
        (SIGN_IN, NOT_YOU, "own_account", NOT_YOU, OK),
    ),
    "ReplacePassword": (
        user_pb2.ReplacePasswordRequest(password="password of alice", new_password="another fine one"),
        (SIGN_IN, OK, OK, "bad_credentials", "bad_credentials"),
    ),
    "ListSessions": (user_pb2.ListSessionsRequest(), (SIGN_IN, OK, OK, OK, OK)),
    "EndSession": (
        user_pb2.EndSessionRequest(session_id=str(SESSION)),
        (SIGN_IN, OK, OK, "session_not_found", "session_not_found"),
    ),
    "CreateInvitation": (
        user_pb2.CreateInvitationRequest(invitation_id=str(uuid4()), uses=3),
        (SIGN_IN, NOT_YOU, OK, NOT_YOU, OK),
    ),
    "ListInvitations": (
        user_pb2.ListInvitationsRequest(),
        (SIGN_IN, "not_allowed", OK, "not_allowed", OK),
    ),
    "RevokeInvitation": (
        user_pb2.RevokeInvitationRequest(invitation_id=str(INVITATION)),
        (SIGN_IN, NOT_YOU, OK, NOT_YOU, OK),
    ),
    "CreateApiToken": (
        user_pb2.CreateApiTokenRequest(token_id=str(uuid4()), name="t", scopes=["read"]),
        (SIGN_IN, OK, OK, OK, OK),
    ),
    "ListApiTokens": (user_pb2.ListApiTokensRequest(), (SIGN_IN, OK, OK, OK, OK)),
    "RevokeApiToken": (
        user_pb2.RevokeApiTokenRequest(token_id=str(TOKEN)),
        (SIGN_IN, OK, OK, "api_token_not_found", OK),
    ),
    "ListAuditLog": (
        user_pb2.ListAuditLogRequest(account_id=ON_ALICE),
        (SIGN_IN, OK, OK, "not_allowed", OK),
    ),
    "ListAuditLog of all": (
        user_pb2.ListAuditLogRequest(),
        (SIGN_IN, "not_allowed", OK, "not_allowed", OK),
    ),
}
# Calls that a credential in the request itself allows.
WITHOUT_ACTOR: Final = {
    "Register", "Login", "Refresh", "ChangePassword", "SendRegisterCaptcha", "SendChangePasswordCaptcha",
    "AuthenticateApiToken", "GetSigningKeys", "GetRegistration", "MakeGuest",
}  # fmt: skip
# What depends on the role alone: test_made_accounts.py.
BY_ROLE: Final = {"CreateAccounts"}


async def answer(container: Container, call: str, actor: common_pb2.Actor) -> tuple[str, Any]:
    template, _ = TABLE[call]
    request: Any = type(template)()
    request.CopyFrom(template)
    request.actor.CopyFrom(actor)
    try:
        return OK, await getattr(container.servicer(), call.partition(" ")[0])(request, None)
    except (Refusal, InvalidValueError) as error:
        return refusal_of(error, call, translate).reason, None


@pytest.fixture(autouse=True)
def token(store: MemoryStore) -> None:
    store.rows.api_tokens[TOKEN] = ApiToken(
        id=TOKEN,
        account_id=ALICE,
        name="laptop",
        digest=b"d" * 32,
        scopes=frozenset({Scope.READ}),
        created_at=NOW,
    )
    store.rows.sessions[digest_of(b"a token")] = issue(
        b"a token", SESSION, store.rows.accounts[ALICE], SessionTerms(), NOW, origin("192.0.2.7", "")
    )
    store.rows.invitations[INVITATION] = invite(INVITATION, "AAAAA-BBBBB", 1, None, "", NOW)


@pytest.mark.parametrize("call", TABLE)
async def test_a_guest_sees_profiles_and_nothing_else(container: Container, call: str) -> None:
    guests = (common_pb2.Actor(), common_pb2.Actor(account_id=str(ALICE), role=common_pb2.ROLE_GUEST))
    for guest in guests:
        assert (await answer(container, call, guest))[0] == TABLE[call][1][0]


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("call", TABLE)
async def test_what_a_role_may_do_to_its_own_and_to_another_account(
    container: Container, store: MemoryStore, call: str, role: Role
) -> None:
    _, own, own_admin, other, other_admin = TABLE[call][1]
    is_admin = role is Role.ADMIN
    untouched = store.rows
    for account_id, expected in (
        (BOB, other_admin if is_admin else other),
        (ALICE, own_admin if is_admin else own),
    ):
        store.rows = untouched.copy()
        store.rows.accounts[account_id] = replace(store.rows.accounts[account_id], role=role)
        actor = write_actor(Actor(account_id, role))
        assert (await answer(container, call, actor))[0] == expected


@pytest.mark.parametrize("role", [None, *Role])
async def test_an_address_is_shown_to_its_owner_and_to_admins(
    container: Container, role: Role | None
) -> None:
    actor = write_actor(Actor(BOB, role)) if role else common_pb2.Actor(role=common_pb2.ROLE_GUEST)
    for call in ("Get", "List by ids"):
        _, said = await answer(container, call, actor)
        account = said.account if call == "Get" else said.accounts[0]
        assert bool(account.email) is (role is Role.ADMIN)
    owner = common_pb2.Actor(account_id=str(ALICE), role=common_pb2.ROLE_CONTESTANT)
    assert (await answer(container, "Get", owner))[1].account.email == "alice@example.org"


@pytest.mark.parametrize(
    ("standing", "reason"),
    [
        ({"role": Role.JUDGE}, NOT_YOU),
        ({"status": AccountStatus.SUSPENDED}, "account_suspended"),
        ({"status": AccountStatus.DELETED, "personal": None}, "account_deleted"),
    ],
)
@pytest.mark.parametrize(
    "call",
    ["UpdateInfo", "SetRole", "SetStatus", "Delete", "ResetPassword", "CreateInvitation", "RevokeInvitation"],
)
async def test_a_token_of_an_admin_who_is_none_any_more_administers_nobody(
    container: Container, store: MemoryStore, call: str, standing: dict[str, Any], reason: str
) -> None:
    store.rows.accounts[BOB] = replace(store.rows.accounts[BOB], **standing)
    before = store.rows
    claimed = common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_ADMIN)
    assert (await answer(container, call, claimed))[0] == reason
    assert store.rows == before


def test_the_table_knows_every_call() -> None:
    calls = set(user_pb2.DESCRIPTOR.services_by_name["UserService"].methods_by_name)
    known = {call.partition(" ")[0] for call in TABLE} | WITHOUT_ACTOR | BY_ROLE
    assert known == calls


async def test_an_actor_of_a_service_has_no_account_of_its_own(container: Container) -> None:
    service = common_pb2.Actor(role=common_pb2.ROLE_ADMIN)
    for call in ("Logout everywhere", "CreateApiToken", "ListApiTokens", "ResetPassword", "EndSession"):
        assert (await answer(container, call, service))[0] == "account_id_malformed"
    for call in ("UpdateInfo", "SetRole", "SetStatus", "Delete", "RevokeApiToken"):
        assert (await answer(container, call, service))[0] == NOT_YOU
    assert (await answer(container, "List by ids", service))[0] == OK
