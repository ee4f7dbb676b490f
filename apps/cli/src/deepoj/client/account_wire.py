"""As much of accounts as admins are shown."""

from __future__ import annotations

from datetime import datetime

from deepoj.client.wire import User, Wire


class Account(User, frozen=True, kw_only=True):
    status: str
    created_at: datetime | None = None
    bio: str = ""
    avatar: str = ""


class CreatedAccount(Wire, frozen=True):
    user: Account
    password: str | None = None


class NewPassword(Wire, frozen=True):
    password: str


class ImportedAccount(Wire, frozen=True):
    line: int
    name: str
    display_name: str
    outcome: str
    reason: str | None = None
    user_id: str | None = None
    password: str | None = None
    enrolled: bool | None = None


class ImportedAccounts(Wire, frozen=True):
    items: tuple[ImportedAccount, ...]
    created: int
    refused: int


class Origin(Wire, frozen=True):
    address: str
    user_agent: str


class SecurityEvent(Wire, frozen=True):
    at: datetime
    event: str
    user_id: str | None
    origin: Origin
    detail: str


class Invitation(Wire, frozen=True):
    id: str
    code: str
    uses_left: int
    created_at: datetime
    expires_at: datetime | None = None
    note: str = ""


class OpenSession(Wire, frozen=True):
    id: str
    created_at: datetime
    last_used_at: datetime
    address: str
    user_agent: str
    current: bool
