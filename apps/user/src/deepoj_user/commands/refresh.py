"""A refresh token becomes new tokens, once."""

from __future__ import annotations

from datetime import datetime

from deepoj_domain.account.account import Account
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.session import RefreshToken, Repeated, Rotated, SessionRefusal, digest_of
from deepoj_domain.kernel.outcome import Refused
from deepoj_user.commands.ports import Clock, Store, Transaction
from deepoj_user.commands.session_tokens import REFRESH_PREFIX, Opened, SessionTokens, Tokens
from deepoj_user.commands.token_text import decode_token


class Refresh:
    def __init__(self, store: Store, session_tokens: SessionTokens, clock: Clock) -> None:
        self._store = store
        self._session_tokens = session_tokens
        self._clock = clock

    async def __call__(self, text: str, origin: Origin) -> Tokens | Refused[SessionRefusal]:
        token = decode_token(REFRESH_PREFIX, text)
        if token is None:
            return Refused(SessionRefusal.INVALID)
        async with self._store.transaction() as transaction:
            opened = await self._use(transaction, token, origin, self._clock())
        return opened if isinstance(opened, Refused) else await self._session_tokens.sign(opened)

    async def _use(
        self, transaction: Transaction, token: bytes, origin: Origin, now: datetime
    ) -> Opened | Refused[SessionRefusal]:
        found = await held(transaction, token)
        if found is None:
            return Refused(SessionRefusal.INVALID)
        stored, account = found
        successor, terms = self._session_tokens.new_token(), self._session_tokens.terms
        match stored.use(token, successor, account, terms, now, origin):
            case Rotated(used, following, successor):
                await transaction.sessions.save_used(used)
                await transaction.sessions.add(following)
                return Opened(account, stored.family, successor, following.expires_at)
            case Repeated(successor):
                given = await transaction.sessions.find(digest_of(successor))
                if given is None or given.used_at is not None:
                    return await _ended(transaction, stored, origin)
                return Opened(account, stored.family, successor, given.expires_at)
            case SessionRefusal.REUSED:
                return await _ended(transaction, stored, origin)
            case SessionRefusal.INVALID as reason:
                return Refused(reason)


async def held(transaction: Transaction, token: bytes) -> tuple[RefreshToken, Account] | None:
    """Return the token and its account; the account first is got, then the token read again."""
    digest = digest_of(token)
    seen = await transaction.sessions.find(digest)
    account = None if seen is None else await transaction.accounts.get(seen.account_id)
    stored = None if account is None else await transaction.sessions.find(digest)
    return None if stored is None or account is None else (stored, account)


async def _ended(transaction: Transaction, stored: RefreshToken, origin: Origin) -> Refused[SessionRefusal]:
    """Two hold the same token, and nobody knows which is the thief: both must log in again."""
    await transaction.sessions.end_family(stored.family)
    await transaction.audit.add(AuditEvent.REFRESH_REUSED, stored.account_id, origin, str(stored.family))
    return Refused(SessionRefusal.REUSED)
