"""What an admin does to somebody's account, and what its owner does to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deepoj_domain.account.account import Account, AccountOutcome, AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_user.commands.ports import Clock, Store, Transaction

Administered = Account | Refused[AccountRefusal]
_REASON_LENGTH = 500


class SetRole:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(self, actor: Actor, account_id: AccountId, role: Role, origin: Origin) -> Administered:
        async with self._store.transaction() as transaction:
            account = await transaction.accounts.get(account_id)
            if account is None:
                return _unknown(actor)
            outcome = account.set_role(role, actor, self._clock())
            detail = f"{account.role} to {role} by {actor.account_id}"
            return await _logged_out(transaction, outcome, AuditEvent.ROLE_SET, origin, detail)


class SetStatus:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(
        self, actor: Actor, account_id: AccountId, reason: str, origin: Origin, *, active: bool
    ) -> Administered:
        if len(reason) > _REASON_LENGTH or not reason.isprintable():
            raise InvalidValueError(
                "reason_malformed", f"a reason is one line of {_REASON_LENGTH} characters"
            )
        async with self._store.transaction() as transaction:
            account = await transaction.accounts.get(account_id)
            if account is None:
                return _unknown(actor)
            outcome = account.set_active(active=active, by=actor, now=self._clock())
            done = "reinstated" if active else "suspended"
            detail = f"{done} by {actor.account_id}" + (f": {reason}" if reason else "")
            return await _logged_out(transaction, outcome, AuditEvent.STATUS_SET, origin, detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class InfoChange:
    """None leaves a field as it is."""

    display_name: str | None = None
    bio: str | None = None
    avatar: str | None = None


class UpdateInfo:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(
        self, actor: Actor, account_id: AccountId, change: InfoChange, origin: Origin
    ) -> Administered:
        async with self._store.transaction() as transaction:
            account = await transaction.accounts.get(account_id)
            if account is None:
                return _unknown(actor)
            if account.personal is None:
                return Refused(AccountRefusal.DELETED)
            old = account.personal.profile
            profile = replace(
                old,
                display_name=old.display_name if change.display_name is None else change.display_name,
                bio=old.bio if change.bio is None else change.bio,
                avatar=old.avatar if change.avatar is None else change.avatar,
            )
            outcome = account.update_info(profile, actor, self._clock())
            if isinstance(outcome, Refused):
                return account if outcome.reason is AccountRefusal.UNCHANGED else outcome
            await transaction.accounts.save(outcome.after)
            by = "" if actor.account_id == account_id else f"by {actor.account_id}"
            await transaction.audit.add(AuditEvent.INFO_UPDATED, account_id, origin, by)
            return outcome.after


class Delete:
    """The person is forgotten; the id stays, so that submissions and boards stay whole."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(self, actor: Actor, account_id: AccountId, origin: Origin) -> Administered:
        async with self._store.transaction() as transaction:
            account = await transaction.accounts.get(account_id)
            if account is None:
                return _unknown(actor)
            outcome = account.delete(actor, self._clock())
            if isinstance(outcome, Refused):
                return outcome
            if account.role is Role.ADMIN and not await transaction.accounts.has_admin(besides=account_id):
                return Refused(AccountRefusal.LAST_ADMIN)
            await transaction.audit.forget(account_id)
            await transaction.api_tokens.remove_all(account_id)
            # An owner who leaves leaves no address behind.
            where = Origin() if actor.account_id == account_id else origin
            detail = f"by {actor.account_id}"
            return await _logged_out(transaction, outcome, AuditEvent.DELETED, where, detail)


async def _logged_out(
    transaction: Transaction, outcome: AccountOutcome, event: AuditEvent, origin: Origin, detail: str
) -> Administered:
    """Write a change that ends all sessions."""
    if isinstance(outcome, Refused):
        return outcome
    account = outcome.after
    await transaction.accounts.save(account)
    await transaction.sessions.end_all(account.id)
    await transaction.audit.add(event, account.id, origin, detail)
    return account


def _unknown(actor: Actor) -> Refused[AccountRefusal]:
    return Refused(AccountRefusal.NOT_FOUND if actor.is_admin else AccountRefusal.NOT_ADMIN)
