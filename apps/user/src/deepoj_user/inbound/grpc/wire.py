"""The messages of this service as its types; what makes no sense is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from deepoj_domain.account.account import Account, AccountStatus
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.account.audit import AuditEntry, Origin
from deepoj_domain.account.audit import origin as make_origin
from deepoj_domain.account.invitation import Invitation
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, ApiTokenId, FamilyId, InvitationId
from deepoj_domain.kernel.paging import PageRequest, page_request
from deepoj_domain.kernel.role import Actor, Role, acting
from deepoj_kit.grpc.mapping import Conversion, Mapper, Members, Pair
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.user.v1 import user_pb2
from deepoj_user.commands.change_password import ChangePasswordRequest
from deepoj_user.commands.create_accounts import Creation, NewAccount
from deepoj_user.commands.create_api_token import NewApiToken
from deepoj_user.commands.create_invitation import NewInvitation
from deepoj_user.commands.log_in import LogInRequest
from deepoj_user.commands.register import RegisterRequest
from deepoj_user.commands.session_tokens import Tokens
from deepoj_user.commands.update_info import InfoChange
from deepoj_user.queries.access import AccountView, shown
from deepoj_user.queries.get_registration import Registration
from deepoj_user.queries.list import ListRequest
from deepoj_user.queries.ports import Session


def _read_origin(message: user_pb2.Origin) -> Origin:
    return make_origin(message.address, message.user_agent)


def _write_origin(origin: Origin) -> user_pb2.Origin:
    return user_pb2.Origin(address=str(origin.address or ""), user_agent=origin.user_agent)


_MAPPER: Final = Mapper(
    Pair(common_pb2.Actor, Actor, made_by=acting),
    Members(common_pb2.Role.DESCRIPTOR, none=("GUEST",)),
    Pair(common_pb2.PageRequest, PageRequest, made_by=page_request),
    Conversion(user_pb2.Origin, Origin, _read_origin, _write_origin),
    Pair(user_pb2.ChangePasswordRequest, ChangePasswordRequest, names={"password": "new_password"}),
    Pair(user_pb2.CreateApiTokenRequest, NewApiToken, unmapped=("actor",)),
    Pair(user_pb2.CreateInvitationRequest, NewInvitation, unmapped=("actor",)),
    Pair(user_pb2.UpdateInfoRequest, InfoChange, unmapped=("actor", "account_id", "origin")),
    Pair(user_pb2.ListRequest, ListRequest, names={"ids": "account_ids"}, unmapped=("actor", "page")),
    Pair(user_pb2.ApiToken, ApiToken, unmapped=("account_id", "digest")),
    Pair(
        user_pb2.Tokens,
        Tokens,
        names={"access.text": "access_token", "access.expires_at": "access_expires_at"},
        unmapped=("account",),
    ),
    error=InvalidValueError,
)

read_actor: Callable[[common_pb2.Actor], Actor | None] = _MAPPER.reader(common_pb2.Actor, Actor)
read_account_id: Final = _MAPPER.id("account_id", AccountId)
read_token_id: Final = _MAPPER.id("token_id", ApiTokenId)
read_session_id: Final = _MAPPER.id("session_id", FamilyId)
read_invitation_id: Final = _MAPPER.id("invitation_id", InvitationId)
read_origin: Final = _MAPPER.reader(user_pb2.Origin, Origin)
read_page: Final = _MAPPER.reader(common_pb2.PageRequest, PageRequest)
read_role: Final = _MAPPER.field(user_pb2.SetRoleRequest, "role", Role)
_read_status: Final = _MAPPER.field(user_pb2.SetStatusRequest, "status", AccountStatus)
read_register: Final = _MAPPER.reader(user_pb2.RegisterRequest, RegisterRequest)
read_log_in: Final = _MAPPER.reader(user_pb2.LoginRequest, LogInRequest)
read_change_password: Final = _MAPPER.reader(user_pb2.ChangePasswordRequest, ChangePasswordRequest)
read_new_token: Final = _MAPPER.reader(user_pb2.CreateApiTokenRequest, NewApiToken)
read_new_account: Final = _MAPPER.reader(user_pb2.NewAccount, NewAccount)
read_new_invitation: Final = _MAPPER.reader(user_pb2.CreateInvitationRequest, NewInvitation)
read_info: Final = _MAPPER.reader(user_pb2.UpdateInfoRequest, InfoChange)
read_list: Final = _MAPPER.reader(user_pb2.ListRequest, ListRequest)

write_actor: Final = _MAPPER.writer(Actor, common_pb2.Actor)
write_account: Final = _MAPPER.writer(AccountView, user_pb2.Account)
write_tokens: Final = _MAPPER.writer(Tokens, user_pb2.Tokens)
write_token: Final = _MAPPER.writer(ApiToken, user_pb2.ApiToken)
write_registration: Final = _MAPPER.writer(Registration, user_pb2.GetRegistrationResponse)
write_session: Final = _MAPPER.writer(Session, user_pb2.Session)
write_creation: Final = _MAPPER.writer(Creation, user_pb2.Creation)
write_invitation: Final = _MAPPER.writer(Invitation, user_pb2.Invitation)
write_entry: Final = _MAPPER.writer(AuditEntry, user_pb2.AuditEntry)


def read_active(request: user_pb2.SetStatusRequest) -> bool:
    """Deleting is a call of its own."""
    status = _read_status(request)
    if status is AccountStatus.DELETED:
        raise InvalidValueError("status_unknown", "an account is set to active or suspended")
    return status is AccountStatus.ACTIVE


def write_own(account: Account) -> user_pb2.Account:
    """As its owner sees it."""
    return write_account(shown(account, Actor(account.id, account.role)))
