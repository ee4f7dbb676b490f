"""Accounts, sessions, API tokens."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from deepoj_bff.inbound.http.wire.base import Body, Id, PageInfo, Reason, Wire


class Role(StrEnum):
    CONTESTANT = "contestant"
    SETTER = "setter"
    JUDGE = "judge"
    ADMIN = "admin"
    GUEST = "guest"


class GrantedRole(StrEnum):
    CONTESTANT = "contestant"
    SETTER = "setter"
    JUDGE = "judge"
    ADMIN = "admin"


class AccountStatus(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"
    DELETED = "deleted"


class SettableStatus(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"


UserName = Annotated[str, Meta(min_length=1, max_length=64, examples=["ada"])]
Email = Annotated[str, Meta(min_length=3, max_length=254, examples=["ada@example.org"])]
Password = Annotated[str, Meta(min_length=1, max_length=1024, examples=["correct horse battery"])]
Captcha = Annotated[
    str, Meta(min_length=1, max_length=64, description="As it came by mail.", examples=["K7Q2M-XW3PA"])
]


class User(Wire, frozen=True, kw_only=True):
    id: Id
    name: UserName
    display_name: str
    email: Annotated[str | None, Meta(description="Only for the user and admins.")]
    role: Role
    status: AccountStatus
    created_at: datetime | None
    bio: str
    avatar: str


class UserAnswer(Wire, frozen=True, kw_only=True):
    account: User


class Users(Wire, frozen=True, kw_only=True):
    accounts: list[User] = msgspec.field(name="items")
    page: PageInfo


class Tokens(Wire, frozen=True, kw_only=True):
    access_token: str
    access_expires_at: datetime
    refresh_token: str
    refresh_expires_at: datetime


class Session(Wire, frozen=True, kw_only=True):
    """`tokens` is null when they were set as cookies."""

    account: User
    tokens: Tokens | None


class CaptchaSent(Wire, frozen=True, kw_only=True):
    next_allowed_at: Annotated[
        datetime | None, Meta(description="The same whether or not the address has an account.")
    ]


class CaptchaRequest(Body, frozen=True, kw_only=True):
    email: Email
    purpose: Annotated[Literal["register", "change_password"], Meta(description="What the captcha is for.")]


class Registration(Body, frozen=True, kw_only=True):
    name: UserName
    email: Email
    password: Password
    captcha: Captcha


Transport = Annotated[
    Literal["bearer", "cookie"],
    Meta(description="`bearer` puts the tokens into the answer, `cookie` into cookies scripts cannot read."),
]


class Login(Body, frozen=True, kw_only=True):
    login: Annotated[
        str, Meta(min_length=1, max_length=254, description="Name or e-mail address.", examples=["ada"])
    ]
    password: Password
    transport: Transport = "bearer"


RefreshToken = Annotated[str, Meta(max_length=1024, description="Browsers leave it out and send the cookie.")]


class RefreshBody(Body, frozen=True, kw_only=True):
    refresh_token: RefreshToken | None = None


class LogoutBody(Body, frozen=True, kw_only=True):
    refresh_token: RefreshToken | None = None
    everywhere: Annotated[bool, Meta(description="End every session of the account.")] = False


class PasswordChange(Body, frozen=True, kw_only=True):
    email: Email
    captcha: Captcha
    new_password: Password


class ProfileEdit(Body, frozen=True, kw_only=True):
    display_name: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    bio: Annotated[str, Meta(max_length=10_000)] | UnsetType = UNSET
    avatar: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET


class RoleChange(Body, frozen=True, kw_only=True):
    role: GrantedRole


class StatusChange(Body, frozen=True, kw_only=True):
    status: SettableStatus
    reason: Reason = ""


class TokenScope(StrEnum):
    READ = "read"
    SUBMIT = "submit"
    MANAGE = "manage"
    ADMIN = "admin"


class ApiToken(Wire, frozen=True, kw_only=True):
    id: Id
    name: str
    scopes: list[str]
    created_at: datetime | None
    expires_at: datetime | None
    last_used_at: datetime | None


class ApiTokens(Wire, frozen=True, kw_only=True):
    tokens: list[ApiToken] = msgspec.field(name="items")


class NewApiToken(Body, frozen=True, kw_only=True):
    name: Annotated[str, Meta(min_length=1, max_length=100, examples=["editor plugin"])]
    scopes: Annotated[list[TokenScope], Meta(min_length=1, max_length=4)]
    expires_at: datetime | None = None


class CreatedApiToken(Wire, frozen=True, kw_only=True):
    token: ApiToken
    secret: Annotated[str, Meta(description="Shown once.")]


class AuditOrigin(Wire, frozen=True, kw_only=True):
    address: str
    user_agent: str


class AuditEntry(Wire, frozen=True, kw_only=True):
    id: Id
    at: datetime
    account_id: str | None
    event: str
    origin: AuditOrigin
    detail: str


class AuditLog(Wire, frozen=True, kw_only=True):
    entries: list[AuditEntry] = msgspec.field(name="items")
    page: PageInfo
