"""What admission needs to know and to keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from deepoj_domain.admission.token_bucket import TokenBucket
from deepoj_domain.kernel.ids import AccountId

ADMITTED: Final = "admitted"


@dataclass(frozen=True, slots=True)
class AccountLoad:
    in_flight: int
    submitted_today: int


@dataclass(frozen=True, slots=True)
class SystemState:
    """None: nobody could say."""

    queue_depth: int | None
    live_workers: int | None


class Accounts(Protocol):
    async def load(self, account_id: AccountId) -> AccountLoad: ...


class System(Protocol):
    async def state(self) -> SystemState:
        """Return what was seen lately; never wait long, never raise."""
        ...


class Buckets(Protocol):
    async def get(self, key: str) -> TokenBucket | None:
        """Return the bucket of a key; None when it is full."""
        ...

    async def swap(self, key: str, seen: TokenBucket | None, new: TokenBucket) -> bool:
        """Store `new` unless somebody else has changed what was seen."""
        ...


class Observe(Protocol):
    def __call__(self, outcome: str, /) -> None:
        """Count one decision: `admitted`, or the reason of the refusal."""
        ...
