"""An owner makes a token for a tool; its secret is shown once."""

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
from deepoj_user.commands.ports import Clock, RandomBytes, Store
from deepoj_user.commands.token_text import encode_token

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
