"""The Account aggregate."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from deepoj_domain.account.events import AccountChange, AccountChanged
from deepoj_domain.account.personal import PasswordHash, Personal, Profile
from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Actor, Role


class AccountStatus(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"
    DELETED = "deleted"


class AccountRefusal(StrEnum):
    NOT_FOUND = "account_not_found"
    SUSPENDED = "account_suspended"
    DELETED = "account_deleted"
    NOT_ADMIN = "not_admin"
    OWN_ACCOUNT = "own_account"
    """An admin cannot demote or suspend themselves: somebody must be left to undo it."""
    LAST_ADMIN = "last_admin"
    UNCHANGED = "unchanged"


AccountOutcome = Changed["Account"] | Refused[AccountRefusal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    id: AccountId
    role: Role
    status: AccountStatus
    personal: Personal | None
    """None once deleted: the id stays so that records and boards stay whole, the person is gone."""
    session_epoch: int = 0
    """A token of an earlier epoch is void; raising it logs out everywhere."""
    registered_at: datetime

    def __post_init__(self) -> None:
        require_utc(self.registered_at)
        if (self.personal is None) != (self.status is AccountStatus.DELETED):
            raise BrokenInvariantError("exactly a deleted account has no personal data")

    @classmethod
    def register(
        cls, account_id: AccountId, personal: Personal, role: Role, now: datetime
    ) -> Changed["Account"]:
        account = cls(
            id=account_id, role=role, status=AccountStatus.ACTIVE, personal=personal, registered_at=now
        )
        return _told(account, AccountChange.REGISTERED, now)

    def why_no_log_in(self) -> AccountRefusal | None:
        match self.status:
            case AccountStatus.ACTIVE:
                return None
            case AccountStatus.SUSPENDED:
                return AccountRefusal.SUSPENDED
            case AccountStatus.DELETED:
                return AccountRefusal.DELETED

    def change_password(self, password: PasswordHash, now: datetime) -> AccountOutcome:
        """Whoever held the old password is logged out."""
        if self.personal is None:
            return Refused(AccountRefusal.DELETED)
        if self.status is AccountStatus.SUSPENDED:
            return Refused(AccountRefusal.SUSPENDED)
        renewed = replace(self, personal=replace(self.personal, password=password))
        return _logged_out(renewed, AccountChange.PASSWORD_CHANGED, now)

    def reset_password(self, password: PasswordHash, by: Actor, now: datetime) -> AccountOutcome:
        """By an admin, for somebody who cannot prove an address."""
        refusal = self._why_not_administered(by)
        return Refused(refusal) if refusal else self.change_password(password, now)

    def rehash(self, password: PasswordHash) -> "Account":
        """The same password, hashed with newer parameters: nobody is logged out."""
        if self.personal is None:
            raise BrokenInvariantError("a deleted account has no password")
        return replace(self, personal=replace(self.personal, password=password))

    def update_info(self, profile: Profile, by: Actor, now: datetime) -> AccountOutcome:
        """By its owner or an admin."""
        if by.account_id != self.id and not by.is_admin:
            return Refused(AccountRefusal.NOT_ADMIN)
        if self.personal is None:
            return Refused(AccountRefusal.DELETED)
        if profile == self.personal.profile:
            return Refused(AccountRefusal.UNCHANGED)
        renewed = replace(self, personal=replace(self.personal, profile=profile))
        return _told(renewed, AccountChange.INFO_UPDATED, now)

    def end_sessions(self, now: datetime) -> AccountOutcome:
        if self.status is AccountStatus.DELETED:
            return Refused(AccountRefusal.DELETED)
        return _logged_out(self, AccountChange.SESSIONS_ENDED, now)

    def token_revoked(self, now: datetime) -> Changed["Account"]:
        """An API token is no part of the account, but whoever believes one has to hear of its end."""
        return _told(self, AccountChange.API_TOKEN_REVOKED, now)

    def set_role(self, role: Role, by: Actor, now: datetime) -> AccountOutcome:
        if refusal := self._why_not_administered(by):
            return Refused(refusal)
        if role is self.role:
            return Refused(AccountRefusal.UNCHANGED)
        # Tokens carry the role, so the old ones must go.
        return _logged_out(replace(self, role=role), AccountChange.ROLE_SET, now)

    def set_active(self, *, active: bool, by: Actor, now: datetime) -> AccountOutcome:
        if refusal := self._why_not_administered(by):
            return Refused(refusal)
        status = AccountStatus.ACTIVE if active else AccountStatus.SUSPENDED
        if status is self.status:
            return Refused(AccountRefusal.UNCHANGED)
        return _logged_out(replace(self, status=status), AccountChange.STATUS_SET, now)

    def delete(self, by: Actor, now: datetime) -> AccountOutcome:
        """By its owner or an admin."""
        if self.status is AccountStatus.DELETED:
            return Refused(AccountRefusal.DELETED)
        if by.account_id != self.id and not by.is_admin:
            return Refused(AccountRefusal.NOT_ADMIN)
        gone = replace(self, status=AccountStatus.DELETED, personal=None, role=Role.CONTESTANT)
        return _logged_out(gone, AccountChange.DELETED, now)

    def _why_not_administered(self, by: Actor) -> AccountRefusal | None:
        if not by.is_admin:
            return AccountRefusal.NOT_ADMIN
        if by.account_id == self.id:
            return AccountRefusal.OWN_ACCOUNT
        return AccountRefusal.DELETED if self.status is AccountStatus.DELETED else None


def _logged_out(account: Account, change: AccountChange, now: datetime) -> Changed[Account]:
    return _told(replace(account, session_epoch=account.session_epoch + 1), change, now)


def _told(account: Account, change: AccountChange, now: datetime) -> Changed[Account]:
    event = AccountChanged(
        occurred_at=now, account_id=account.id, change=change, session_epoch=account.session_epoch
    )
    return Changed(account, (event,))
