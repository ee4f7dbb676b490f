"""One session ends, or all of them."""

from __future__ import annotations

from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_user.commands.ports import Clock, Store
from deepoj_user.commands.refresh import held
from deepoj_user.commands.session_tokens import REFRESH_PREFIX
from deepoj_user.commands.token_text import decode_token


class LogOut:
    """Whoever holds a refresh token may end its session; ending one that is over changes nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def __call__(self, text: str, origin: Origin) -> None:
        token = decode_token(REFRESH_PREFIX, text)
        if token is None:
            return
        async with self._store.transaction() as transaction:
            if found := await held(transaction, token):
                stored, account = found
                await transaction.sessions.end_family(stored.family)
                await transaction.audit.add(AuditEvent.LOGGED_OUT, account.id, origin)


class LogOutEverywhere:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(self, account_id: AccountId, origin: Origin) -> Refused[AccountRefusal] | None:
        async with self._store.transaction() as transaction:
            account = await transaction.accounts.get(account_id)
            if account is None:
                return Refused(AccountRefusal.NOT_FOUND)
            outcome = account.end_sessions(self._clock())
            if isinstance(outcome, Refused):
                return outcome
            await transaction.accounts.save(outcome)
            await transaction.sessions.end_all(account_id)
            await transaction.audit.add(AuditEvent.LOGGED_OUT_EVERYWHERE, account_id, origin)
            return None
