"""Tokens for tools: made and revoked by their owner, shown once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.api_token import MOST_TOKENS, ApiToken, ApiTokenRefusal, Scope
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.session import TOKEN_BYTES, digest_of
from deepoj_domain.kernel.ids import ApiTokenId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.commands.opening import decode_token, encode_token
from deepoj_user.commands.ports import Clock, Directory, RandomBytes, Store

API_PREFIX: Final = "doj_api_"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewApiToken:
    token_id: ApiTokenId
    name: str
    scopes: frozenset[Scope]
    expires_at: datetime | None
    origin: Origin


@dataclass(frozen=True, slots=True)
class Made:
    token: ApiToken
    secret: str = field(repr=False)


class CreateApiToken:
    def __init__(self, store: Store, clock: Clock, random_bytes: RandomBytes) -> None:
        self._store = store
        self._clock = clock
        self._random_bytes = random_bytes

    async def __call__(
        self, actor: Actor, new: NewApiToken
    ) -> Made | Refused[ApiTokenRefusal | AccountRefusal]:
        secret = self._random_bytes(TOKEN_BYTES)
        token = ApiToken(
            id=new.token_id,
            account_id=actor.account_id,
            name=new.name,
            digest=digest_of(secret),
            scopes=new.scopes,
            created_at=self._clock(),
            expires_at=new.expires_at,
        )
        async with self._store.transaction() as transaction:
            account = await transaction.accounts.get(actor.account_id)
            if account is None:
                return Refused(AccountRefusal.NOT_FOUND)
            if refusal := account.why_no_log_in():
                return Refused(refusal)
            if await transaction.api_tokens.count(account.id) >= MOST_TOKENS:
                return Refused(ApiTokenRefusal.TOO_MANY)
            if not await transaction.api_tokens.add(token):
                return Refused(ApiTokenRefusal.ID_TAKEN)
            detail = f"{token.id} {' '.join(sorted(token.scopes))}"
            await transaction.audit.add(AuditEvent.API_TOKEN_CREATED, account.id, new.origin, detail)
        return Made(token, encode_token(API_PREFIX, secret))


class RevokeApiToken:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def __call__(
        self, actor: Actor, token_id: ApiTokenId, origin: Origin
    ) -> Refused[ApiTokenRefusal] | None:
        async with self._store.transaction() as transaction:
            token = await transaction.api_tokens.get(token_id)
            if token is None or not (actor.is_admin or token.account_id == actor.account_id):
                return Refused(ApiTokenRefusal.NOT_FOUND)
            await transaction.accounts.get(token.account_id)
            await transaction.api_tokens.remove(token_id)
            detail = f"{token_id} by {actor.account_id}"
            await transaction.audit.add(AuditEvent.API_TOKEN_REVOKED, token.account_id, origin, detail)
            return None


@dataclass(frozen=True, slots=True)
class Bearer:
    actor: Actor
    token_id: ApiTokenId
    scopes: frozenset[Scope]


class AuthenticateApiToken:
    """Guessing is hopeless against 256 random bits, so there is no throttle."""

    def __init__(self, directory: Directory, clock: Clock) -> None:
        self._directory = directory
        self._clock = clock

    async def __call__(self, text: str) -> Bearer | Refused[ApiTokenRefusal | AccountRefusal]:
        secret = decode_token(API_PREFIX, text)
        found = None if secret is None else await self._directory.owner_of(digest_of(secret))
        now = self._clock()
        if found is None or not found[0].is_valid(now):
            return Refused(ApiTokenRefusal.INVALID)
        token, account = found
        if refusal := account.why_no_log_in():
            return Refused(refusal)
        if token.wants_mark(now):
            await self._directory.mark_used(token.id, now)
        return Bearer(Actor(account.id, account.role), token.id, token.scopes)
