"""Accounts, sessions, API tokens."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import Id, PageInfo, View


class Role(StrEnum):
    CONTESTANT = "contestant"
    SETTER = "setter"
    JUDGE = "judge"
    ADMIN = "admin"
    GUEST = "guest"


class AccountStatus(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"
    DELETED = "deleted"


UserName = Annotated[str, Meta(min_length=1, max_length=64, examples=["ada"])]


class User(View, frozen=True, kw_only=True):
    id: Id
    name: UserName
    display_name: str
    email: Annotated[str | None, Meta(description="Only for the user and admins.")]
    role: Role
    status: AccountStatus
    created_at: datetime | None
    bio: str
    avatar: str


class UserAnswer(View, frozen=True, kw_only=True):
    account: User


class Users(View, frozen=True, kw_only=True):
    accounts: list[User] = msgspec.field(name="items")
    page: PageInfo


class Tokens(View, frozen=True, kw_only=True):
    access_token: str
    access_expires_at: datetime
    refresh_token: str
    refresh_expires_at: datetime


class Session(View, frozen=True, kw_only=True):
    """`tokens` is null when they were set as cookies."""

    account: User
    tokens: Tokens | None


class CaptchaSent(View, frozen=True, kw_only=True):
    next_allowed_at: Annotated[
        datetime | None, Meta(description="The same whether or not the address has an account.")
    ]


class ApiToken(View, frozen=True, kw_only=True):
    id: Id
    name: str
    scopes: list[str]
    created_at: datetime | None
    expires_at: datetime | None
    last_used_at: datetime | None


class ApiTokens(View, frozen=True, kw_only=True):
    tokens: list[ApiToken] = msgspec.field(name="items")


class CreatedApiToken(View, frozen=True, kw_only=True):
    token: ApiToken
    secret: Annotated[str, Meta(description="Shown once.")]


class AuditOrigin(View, frozen=True, kw_only=True):
    address: str
    user_agent: str


class AuditEntry(View, frozen=True, kw_only=True):
    id: Id
    at: datetime
    account_id: str | None
    event: str
    origin: AuditOrigin
    detail: str


class AuditLog(View, frozen=True, kw_only=True):
    entries: list[AuditEntry] = msgspec.field(name="items")
    page: PageInfo
