"""How often something may be tried from one address, for one account, and for one account from one address.

A single address runs into its own limits before it can lock anybody out. What people type is a key whether or
not an account answers to it, so the limits say nothing about who exists. Networks may be exempt from what is
limited by address: in a hall, hundreds come from one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from deepoj_domain.account.audit import Origin
from deepoj_domain.kernel.network import Network
from deepoj_domain.kernel.role import Actor
from deepoj_domain.kernel.token_bucket import RateLimit
from deepoj_user.commands.ports import Bucket, Throttle, Throttled

TOO_MANY_TRIES: Final = "too_many_tries"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptLimits:
    from_address: RateLimit
    """Failed log-ins and captchas."""
    for_account: RateLimit
    for_account_from_address: RateLimit
    captchas_from_address: RateLimit
    captchas_to_mailbox: RateLimit
    accounts_from_address: RateLimit
    """New accounts whose owner proved no address."""
    accounts: RateLimit
    """The same from everywhere: no botnet fills the database."""
    accounts_by_staff: RateLimit
    """Accounts that somebody makes who is no admin."""


class AttemptGate:
    def __init__(self, throttle: Throttle, limits: AttemptLimits, exempt: Sequence[Network] = ()) -> None:
        """`exempt` networks are not counted as one address."""
        self._throttle = throttle
        self._limits = limits
        self._exempt = exempt

    def for_log_in(self, login: str, origin: Origin) -> Sequence[Bucket]:
        who = login.strip().lower()
        buckets = [Bucket(f"account:{who}", self._limits.for_account)]
        if network := origin.network:
            pair = Bucket(f"account:{who}:{network}", self._limits.for_account_from_address)
            buckets = [*self.for_code(origin), pair, *buckets]
        return buckets

    def for_code(self, origin: Origin) -> Sequence[Bucket]:
        """Guessing codes counts like guessing passwords; each code limits its own tries besides."""
        network = self._counted(origin)
        return [Bucket(f"try:{network}", self._limits.from_address)] if network else []

    def for_mail(self, address: str, origin: Origin) -> Sequence[Bucket]:
        buckets = [Bucket(f"mail:{address}", self._limits.captchas_to_mailbox)]
        if network := self._counted(origin):
            buckets.insert(0, Bucket(f"mail:{network}", self._limits.captchas_from_address))
        return buckets

    def for_account(self, origin: Origin) -> Sequence[Bucket]:
        """For a new account whose owner proved nothing; a success is what is counted."""
        buckets = [Bucket("new", self._limits.accounts)]
        if network := self._counted(origin):
            buckets.insert(0, Bucket(f"new:{network}", self._limits.accounts_from_address))
        return buckets

    def for_account_by(self, actor: Actor) -> Sequence[Bucket]:
        return [] if actor.is_admin else [Bucket(f"made:{actor.account_id}", self._limits.accounts_by_staff)]

    def _counted(self, origin: Origin) -> str:
        """Return the network that tries are counted for; empty when there is none."""
        address = origin.address
        exempt = address is not None and any(address in network for network in self._exempt)
        return "" if exempt else origin.network

    async def enter(self, buckets: Sequence[Bucket], now: datetime) -> Throttled | None:
        wait = await self._throttle.charge(buckets, now)
        return None if wait is None else Throttled(TOO_MANY_TRIES, wait)

    async def forgive(self, buckets: Sequence[Bucket]) -> None:
        """What succeeded was no guess."""
        await self._throttle.refund(buckets)
