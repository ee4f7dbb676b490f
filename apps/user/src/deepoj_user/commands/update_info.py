"""An owner, or an admin, changes what others see of an account."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.reserved_names import chosen_display_name
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.commands.account_change import Administered, both
from deepoj_user.commands.ports import Clock, Store


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
        self, claimed: Actor, account_id: AccountId, change: InfoChange, origin: Origin
    ) -> Administered:
        async with self._store.transaction() as transaction:
            found = await both(transaction, claimed, account_id)
            if isinstance(found, Refused):
                return found
            actor, account = found
            if account.personal is None:
                return Refused(AccountRefusal.DELETED)
            old = account.personal.profile
            profile = replace(
                old,
                display_name=old.display_name if change.display_name is None else change.display_name,
                bio=old.bio if change.bio is None else change.bio,
                avatar=old.avatar if change.avatar is None else change.avatar,
            )
            if not actor.is_admin and profile.display_name != old.display_name:
                chosen_display_name(profile.display_name)
            outcome = account.update_info(profile, actor, self._clock())
            if isinstance(outcome, Refused):
                return account if outcome.reason is AccountRefusal.UNCHANGED else outcome
            await transaction.accounts.save(outcome)
            by = "" if actor.account_id == account_id else f"by {actor.account_id}"
            await transaction.audit.add(AuditEvent.INFO_UPDATED, account_id, origin, by)
            return outcome.after
