"""Ports kept in memory, for tests. They pass the same contract suite as the real ones."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from deepoj_domain.account.account import Account, AccountStatus
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.account.audit import NOWHERE, AuditEvent, Origin
from deepoj_domain.account.captcha import Captcha, CaptchaPurpose
from deepoj_domain.account.invitation import Invitation
from deepoj_domain.account.personal import (
    EmailAddress,
    PasswordHash,
    Personal,
    Username,
    email_address,
    username,
)
from deepoj_domain.account.session import RefreshToken
from deepoj_domain.kernel.ids import AccountId, ApiTokenId, CaptchaId, FamilyId, InvitationId
from deepoj_domain.kernel.outcome import Changed, DomainEvent
from deepoj_domain.kernel.role import Role
from deepoj_domain.kernel.token_bucket import TokenBucket
from deepoj_user.commands.ports import AccessToken, Bucket, Delivery, Mail, Taken, Verified


@dataclass
class Rows:
    accounts: dict[AccountId, Account] = field(default_factory=dict)
    captchas: dict[tuple[CaptchaPurpose, EmailAddress], Captcha] = field(default_factory=dict)
    sessions: dict[bytes, RefreshToken] = field(default_factory=dict)
    api_tokens: dict[ApiTokenId, ApiToken] = field(default_factory=dict)
    audit: list[tuple[AuditEvent, AccountId | None, Origin, str]] = field(default_factory=list)
    told: list[DomainEvent] = field(default_factory=list)
    mail_due: dict[CaptchaId, datetime] = field(default_factory=dict)
    invitations: dict[InvitationId, Invitation] = field(default_factory=dict)

    def copy(self) -> Rows:
        return Rows(
            dict(self.accounts),
            dict(self.captchas),
            dict(self.sessions),
            dict(self.api_tokens),
            list(self.audit),
            list(self.told),
            dict(self.mail_due),
            dict(self.invitations),
        )

    def named(self, name: str) -> Iterator[Account]:
        for account in self.accounts.values():
            if account.personal and account.personal.username.lower() == name.lower():
                yield account

    def mailed(self, email: str) -> Iterator[Account]:
        for account in self.accounts.values():
            if account.personal and account.personal.email == email:
                yield account


class MemoryAccounts:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def get(self, account_id: AccountId) -> Account | None:
        return self._rows.accounts.get(account_id)

    async def by_email(self, email: EmailAddress) -> Account | None:
        return next(self._rows.mailed(email), None)

    async def name_is_free(self, name: Username) -> bool:
        return not any(self._rows.named(name))

    async def add(self, changed: Changed[Account]) -> Taken | None:
        account = changed.after
        if account.id in self._rows.accounts:
            return Taken.ACCOUNT_ID
        if account.personal and any(self._rows.named(account.personal.username)):
            return Taken.NAME
        person = account.personal
        if person and person.email and any(self._rows.mailed(person.email)):
            return Taken.EMAIL
        await self.save(changed)
        return None

    async def save(self, changed: Changed[Account]) -> None:
        self._rows.accounts[changed.after.id] = changed.after
        self._rows.told.extend(changed.events)

    async def has_admin(self, besides: AccountId | None = None) -> bool:
        return any(
            account.role is Role.ADMIN and account.status is AccountStatus.ACTIVE and account.id != besides
            for account in self._rows.accounts.values()
        )


class MemoryCaptchas:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def latest(self, purpose: CaptchaPurpose, address: EmailAddress) -> Captcha | None:
        return self._rows.captchas.get((purpose, address))

    async def put(self, captcha: Captcha) -> None:
        before = self._rows.captchas.get((captcha.purpose, captcha.address))
        if before is not None and before.id != captcha.id:
            self._rows.mail_due.pop(before.id, None)
        if before is None or before.id != captcha.id:
            self._rows.mail_due[captcha.id] = captcha.issued_at
        self._rows.captchas[captcha.purpose, captcha.address] = captcha


class MemorySessions:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def find(self, digest: bytes) -> RefreshToken | None:
        return self._rows.sessions.get(digest)

    async def add(self, token: RefreshToken) -> None:
        self._rows.sessions[token.digest] = token

    async def save_used(self, token: RefreshToken) -> None:
        self._rows.sessions[token.digest] = token

    async def end_family(self, family: FamilyId) -> None:
        for token in [each for each in self._rows.sessions.values() if each.family == family]:
            del self._rows.sessions[token.digest]

    async def end_all(self, account_id: AccountId) -> None:
        for token in [each for each in self._rows.sessions.values() if each.account_id == account_id]:
            del self._rows.sessions[token.digest]

    async def has_family(self, account_id: AccountId, family: FamilyId) -> bool:
        return any(
            each.family == family and each.account_id == account_id for each in self._rows.sessions.values()
        )


class MemoryInvitations:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def by_code(self, code: str) -> Invitation | None:
        return next((each for each in self._rows.invitations.values() if each.code == code), None)

    async def count(self) -> int:
        return len(self._rows.invitations)

    async def add(self, new: Invitation) -> bool:
        if new.id in self._rows.invitations or await self.by_code(new.code):
            return False
        self._rows.invitations[new.id] = new
        return True

    async def save(self, changed: Invitation) -> None:
        self._rows.invitations[changed.id] = changed

    async def remove(self, invitation_id: InvitationId) -> bool:
        return self._rows.invitations.pop(invitation_id, None) is not None


class MemoryApiTokens:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def get(self, token_id: ApiTokenId) -> ApiToken | None:
        return self._rows.api_tokens.get(token_id)

    async def count(self, account_id: AccountId) -> int:
        return sum(token.account_id == account_id for token in self._rows.api_tokens.values())

    async def add(self, token: ApiToken) -> bool:
        return self._rows.api_tokens.setdefault(token.id, token) is token

    async def remove(self, token_id: ApiTokenId) -> None:
        self._rows.api_tokens.pop(token_id, None)

    async def remove_all(self, account_id: AccountId) -> None:
        for token in [each for each in self._rows.api_tokens.values() if each.account_id == account_id]:
            del self._rows.api_tokens[token.id]


class MemoryAuditLog:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def add(
        self, event: AuditEvent, account_id: AccountId | None, origin: Origin = NOWHERE, detail: str = ""
    ) -> None:
        self._rows.audit.append((event, account_id, origin, detail))

    async def forget(self, account_id: AccountId) -> None:
        self._rows.audit = [
            (event, owner, NOWHERE if owner == account_id else origin, detail)
            for event, owner, origin, detail in self._rows.audit
        ]


@dataclass(frozen=True)
class MemoryTransaction:
    accounts: MemoryAccounts
    captchas: MemoryCaptchas
    sessions: MemorySessions
    invitations: MemoryInvitations
    api_tokens: MemoryApiTokens
    audit: MemoryAuditLog


class MemoryStore:
    """Store, directory and mail queue. It knows no locks: tests of races are for the real one."""

    def __init__(self) -> None:
        self.rows = Rows()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[MemoryTransaction]:
        rows = self.rows.copy()
        yield MemoryTransaction(
            MemoryAccounts(rows),
            MemoryCaptchas(rows),
            MemorySessions(rows),
            MemoryInvitations(rows),
            MemoryApiTokens(rows),
            MemoryAuditLog(rows),
        )
        self.rows = rows

    async def by_login(self, login: str) -> Account | None:
        found = self.rows.mailed(login.lower()) if "@" in login else self.rows.named(login)
        return next(found, None)

    async def owner_of(self, digest: bytes) -> tuple[ApiToken, Account] | None:
        for token in self.rows.api_tokens.values():
            if token.digest == digest:
                return token, self.rows.accounts[token.account_id]
        return None

    async def mark_used(self, token_id: ApiTokenId, now: datetime) -> None:
        if token_id in self.rows.api_tokens:
            token = self.rows.api_tokens[token_id]
            self.rows.api_tokens[token_id] = replace(token, last_used_at=now)

    async def take(self, now: datetime, again_at: datetime) -> tuple[Captcha, bool] | None:
        due = self.rows.mail_due
        waiting = [
            captcha
            for captcha in self.rows.captchas.values()
            if due.get(captcha.id, again_at) <= now < captcha.expires_at
        ]
        if not waiting:
            return None
        first = min(waiting, key=lambda captcha: due[captcha.id])
        due[first.id] = again_at
        return first, any(self.rows.mailed(first.address))

    async def put_off(self, captcha_id: CaptchaId, again_at: datetime | None) -> None:
        if again_at is None:
            self.rows.mail_due.pop(captcha_id, None)
        elif any(captcha.id == captcha_id for captcha in self.rows.captchas.values()):
            self.rows.mail_due[captcha_id] = again_at

    def accounts(self) -> Iterable[Account]:
        return self.rows.accounts.values()

    def api_tokens(self) -> Iterable[ApiToken]:
        return self.rows.api_tokens.values()

    def sessions(self) -> Iterable[RefreshToken]:
        return self.rows.sessions.values()

    def invitations(self) -> Iterable[Invitation]:
        return self.rows.invitations.values()

    def events(self) -> list[AuditEvent]:
        return [event for event, *_ in self.rows.audit]


@dataclass
class MemoryThrottle:
    kept: dict[str, TokenBucket] = field(default_factory=dict)

    async def charge(self, buckets: Sequence[Bucket], now: datetime) -> timedelta | None:
        for bucket in buckets:
            kept = self.kept.get(bucket.key, TokenBucket(now))
            if wait := kept.wait(bucket.limit, now):
                return wait
            self.kept[bucket.key] = kept.taken(bucket.limit, now)
        return None

    async def refund(self, buckets: Sequence[Bucket]) -> None:
        for bucket in buckets:
            self.kept[bucket.key] = self.kept[bucket.key].given_back(bucket.limit)


@dataclass
class PlainPasswords:
    """Hashes that can be read; `generation` is what the parameters are for a real one."""

    generation: int = 1
    verified: list[PasswordHash | None] = field(default_factory=list)
    hashed: int = 0

    async def hash(self, password: str) -> PasswordHash:
        self.hashed += 1
        return PasswordHash(f"{self.generation}:{password}")

    async def verify(self, password: str, hashed: PasswordHash | None) -> Verified:
        self.verified.append(hashed)
        generation, _, known = (hashed or "0:").partition(":")
        is_right = hashed is not None and known == password
        return Verified(is_right, is_right and int(generation) != self.generation)


@dataclass
class MemoryMailer:
    mails: list[Mail] = field(default_factory=list)
    outcome: Delivery = Delivery.DELIVERED

    def check(self) -> None:
        pass

    def wake(self) -> None:
        pass

    async def send(self, mail: Mail) -> Delivery:
        self.mails.append(mail)
        return self.outcome


@dataclass
class PlainCodes:
    """100001 for the first captcha, 100002 for the next."""

    known: dict[CaptchaId, str] = field(default_factory=dict)

    def __call__(self, captcha_id: CaptchaId) -> str:
        return self.known.setdefault(captcha_id, str(100_001 + len(self.known)))


@dataclass
class PlainAccessTokens:
    until: datetime

    async def sign(self, account: Account, session: FamilyId) -> AccessToken:
        return AccessToken(f"{account.id} {account.role} {session}", self.until)


def an_account(account_id: AccountId, name: str, role: Role = Role.CONTESTANT) -> Account:
    """Registered at the start of the tests' time, with the password `password of NAME`."""
    personal = Personal(
        username=username(name),
        email=email_address(f"{name}@example.org"),
        password=PasswordHash(f"1:password of {name}"),
    )
    return Account.register(account_id, personal, role, datetime(2026, 1, 1, 12, tzinfo=UTC)).after
