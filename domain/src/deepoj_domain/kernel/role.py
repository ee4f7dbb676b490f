from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId

SERVICE_ACCOUNT: Final = AccountId(UUID(int=0))
"""The account of a service that acts by itself, such as a recompute after an outage."""


class Role(StrEnum):
    """What an account may do everywhere. A guest has no account; see `game.visibility.Viewer`."""

    CONTESTANT = "contestant"
    SETTER = "setter"
    JUDGE = "judge"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks. Authenticated outside the domain."""

    account_id: AccountId
    role: Role

    @property
    def is_admin(self) -> bool:
        return self.role is Role.ADMIN


def person(actor: Actor) -> Actor:
    """A service may act by itself, but it has no account: it submits nothing, and takes part in nothing."""
    if actor.account_id == SERVICE_ACCOUNT:
        raise InvalidValueError("account_id_malformed", "this needs an account")
    return actor


def acting(account_id: AccountId | None, role: Role | None) -> Actor | None:
    """Return who asks; None is a guest. Only a service has a role and no account."""
    if role is None:
        return None
    if account_id is not None:
        return Actor(account_id, role)
    if role is Role.CONTESTANT:
        raise InvalidValueError("account_id_malformed", "account_id is not a UUID")
    return Actor(SERVICE_ACCOUNT, role)
