"""Refresh tokens: each is good once, and one that comes back ends the family it belongs to.

A client whose answer got lost, or whose two tabs refresh at once, presents a used token honestly. Within a
short grace it is given the same successor again: nothing forks, so a thief who uses the grace holds the very
token its owner holds, and the next rotation gives one of them away.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

from deepoj_domain.account.account import Account
from deepoj_domain.account.audit import NOWHERE, Origin
from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.ids import AccountId, FamilyId

TOKEN_BYTES = 32


class SessionRefusal(StrEnum):
    INVALID = "refresh_token_invalid"
    """Unknown, expired, or of a session that was ended."""
    REUSED = "refresh_token_reused"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTerms:
    refresh_validity: timedelta = timedelta(days=14)
    """Counted from the last rotation: a session in use does not end."""
    grace: timedelta = timedelta(seconds=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshToken:
    digest: bytes
    """Only this is kept, never the token."""
    family: FamilyId
    account_id: AccountId
    session_epoch: int
    issued_at: datetime
    expires_at: datetime
    used_at: datetime | None = None
    sealed_successor: bytes | None = field(default=None, repr=False)
    """Readable only with the token itself."""
    started_at: datetime
    """When the session began that this token stands for."""
    origin: Origin = NOWHERE

    def __post_init__(self) -> None:
        require_utc(self.issued_at, self.expires_at, self.used_at, self.started_at)
        if (self.used_at is None) != (self.sealed_successor is None):
            raise BrokenInvariantError("exactly a used token has a successor")

    def use(
        self,
        token: bytes,
        successor: bytes,
        account: Account,
        terms: SessionTerms,
        now: datetime,
        origin: Origin = NOWHERE,
    ) -> "Rotated | Repeated | SessionRefusal":
        if now >= self.expires_at or self.session_epoch != account.session_epoch or account.why_no_log_in():
            return SessionRefusal.INVALID
        if self.used_at is None or self.sealed_successor is None:
            sealed = seal(successor, token)
            following = issue(successor, self.family, account, terms, now, origin)
            next_token = replace(following, started_at=self.started_at)
            return Rotated(replace(self, used_at=now, sealed_successor=sealed), next_token, successor)
        if now < self.used_at + terms.grace:
            return Repeated(seal(self.sealed_successor, token))
        return SessionRefusal.REUSED


@dataclass(frozen=True, slots=True)
class Rotated:
    used: RefreshToken
    next: RefreshToken
    successor: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Repeated:
    successor: bytes = field(repr=False)
    """Given out before; it must still be unused, or this is a reuse after all."""


def issue(
    token: bytes,
    family: FamilyId,
    account: Account,
    terms: SessionTerms,
    now: datetime,
    origin: Origin = NOWHERE,
) -> RefreshToken:
    return RefreshToken(
        digest=digest_of(token),
        family=family,
        account_id=account.id,
        session_epoch=account.session_epoch,
        issued_at=now,
        expires_at=now + terms.refresh_validity,
        started_at=now,
        origin=origin,
    )


def digest_of(token: bytes) -> bytes:
    """Without salt or stretching: a token is random already."""
    return sha256(token).digest()


def seal(successor: bytes, token: bytes) -> bytes:
    """Hide the successor under a key made of the token, used once; sealing again opens it."""
    key = sha256(b"successor of " + token).digest()
    return bytes(a ^ b for a, b in zip(successor, key, strict=True))
