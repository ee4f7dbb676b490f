"""Gathers the facts for the domain's decision on admission, and takes the token of whoever is let in."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Final, Protocol

from deepoj_domain.admission.decide import (
    AccountLoad,
    AdmissionLimits,
    AdmissionRefusal,
    AdmissionSnapshot,
    SystemState,
    TurnedAway,
    decide,
)
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.token_bucket import TokenBucket

ADMITTED: Final = "admitted"


class Load(Protocol):
    """How busy an account was at a moment; who has come in since is not in it, or not for sure."""

    @property
    def asked_at(self) -> datetime: ...

    @property
    def given(self) -> int:
        """How many of those who came in here since have left again."""
        ...

    def with_more(self, more: int) -> AccountLoad:
        """Add those who came in since."""
        ...

    def doubt(self) -> None:
        """Take note that it was refused on what other front doors let in, which may be in it already."""
        ...


class KnownLoad(Load, Protocol):
    """What record said of an account, and what record was given since it was asked."""

    @property
    def is_doubtful(self) -> bool:
        """Whether it was said a while ago, or may count a submission twice."""
        ...


class AccountLoads(Protocol):
    async def recent(self, account_id: AccountId) -> KnownLoad:
        """Return the load that record told a moment ago; those who ask together ask record once."""
        ...

    async def fresh(self, account_id: AccountId, doubted: KnownLoad) -> KnownLoad:
        """Ask record again, unless somebody else has asked since `doubted` was told."""
        ...

    def given(self, account_id: AccountId) -> None:
        """Count a submission that record was given: from now on record counts it."""
        ...


class System(Protocol):
    async def state(self) -> SystemState:
        """Return what was seen lately; never wait long, never raise."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """What one request takes among all of its account, at whatever front door they came in."""

    id: str
    now: datetime
    since: datetime
    """Who has left before is not counted: record counts them."""
    room: int
    """How many there may be, this one included."""
    lease: timedelta
    """After this it is free again, should its front door have died."""


@dataclass(frozen=True, slots=True)
class Swapped:
    done: bool
    counted: int = 0
    """How many places are taken, if that is why not; else somebody else has changed the bucket."""


class TokenBuckets(Protocol):
    """What all front doors share: a bucket and the places of each key."""

    async def get(self, key: str) -> TokenBucket | None:
        """Return the bucket of a key; None when it is full."""
        ...

    async def swap(self, key: str, seen: TokenBucket | None, new: TokenBucket, place: Place) -> Swapped:
        """Store `new` and take the place, unless somebody else has changed what was seen or room lacks."""
        ...

    def leave(self, key: str, place_id: str, now: datetime) -> None:
        """Say that a place was left now, or was never taken."""
        ...


class Observe(Protocol):
    def __call__(self, outcome: str, /) -> None:
        """Count one decision: `admitted`, or the reason of the refusal."""
        ...


def _place_ids() -> Iterator[str]:
    """Yield ids that no other front door gives."""
    door = secrets.token_hex(8)
    return (f"{door}-{number}" for number in count())


@dataclass(slots=True)
class AdmissionGate:
    """Who is let in is counted before anything is waited for: requests that come together see each other.

    They are counted here and in what all front doors share, so the limits hold however requests are spread.
    """

    kind: str
    limits: AdmissionLimits
    system: System
    buckets: TokenBuckets
    clock: Callable[[], datetime]
    lease: timedelta = timedelta(minutes=1)
    _coming: Counter[AccountId] = field(default_factory=Counter)
    _inside: dict[AccountId, list[str]] = field(default_factory=dict)
    """The places that were taken here."""
    _ids: Iterator[str] = field(default_factory=_place_ids)

    async def enter(self, account_id: AccountId, load: Load) -> TurnedAway | None:
        """Return why not; after None, `leave` must follow."""
        state = await self.system.state()
        counted = 0
        # A request that loses the bucket to others so often has seen all tokens go.
        for _ in range(self.limits.rate.burst + 1):
            bucket = await self.buckets.get(self._key(account_id))
            more = max(counted, load.given + self._here(account_id))
            decided = decide(self.limits, self._snapshot(state, bucket, load.with_more(more)))
            if isinstance(decided, TurnedAway):
                if counted:
                    load.doubt()
                return decided
            swapped = await self._take(account_id, bucket, decided.bucket, load)
            if swapped.done:
                return None
            counted = swapped.counted
        return TurnedAway(AdmissionRefusal.RATE_LIMITED, self.limits.rate.interval)

    def leave(self, account_id: AccountId) -> None:
        places = self._inside[account_id]
        self.buckets.leave(self._key(account_id), places.pop(), self.clock())
        if not places:
            del self._inside[account_id]

    def _here(self, account_id: AccountId) -> int:
        return self._coming[account_id] + len(self._inside.get(account_id, ()))

    def _key(self, account_id: AccountId) -> str:
        return f"{self.kind}:{account_id}"

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
        self, account_id: AccountId, seen: TokenBucket | None, new: TokenBucket, load: Load
    ) -> Swapped:
        alone = load.with_more(0)
        room = min(self.limits.in_flight - alone.in_flight, self.limits.daily_quota - alone.submitted_today)
        place = Place(next(self._ids), self.clock(), load.asked_at, room, self.lease)
        self._coming[account_id] += 1
        try:
            swapped = await self.buckets.swap(self._key(account_id), seen, new, place)
        except BaseException:
            # Nobody knows whether it was taken.
            self.buckets.leave(self._key(account_id), place.id, self.clock())
            raise
        finally:
            self._came(account_id)
        if swapped.done:
            self._inside.setdefault(account_id, []).append(place.id)
        return swapped

    def _came(self, account_id: AccountId) -> None:
        self._coming[account_id] -= 1
        if not self._coming[account_id]:
            del self._coming[account_id]
