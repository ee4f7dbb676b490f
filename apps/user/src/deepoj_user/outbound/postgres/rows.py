"""From rows to aggregates and back."""

from __future__ import annotations

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
from deepoj_kit.postgres.statements import selected, utc, utc_or_none
from deepoj_user.outbound.postgres.tables import ACCOUNTS, API_TOKENS, INVITATIONS

# As psycopg returns them: columns in the order in which `tables.py` names them.
Row = tuple[Any, ...]

ACCOUNT_COLUMNS: Final = selected(ACCOUNTS, "a", *ACCOUNTS.c.keys())
ACCOUNT_WIDTH: Final = len(ACCOUNTS.c)
API_COLUMNS: Final = selected(API_TOKENS, "t", *API_TOKENS.c.keys())
INVITATION_COLUMNS: Final = selected(INVITATIONS, "i", *INVITATIONS.c.keys())


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


def account_row(account: Account) -> dict[str, object]:
    person = account.personal
    profile = Profile() if person is None else person.profile
    return {
        "id": account.id,
        "name": name_of_nobody(account.id) if person is None else person.username,
        "email": None if person is None else person.email,
        "password_hash": None if person is None else person.password,
        "role": account.role,
        "status": account.status,
        "display_name": profile.display_name,
        "bio": profile.bio,
        "avatar": profile.avatar,
        "session_epoch": account.session_epoch,
        "created_at": account.registered_at,
    }


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
