"""How often something may be tried from one address, for one account, and for one account from one address.

A single address runs into its own limits before it can lock anybody out. What people type is a key whether or
not an account answers to it, so the limits say nothing about who exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from deepoj_domain.account.audit import Origin
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


class AttemptGate:
    def __init__(self, throttle: Throttle, limits: AttemptLimits) -> None:
        self._throttle = throttle
        self._limits = limits

    def for_log_in(self, login: str, origin: Origin) -> Sequence[Bucket]:
        who = login.strip().lower()
        buckets = [Bucket(f"account:{who}", self._limits.for_account)]
        if network := origin.network:
            pair = Bucket(f"account:{who}:{network}", self._limits.for_account_from_address)
            buckets = [Bucket(f"try:{network}", self._limits.from_address), pair, *buckets]
        return buckets

    def for_code(self, origin: Origin) -> Sequence[Bucket]:
        """Guessing codes counts like guessing passwords; each code limits its own tries besides."""
        network = origin.network
        return [Bucket(f"try:{network}", self._limits.from_address)] if network else []

    def for_mail(self, address: str, origin: Origin) -> Sequence[Bucket]:
        buckets = [Bucket(f"mail:{address}", self._limits.captchas_to_mailbox)]
        if network := origin.network:
            buckets.insert(0, Bucket(f"mail:{network}", self._limits.captchas_from_address))
        return buckets

    async def enter(self, buckets: Sequence[Bucket], now: datetime) -> Throttled | None:
        wait = await self._throttle.charge(buckets, now)
        return None if wait is None else Throttled(TOO_MANY_TRIES, wait)

    async def forgive(self, buckets: Sequence[Bucket]) -> None:
        """What succeeded was no guess."""
        await self._throttle.refund(buckets)
