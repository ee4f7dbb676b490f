"""What of an account this actor gets to see, and who may look where."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from deepoj_domain.account.account import Account, AccountStatus
from deepoj_domain.account.personal import DELETED_NAME, name_of_nobody
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role


class QueryRefusal(StrEnum):
    NOT_FOUND = "account_not_found"
    SIGN_IN_REQUIRED = "sign_in_required"
    NOT_ALLOWED = "not_allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountView:
    id: AccountId
    name: str
    display_name: str
    email: str = field(repr=False)
    """Empty for everybody but the owner and admins."""
    role: Role
    status: AccountStatus
    created_at: datetime
    bio: str
    avatar: str


def shown(account: Account, actor: Actor | None) -> AccountView:
    person = account.personal
    return AccountView(
        id=account.id,
        name=name_of_nobody(account.id) if person is None else person.username,
        display_name=DELETED_NAME if person is None else person.profile.display_name or person.username,
        email=(person.email or "") if person is not None and is_own_or_admin(actor, account.id) else "",
        role=account.role,
        status=account.status,
        created_at=account.registered_at,
        bio="" if person is None else person.profile.bio,
        avatar="" if person is None else person.profile.avatar,
    )


def is_own_or_admin(actor: Actor | None, account_id: AccountId) -> bool:
    return actor is not None and (actor.is_admin or actor.account_id == account_id)
