"""From protobuf to typed values; what cannot become one is refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, TypeVar
from uuid import UUID

from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_domain.account.account import AccountStatus
from deepoj_domain.account.audit import Origin
from deepoj_domain.account.audit import origin as make_origin
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, ApiTokenId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.user.v1 import user_pb2
from deepoj_user.queries.paging import PageRequest, page_request

T = TypeVar("T")

ROLES: Final[Mapping[int, Role]] = {
    common_pb2.ROLE_CONTESTANT: Role.CONTESTANT,
    common_pb2.ROLE_SETTER: Role.SETTER,
    common_pb2.ROLE_JUDGE: Role.JUDGE,
    common_pb2.ROLE_ADMIN: Role.ADMIN,
}
STATUSES: Final[Mapping[int, AccountStatus]] = {
    user_pb2.ACCOUNT_STATUS_ACTIVE: AccountStatus.ACTIVE,
    user_pb2.ACCOUNT_STATUS_SUSPENDED: AccountStatus.SUSPENDED,
    user_pb2.ACCOUNT_STATUS_DELETED: AccountStatus.DELETED,
}
# The account of a service that acts by itself.
SERVICE_ACCOUNT: Final = AccountId(UUID(int=0))


def uuid(text: str, name: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidValueError(f"{name}_malformed", f"{name} is not a UUID") from None


def account_id(text: str) -> AccountId:
    return AccountId(uuid(text, "account_id"))


def token_id(text: str) -> ApiTokenId:
    return ApiTokenId(uuid(text, "token_id"))


def enum(table: Mapping[int, T], value: int, name: str) -> T:
    if value not in table:
        raise InvalidValueError(f"{name}_unknown", f"{name} has no value {value}")
    return table[value]


def role_or_none(value: int) -> Role | None:
    return None if value == common_pb2.ROLE_UNSPECIFIED else enum(ROLES, value, "role")


def status_or_none(value: int) -> AccountStatus | None:
    return None if value == user_pb2.ACCOUNT_STATUS_UNSPECIFIED else enum(STATUSES, value, "status")


def is_active(value: int) -> bool:
    """Deleting is a call of its own."""
    status = enum(STATUSES, value, "status")
    if status is AccountStatus.DELETED:
        raise InvalidValueError("status_unknown", "an account is set to active or suspended")
    return status is AccountStatus.ACTIVE


def actor(message: common_pb2.Actor) -> Actor | None:
    """Return None for a guest."""
    if message.role in {common_pb2.ROLE_UNSPECIFIED, common_pb2.ROLE_GUEST}:
        return None
    role = enum(ROLES, message.role, "role")
    if not message.account_id and role is not Role.CONTESTANT:
        return Actor(SERVICE_ACCOUNT, role)
    return Actor(account_id(message.account_id), role)


def origin(message: user_pb2.Origin) -> Origin:
    return make_origin(message.address, message.user_agent)


def moment(value: Timestamp, name: str) -> datetime:
    try:
        return value.ToDatetime(UTC)
    except ValueError as error:
        raise InvalidValueError(f"{name}_malformed", f"{name} is not a moment") from error


def page(message: common_pb2.PageRequest) -> PageRequest:
    return page_request(message.size, message.cursor)
