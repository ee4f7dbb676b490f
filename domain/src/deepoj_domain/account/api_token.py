"""API tokens: what a tool shows instead of a password, with less power than its owner."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, ApiTokenId

MOST_TOKENS = 50
_NAME_LENGTH = 100
# How exact "last used" is: a busy tool costs one write in this time.
LAST_USED_STEP = timedelta(minutes=1)


class Scope(StrEnum):
    READ = "read"
    """See what the owner sees."""
    SUBMIT = "submit"
    """Submit and run programs, sign up for contests."""
    MANAGE = "manage"
    """Whatever setters and judges do with problems and contests."""
    ADMIN = "admin"
    """Whatever is left to admins. No token manages tokens or passwords."""


class ApiTokenRefusal(StrEnum):
    INVALID = "api_token_invalid"
    NOT_FOUND = "api_token_not_found"
    TOO_MANY = "too_many_api_tokens"
    ID_TAKEN = "api_token_id_taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    id: ApiTokenId
    account_id: AccountId
    name: str
    digest: bytes = field(repr=False)
    scopes: frozenset[Scope]
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None

    def __post_init__(self) -> None:
        require_utc(self.created_at, self.expires_at, self.last_used_at)
        if not (0 < len(self.name) <= _NAME_LENGTH and self.name.isprintable()):
            raise InvalidValueError(
                "api_token_name_malformed", f"a token's name has 1 to {_NAME_LENGTH} printable characters"
            )
        if not self.scopes:
            raise InvalidValueError("scopes_missing", f"choose scopes: {', '.join(Scope)}")
        if self.expires_at is not None and self.expires_at <= self.created_at:
            raise InvalidValueError("expiry_passed", "a token must expire in the future")

    def is_valid(self, now: datetime) -> bool:
        return self.expires_at is None or now < self.expires_at

    def wants_mark(self, now: datetime) -> bool:
        """Say whether this use is worth writing down."""
        return self.last_used_at is None or now >= self.last_used_at + LAST_USED_STEP
