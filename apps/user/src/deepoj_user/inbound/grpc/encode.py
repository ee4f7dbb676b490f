"""From views to protobuf."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_domain.account.account import Account, AccountStatus
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.account.audit import AuditEntry
from deepoj_domain.kernel.role import Actor, Role
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.user.v1 import user_pb2
from deepoj_user.commands.opening import Tokens
from deepoj_user.queries.access import AccountView, shown

ROLE_OF: Final = {role: common_pb2.Role.Value(f"ROLE_{role.name}") for role in Role}
STATUS_OF: Final = {
    status: user_pb2.AccountStatus.Value(f"ACCOUNT_STATUS_{status.name}") for status in AccountStatus
}


def timestamp(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    made = Timestamp()
    made.FromDatetime(moment)
    return made


def view(view: AccountView) -> user_pb2.Account:
    return user_pb2.Account(
        id=str(view.id),
        name=view.name,
        display_name=view.display_name,
        email=view.email,
        role=ROLE_OF[view.role],
        status=STATUS_OF[view.status],
        created_at=timestamp(view.created_at),
        bio=view.bio,
        avatar=view.avatar,
    )


def own(account: Account) -> user_pb2.Account:
    """As its owner sees it."""
    return view(shown(account, Actor(account.id, account.role)))


def tokens(made: Tokens) -> user_pb2.Tokens:
    return user_pb2.Tokens(
        access_token=made.access.text,
        access_expires_at=timestamp(made.access.expires_at),
        refresh_token=made.refresh_token,
        refresh_expires_at=timestamp(made.refresh_expires_at),
    )


def api_token(token: ApiToken) -> user_pb2.ApiToken:
    return user_pb2.ApiToken(
        id=str(token.id),
        name=token.name,
        scopes=sorted(token.scopes),
        created_at=timestamp(token.created_at),
        expires_at=timestamp(token.expires_at),
        last_used_at=timestamp(token.last_used_at),
    )


def audit_entry(entry: AuditEntry) -> user_pb2.AuditEntry:
    origin = entry.origin
    return user_pb2.AuditEntry(
        id=str(entry.id),
        at=timestamp(entry.at),
        account_id=str(entry.account_id or ""),
        event=entry.event,
        origin=user_pb2.Origin(address=str(origin.address or ""), user_agent=origin.user_agent),
        detail=entry.detail,
    )


def page_info(next_cursor: str) -> common_pb2.PageInfo:
    return common_pb2.PageInfo(next_cursor=next_cursor)
