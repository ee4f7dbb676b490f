"""How busy an account and the queues are, as record says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec

from deepoj_bff.queries.services import Call, Services
from deepoj_domain.admission.facts import AccountLoad
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role


class _Load(msgspec.Struct):
    in_flight: int
    submitted_today: int


class _Queue(msgspec.Struct):
    waiting: int


class _Queues(msgspec.Struct):
    queues: list[_Queue]


_DEADLINE: Final = timedelta(seconds=2)
ACCOUNT_LOAD: Final = Call("record", "AccountLoad", _Load, _DEADLINE)
QUEUE_STATS: Final = Call("record", "QueueStats", _Queues, _DEADLINE)
# A service that asks for itself.
_OURSELVES: Final = Actor(AccountId(UUID(int=0)), Role.ADMIN)


@dataclass(frozen=True, slots=True)
class RecordLoad:
    services: Services

    async def load(self, account_id: AccountId) -> AccountLoad:
        found = await self.services.call(ACCOUNT_LOAD, account_id=account_id)
        return AccountLoad(found.in_flight, found.submitted_today)

    async def waiting(self) -> int:
        """Return how many submissions wait in all queues."""
        found = await self.services.call(QUEUE_STATS, actor=_OURSELVES)
        return sum(queue.waiting for queue in found.queues)
