"""An owner, or an admin, ends a token."""

from __future__ import annotations

from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.api_token import ApiTokenRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.kernel.ids import ApiTokenId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.commands.account_change import both
from deepoj_user.commands.ports import Clock, Store


class RevokeApiToken:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(
        self, claimed: Actor, token_id: ApiTokenId, origin: Origin
    ) -> Refused[ApiTokenRefusal | AccountRefusal] | None:
        async with self._store.transaction() as transaction:
            token = await transaction.api_tokens.get(token_id)
            if token is None:
                return Refused(ApiTokenRefusal.NOT_FOUND)
            found = await both(transaction, claimed, token.account_id)
            if isinstance(found, Refused):
                return found
            actor, owner = found
            if not actor.is_admin and actor.account_id != owner.id:
                return Refused(ApiTokenRefusal.NOT_FOUND)
            await transaction.api_tokens.remove(token_id)
            await transaction.accounts.save(owner.token_revoked(self._clock()))
            detail = f"{token_id} by {actor.account_id}"
            await transaction.audit.add(AuditEvent.API_TOKEN_REVOKED, token.account_id, origin, detail)
            return None
