from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import DomainEvent


class AccountChange(StrEnum):
    REGISTERED = "registered"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105  the name of a change, not a secret
    ROLE_SET = "role_set"
    STATUS_SET = "status_set"
    INFO_UPDATED = "info_updated"
    SESSIONS_ENDED = "sessions_ended"
    API_TOKEN_REVOKED = "api_token_revoked"  # noqa: S105  the name of a change, not a secret
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountChanged(DomainEvent):
    name: ClassVar[str] = "account.changed.v1"

    account_id: AccountId
    change: AccountChange
    session_epoch: int
    """After the change: access tokens of an earlier epoch are void."""
