"""From rows to aggregates and back."""

from __future__ import annotations

from datetime import UTC, datetime
from ipaddress import IPv4Interface, IPv6Interface
from typing import Any, Final

from deepoj_domain.account.account import Account, AccountStatus
from deepoj_domain.account.api_token import ApiToken, Scope
from deepoj_domain.account.audit import Origin
from deepoj_domain.account.invitation import Invitation
from deepoj_domain.account.personal import (
    EmailAddress,
    PasswordHash,
    Personal,
    Profile,
    Username,
    name_of_nobody,
)
from deepoj_domain.kernel.ids import AccountId, ApiTokenId, InvitationId
from deepoj_domain.kernel.role import Role

# As psycopg returns them: what is in a column is known by its position in the constants below.
Row = tuple[Any, ...]

ACCOUNT_COLUMNS: Final = (
    "a.id, a.name, a.email, a.password_hash, a.role, a.status, a.display_name, a.bio, a.avatar, "
    "a.session_epoch, a.created_at"
)
ACCOUNT_WIDTH: Final = 11
API_COLUMNS: Final = (
    "t.id, t.account_id, t.name, t.secret_hash, t.scopes, t.created_at, t.expires_at, t.last_used_at"
)

INVITATION_COLUMNS: Final = "i.id, i.code, i.uses_left, i.created_at, i.expires_at, i.note"


def account(row: Row) -> Account:
    key, name, email, password, role, status, display_name, bio, avatar, epoch, created_at = row
    personal = None
    if password is not None:
        personal = Personal(
            username=Username(name),
            email=None if email is None else EmailAddress(email),
            password=PasswordHash(password),
            profile=Profile(display_name=display_name, bio=bio, avatar=avatar),
        )
    return Account(
        id=AccountId(key),
        role=Role(role),
        status=AccountStatus(status),
        personal=personal,
        session_epoch=epoch,
        registered_at=utc(created_at),
    )


def account_row(account: Account) -> Row:
    person = account.personal
    profile = Profile() if person is None else person.profile
    return (
        account.id,
        name_of_nobody(account.id) if person is None else person.username,
        None if person is None else person.email,
        None if person is None else person.password,
        account.role,
        account.status,
        profile.display_name,
        profile.bio,
        profile.avatar,
        account.session_epoch,
        account.registered_at,
    )


def api_token(row: Row) -> ApiToken:
    key, account_id, name, digest, scopes, created_at, expires_at, last_used_at = row
    return ApiToken(
        id=ApiTokenId(key),
        account_id=AccountId(account_id),
        name=name,
        digest=digest,
        scopes=frozenset(map(Scope, scopes)),
        created_at=utc(created_at),
        expires_at=utc_or_none(expires_at),
        last_used_at=utc_or_none(last_used_at),
    )


def invitation(row: Row) -> Invitation:
    key, code, uses_left, created_at, expires_at, note = row
    return Invitation(
        id=InvitationId(key),
        code=code,
        uses_left=uses_left,
        created_at=utc(created_at),
        expires_at=utc_or_none(expires_at),
        note=note,
    )


def origin(address: Any, user_agent: str) -> Origin:  # noqa: ANN401 — as psycopg returns inet
    plain = address.ip if isinstance(address, IPv4Interface | IPv6Interface) else address
    return Origin(plain, user_agent)


def utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


def utc_or_none(moment: datetime | None) -> datetime | None:
    return None if moment is None else utc(moment)
