from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.kernel.ids import AccountId


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
