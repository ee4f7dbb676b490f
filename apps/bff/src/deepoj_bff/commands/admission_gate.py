"""Gathers the facts for the domain's decision on admission, and takes the token of whoever is let in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from deepoj_bff.commands.ports import System, TokenBuckets
from deepoj_domain.admission.decide import (
    AdmissionLimits,
    AdmissionRefusal,
    AdmissionSnapshot,
    TurnedAway,
    decide,
)
from deepoj_domain.admission.facts import AccountLoad, SystemState
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.token_bucket import TokenBucket


@dataclass(slots=True)
class AdmissionGate:
    """Who is let in is counted before anything is waited for: requests that come together see each other."""

    kind: str
    limits: AdmissionLimits
    system: System
    buckets: TokenBuckets
    clock: Callable[[], datetime]
    _inside: dict[AccountId, int] = field(default_factory=dict)

    async def enter(self, account_id: AccountId, load: Callable[[int], AccountLoad]) -> TurnedAway | None:
        """Return why not; after None, `leave` must follow. `load` is told how many are inside already."""
        state = await self.system.state()
        key = f"{self.kind}:{account_id}"
        # A request that loses the bucket to others so often has seen all tokens go.
        for _ in range(self.limits.rate.burst + 1):
            bucket = await self.buckets.get(key)
            seen = self._snapshot(state, bucket, load(self._inside.get(account_id, 0)))
            decided = decide(self.limits, seen)
            if isinstance(decided, TurnedAway):
                return decided
            if await self._take(account_id, key, bucket, decided.bucket):
                return None
        return TurnedAway(AdmissionRefusal.RATE_LIMITED, self.limits.rate.interval)

    def leave(self, account_id: AccountId) -> None:
        left = self._inside.pop(account_id) - 1
        if left:
            self._inside[account_id] = left

    def _snapshot(
        self, state: SystemState, bucket: TokenBucket | None, load: AccountLoad
    ) -> AdmissionSnapshot:
        now = self.clock()
        return AdmissionSnapshot(
            now=now,
            bucket=bucket or TokenBucket(now),
            in_flight=load.in_flight,
            submitted_today=load.submitted_today,
            # What nobody can tell is no reason to refuse: a submission is safe once it is stored.
            queue_depth=state.queue_depth or 0,
            live_workers=1 if state.live_workers is None else state.live_workers,
        )

    async def _take(
        self, account_id: AccountId, key: str, seen: TokenBucket | None, new: TokenBucket
    ) -> bool:
        self._inside[account_id] = self._inside.get(account_id, 0) + 1
        taken = False
        try:
            taken = await self.buckets.swap(key, seen, new)
        finally:
            if not taken:
                self.leave(account_id)
        return taken
