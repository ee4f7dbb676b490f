"""What happened to an account that its owner or an admin may have to look into later."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from uuid import UUID

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId

_USER_AGENT_LENGTH = 300
# A household or a server is given at least this much of IPv6, so one address of it says nothing.
_IPV6_PREFIX = 64


class AuditEvent(StrEnum):
    REGISTERED = "registered"
    ADMIN_CREATED = "admin_created"
    ACCOUNT_CREATED = "account_created"
    """By somebody else."""
    LOGGED_IN = "logged_in"
    LOG_IN_FAILED = "log_in_failed"
    LOG_IN_REFUSED = "log_in_refused"
    """The password was right but the account may not log in."""
    LOGGED_OUT = "logged_out"
    LOGGED_OUT_EVERYWHERE = "logged_out_everywhere"
    SESSION_ENDED = "session_ended"
    REFRESH_REUSED = "refresh_reused"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105  the name of an event, not a secret
    PASSWORD_RESET = "password_reset"  # noqa: S105  the name of an event, not a secret
    """By an admin."""
    CAPTCHA_SENT = "captcha_sent"
    CAPTCHA_FAILED = "captcha_failed"
    INFO_UPDATED = "info_updated"
    ROLE_SET = "role_set"
    STATUS_SET = "status_set"
    DELETED = "deleted"
    API_TOKEN_CREATED = "api_token_created"  # noqa: S105  the name of an event, not a secret
    API_TOKEN_REVOKED = "api_token_revoked"  # noqa: S105  the name of an event, not a secret
    INVITATION_CREATED = "invitation_created"
    INVITATION_REVOKED = "invitation_revoked"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a call came from; nothing when a service acts by itself."""

    address: IPv4Address | IPv6Address | None = field(default=None, repr=False)
    user_agent: str = field(default="", repr=False)

    @property
    def network(self) -> str:
        """What is throttled together; empty when the address is unknown."""
        match self.address:
            case None:
                return ""
            case IPv4Address():
                return str(self.address)
            case IPv6Address():
                return str(ip_network((self.address, _IPV6_PREFIX), strict=False))


NOWHERE = Origin()


def origin(address: str, user_agent: str) -> Origin:
    try:
        parsed = ip_address(address) if address else None
    except ValueError:
        raise InvalidValueError("origin_malformed", "the origin's address is not an IP address") from None
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    printable = "".join(each for each in user_agent[:_USER_AGENT_LENGTH] if each.isprintable())
    return Origin(parsed, printable)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    id: UUID
    at: datetime
    account_id: AccountId | None
    """None when a log-in named nobody."""
    event: AuditEvent
    origin: Origin = NOWHERE
    detail: str = ""
