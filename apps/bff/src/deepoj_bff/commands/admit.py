"""May this come in now? The decision is the domain's; here it gets its facts, and the token is taken."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from deepoj_bff.commands.ports import AccountLoad, Accounts, Buckets, Observe, System
from deepoj_domain.admission.decide import (
    AdmissionLimits,
    AdmissionRefusal,
    AdmissionSnapshot,
    TurnedAway,
    decide,
)
from deepoj_domain.admission.token_bucket import TokenBucket
from deepoj_domain.kernel.ids import AccountId

_ADMITTED: Final = "admitted"
# Only requests of the same account at the same moment compete for its bucket.
_TRIES: Final = 5
_PERSONAL: Final = frozenset({AdmissionRefusal.DAILY_QUOTA_SPENT, AdmissionRefusal.TOO_MANY_IN_FLIGHT})


@dataclass(slots=True)
class _Believed:
    load: AccountLoad
    until: float


@dataclass(slots=True)
class AdmitSubmission:
    """An account's load is believed for a second, counting what came in here meanwhile.

    So a burst costs one question to record. What several front doors admit within that second may exceed the
    in-flight cap by as many; a refusal is only ever given on fresh numbers.
    """

    limits: AdmissionLimits
    accounts: Accounts
    system: System
    buckets: Buckets
    observe: Observe
    clock: Callable[[], datetime]
    monotonic: Callable[[], float] = time.monotonic
    believe_seconds: float = 1.0
    most_believed: int = 10_000
    _believed: OrderedDict[AccountId, _Believed] = field(default_factory=OrderedDict)

    async def __call__(self, account_id: AccountId) -> TurnedAway | None:
        """Return why not; None when it may come in, and has cost a token."""
        refused = await self._decided(account_id)
        self.observe(_ADMITTED if refused is None else refused.reason)
        return refused

    async def _decided(self, account_id: AccountId) -> TurnedAway | None:
        state = await self.system.state()
        believed, fresh = await self._load(account_id)
        key = f"submit:{account_id}"
        for _ in range(_TRIES):
            now = self.clock()
            bucket = await self.buckets.get(key)
            seen = AdmissionSnapshot(
                now=now,
                bucket=bucket or TokenBucket(now),
                in_flight=believed.load.in_flight,
                submitted_today=believed.load.submitted_today,
                # What nobody can tell is no reason to refuse: a submission is safe once it is stored.
                queue_depth=state.queue_depth or 0,
                live_workers=1 if state.live_workers is None else state.live_workers,
            )
            decided = decide(self.limits, seen)
            if isinstance(decided, TurnedAway):
                if decided.reason not in _PERSONAL or fresh:
                    return decided
                self._believed.pop(account_id, None)
                believed, fresh = await self._load(account_id)
            elif await self.buckets.swap(key, bucket, decided.bucket):
                load = believed.load
                believed.load = replace(
                    load, in_flight=load.in_flight + 1, submitted_today=load.submitted_today + 1
                )
                return None
        return TurnedAway(AdmissionRefusal.RATE_LIMITED, self.limits.rate.interval)

    async def _load(self, account_id: AccountId) -> tuple[_Believed, bool]:
        """Return the load, and whether it was asked for just now."""
        known = self._believed.get(account_id)
        if known is not None and self.monotonic() < known.until:
            return known, False
        load = await self.accounts.load(account_id)
        found = _Believed(load, self.monotonic() + self.believe_seconds)
        self._believed[account_id] = found
        self._believed.move_to_end(account_id)
        if len(self._believed) > self.most_believed:
            self._believed.popitem(last=False)
        return found, True


@dataclass(slots=True)
class AdmitRun:
    """A run of one's own input has no record: it is limited by rate and by how many run at once."""

    limits: AdmissionLimits
    system: System
    buckets: Buckets
    observe: Observe
    clock: Callable[[], datetime]
    _running: dict[AccountId, int] = field(default_factory=dict)

    async def begin(self, account_id: AccountId) -> TurnedAway | None:
        """Return why not; after None, `end` must follow."""
        state = await self.system.state()
        key = f"run:{account_id}"
        now, bucket = self.clock(), await self.buckets.get(key)
        seen = AdmissionSnapshot(
            now=now,
            bucket=bucket or TokenBucket(now),
            in_flight=self._running.get(account_id, 0),
            submitted_today=0,
            queue_depth=state.queue_depth or 0,
            live_workers=1 if state.live_workers is None else state.live_workers,
        )
        decided = decide(self.limits, seen)
        if isinstance(decided, TurnedAway):
            self.observe(decided.reason)
            return decided
        if not await self.buckets.swap(key, bucket, decided.bucket):
            self.observe(AdmissionRefusal.RATE_LIMITED)
            return TurnedAway(AdmissionRefusal.RATE_LIMITED, self.limits.rate.interval)
        self._running[account_id] = self._running.get(account_id, 0) + 1
        self.observe(_ADMITTED)
        return None

    def end(self, account_id: AccountId) -> None:
        left = self._running.pop(account_id) - 1
        if left:
            self._running[account_id] = left
