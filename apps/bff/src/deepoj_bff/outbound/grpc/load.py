"""How busy an account and the queues are, as record says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Generic, TypeVar
from uuid import UUID

import msgspec

from deepoj_bff.commands.ports import AccountLoad
from deepoj_bff.outbound.grpc.services import GrpcServices
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role

A = TypeVar("A", bound=msgspec.Struct)


class _Load(msgspec.Struct):
    in_flight: int
    submitted_today: int


class _Queue(msgspec.Struct):
    waiting: int


class _Queues(msgspec.Struct):
    queues: list[_Queue]


@dataclass(frozen=True, slots=True)
class _Ask(Generic[A]):
    method: str
    answer: type[A]
    service: str = "record"
    deadline: timedelta | None = timedelta(seconds=2)


ACCOUNT_LOAD: Final = _Ask("AccountLoad", _Load)
QUEUE_STATS: Final = _Ask("QueueStats", _Queues)
# A service that asks for itself.
_OURSELVES: Final = Actor(AccountId(UUID(int=0)), Role.ADMIN)


@dataclass(frozen=True, slots=True)
class GrpcLoad:
    services: GrpcServices

    async def load(self, account_id: AccountId) -> AccountLoad:
        found = await self.services.call(ACCOUNT_LOAD, account_id=account_id)
        return AccountLoad(found.in_flight, found.submitted_today)

    async def waiting(self) -> int:
        """Return how many submissions wait in all queues."""
        found = await self.services.call(QUEUE_STATS, actor=_OURSELVES)
        return sum(queue.waiting for queue in found.queues)
