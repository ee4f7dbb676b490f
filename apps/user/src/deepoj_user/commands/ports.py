"""What the commands need from outside, sized to what they call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from deepoj_domain.account.account import Account
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.account.audit import NOWHERE, AuditEvent, Origin
from deepoj_domain.account.captcha import Captcha, CaptchaPurpose
from deepoj_domain.account.invitation import Invitation
from deepoj_domain.account.personal import EmailAddress, PasswordHash, Username
from deepoj_domain.account.session import RefreshToken
from deepoj_domain.kernel.ids import AccountId, ApiTokenId, CaptchaId, FamilyId, InvitationId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.kernel.token_bucket import RateLimit

Clock = Callable[[], datetime]
NewId = Callable[[], UUID]
RandomBytes = Callable[[int], bytes]
CaptchaCodes = Callable[[CaptchaId], str]
"""The code of a captcha, always the same."""


class Taken(StrEnum):
    ACCOUNT_ID = "account_id_taken"
    NAME = "name_taken"
    EMAIL = "email_taken"


class Accounts(Protocol):
    async def get(self, account_id: AccountId) -> Account | None:
        """Return it and keep others from changing it, or anything that belongs to it, until the end."""
        ...

    async def by_email(self, email: EmailAddress) -> Account | None:
        """As `get`."""
        ...

    async def name_is_free(self, name: Username) -> bool: ...

    async def add(self, changed: Changed[Account]) -> Taken | None:
        """Store it with its events, which others are told of after the end."""
        ...

    async def save(self, changed: Changed[Account]) -> None:
        """As `add`."""
        ...

    async def has_admin(self, besides: AccountId | None = None) -> bool:
        """Say whether an active admin is left; the answer holds until the end of the transaction."""
        ...


class Captchas(Protocol):
    async def latest(self, purpose: CaptchaPurpose, address: EmailAddress) -> Captcha | None:
        """Return it and keep others from issuing or checking one until the end."""
        ...

    async def put(self, captcha: Captcha) -> None:
        """Replace the latest; a new one waits to be mailed from then on."""
        ...


class CaptchaMailQueue(Protocol):
    """Captchas that wait to be mailed."""

    async def take(self, now: datetime, again_at: datetime) -> tuple[Captcha, bool] | None:
        """Return the one that has been due longest, and whether somebody has its address.

        It is due again at that time, lest it be lost with whoever took it. One that has expired is not due.
        """
        ...

    async def put_off(self, captcha_id: CaptchaId, again_at: datetime | None) -> None:
        """Say when it is due again; None: never."""
        ...


class Sessions(Protocol):
    """Written only by whoever has got the account."""

    async def find(self, digest: bytes) -> RefreshToken | None: ...

    async def add(self, token: RefreshToken) -> None: ...

    async def save_used(self, token: RefreshToken) -> None: ...

    async def end_family(self, family: FamilyId) -> None: ...

    async def end_all(self, account_id: AccountId) -> None: ...

    async def has_family(self, account_id: AccountId, family: FamilyId) -> bool: ...


class Invitations(Protocol):
    async def by_code(self, code: str) -> Invitation | None:
        """Return it and keep others from using it until the end."""
        ...

    async def count(self) -> int: ...

    async def add(self, new: Invitation) -> bool:
        """Say False when the id or the code is taken."""
        ...

    async def save(self, changed: Invitation) -> None: ...

    async def remove(self, invitation_id: InvitationId) -> bool:
        """Say whether it was there."""
        ...


class ApiTokens(Protocol):
    """Written only by whoever has got the account, but for `mark_used`."""

    async def get(self, token_id: ApiTokenId) -> ApiToken | None: ...

    async def count(self, account_id: AccountId) -> int: ...

    async def add(self, token: ApiToken) -> bool:
        """Say False when the id is taken."""
        ...

    async def remove(self, token_id: ApiTokenId) -> None: ...

    async def remove_all(self, account_id: AccountId) -> None: ...


class AuditLog(Protocol):
    async def add(
        self,
        event: AuditEvent,
        account_id: AccountId | None,
        origin: Origin = NOWHERE,
        detail: str = "",
    ) -> None: ...

    async def forget(self, account_id: AccountId) -> None:
        """Keep what happened, but not from where."""
        ...


class Transaction(Protocol):
    @property
    def accounts(self) -> Accounts: ...
    @property
    def captchas(self) -> Captchas: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def invitations(self) -> Invitations: ...
    @property
    def api_tokens(self) -> ApiTokens: ...
    @property
    def audit(self) -> AuditLog: ...


class Store(Protocol):
    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Commit at the end of the block; an exception keeps nothing of it."""
        ...


class Directory(Protocol):
    """Looks without locking."""

    async def by_login(self, login: str) -> Account | None:
        """Find by name, whatever its case, or by e-mail address."""
        ...

    async def owner_of(self, digest: bytes) -> tuple[ApiToken, Account] | None: ...

    async def mark_used(self, token_id: ApiTokenId, now: datetime) -> None: ...


@dataclass(frozen=True, slots=True)
class Bucket:
    """`key` says what is limited and whose it is, such as `log-in:192.0.2.7`."""

    key: str
    limit: RateLimit


class Throttle(Protocol):
    async def charge(self, buckets: Sequence[Bucket], now: datetime) -> timedelta | None:
        """Charge one try to each in order; stop at the first that has none left and say how long to wait."""
        ...

    async def refund(self, buckets: Sequence[Bucket]) -> None: ...


class BusyError(Exception):
    """More passwords wait to be hashed than will be served in good time."""


@dataclass(frozen=True, slots=True)
class Verified:
    is_right: bool
    is_outdated: bool = False
    """Right, but hashed with parameters that are no longer used."""


class Passwords(Protocol):
    async def hash(self, password: str) -> PasswordHash: ...

    async def verify(self, password: str, hashed: PasswordHash | None) -> Verified:
        """None, for nobody, takes as long as a wrong password."""
        ...


@dataclass(frozen=True, slots=True)
class Mail:
    to: EmailAddress
    subject: str
    text: str = field(repr=False)


class MailUnavailableError(Exception):
    """No mail can be sent."""


class Delivery(StrEnum):
    DELIVERED = "delivered"
    REFUSED = "refused"
    """Sending it again would not help."""
    FAILED = "failed"


class Mailer(Protocol):
    def check(self) -> None:
        """Raise MailUnavailableError when no mail can be sent at all."""
        ...

    def wake(self) -> None:
        """Tell that a letter is due, and return at once: nobody can tell by the time who is known."""
        ...

    async def send(self, mail: Mail) -> Delivery: ...


@dataclass(frozen=True, slots=True)
class AccessToken:
    text: str = field(repr=False)
    expires_at: datetime


class AccessTokens(Protocol):
    async def sign(self, account: Account, session: FamilyId) -> AccessToken: ...


@dataclass(frozen=True, slots=True)
class Throttled:
    """Too often; the reason is stable and machine-readable."""

    reason: str
    retry_after: timedelta
