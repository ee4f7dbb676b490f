"""Accounts, sessions, API tokens."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import Id, PageInfo, View
from deepoj_domain.account.account import AccountStatus


class Role(StrEnum):
    CONTESTANT = "contestant"
    SETTER = "setter"
    JUDGE = "judge"
    ADMIN = "admin"
    GUEST = "guest"


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


class NamedUser(View, frozen=True, kw_only=True):
    id: Id
    name: UserName
    display_name: str


class UserNames(View, frozen=True, kw_only=True):
    accounts: list[NamedUser] = msgspec.field(name="items")


class CreatedUser(View, frozen=True, kw_only=True):
    account: User
    password: Annotated[str | None, Meta(description="When it was made here; shown once.")]


class NewPasswordAnswer(View, frozen=True, kw_only=True):
    password: Annotated[str, Meta(description="Shown once.", examples=["k7q2-mxw3-pa5b"])]


class WantedAccount(msgspec.Struct, frozen=True, kw_only=True):
    """An account to be made, as user is told."""

    account_id: UUID
    name: str
    display_name: str = ""
    email: str = ""
    password: str = ""
    role: Role = Role.CONTESTANT


class CreationOutcome(StrEnum):
    CREATED = "created"
    EXISTS = "exists"
    REFUSED = "refused"


class Creation(View, frozen=True, kw_only=True):
    outcome: CreationOutcome
    reason: str
    account_id: str
    password: str


class Creations(View, frozen=True, kw_only=True):
    creations: list[Creation]


class ImportedUser(View, frozen=True, kw_only=True):
    line: Annotated[int, Meta(description="Of the text; column names are line 1.")]
    name: str
    display_name: str
    outcome: CreationOutcome
    reason: Annotated[str | None, Meta(description="Why it was refused.")] = None
    account_id: str | None = None
    password: Annotated[str | None, Meta(description="When it was made here; shown once.")] = None
    enrolled: Annotated[
        bool | None, Meta(description="Whether it takes part in the contest now; null without a contest.")
    ] = None


class ImportedUsers(View, frozen=True, kw_only=True):
    items: list[ImportedUser]
    created: int
    refused: int


class SessionOrigin(View, frozen=True, kw_only=True):
    address: str
    user_agent: str


class OpenSession(View, frozen=True, kw_only=True):
    id: Id
    started_at: datetime
    used_at: datetime
    origin: SessionOrigin


class OpenSessions(View, frozen=True, kw_only=True):
    sessions: list[OpenSession]


class SessionItem(View, frozen=True, kw_only=True):
    id: Id
    created_at: datetime
    last_used_at: Annotated[datetime, Meta(description="When its tokens were exchanged last.")]
    address: str
    user_agent: str
    current: Annotated[bool, Meta(description="This request is of this session.")]


class SessionItems(View, frozen=True, kw_only=True):
    items: list[SessionItem]


class Invitation(View, frozen=True, kw_only=True):
    id: Id
    code: str
    uses_left: int
    created_at: datetime
    expires_at: datetime | None
    note: str


class InvitationAnswer(View, frozen=True, kw_only=True):
    invitation: Invitation


class Invitations(View, frozen=True, kw_only=True):
    invitations: list[Invitation] = msgspec.field(name="items")
