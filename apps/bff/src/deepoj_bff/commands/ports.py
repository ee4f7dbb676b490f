"""What admission needs to know and to keep."""

from __future__ import annotations

from typing import Final, Protocol

from deepoj_domain.admission.facts import AccountLoad, SystemState
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.token_bucket import TokenBucket

ADMITTED: Final = "admitted"


class KnownLoad(Protocol):
    """What record said of an account, and what record was given since it was asked."""

    @property
    def is_doubtful(self) -> bool:
        """Whether it was said a while ago, or may count a submission twice."""
        ...

    def with_inside(self, inside: int) -> AccountLoad:
        """Add the submissions that are on their way to record."""
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


class TokenBuckets(Protocol):
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
