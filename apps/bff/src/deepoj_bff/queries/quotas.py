"""What admission goes by: the limits, and how far somebody or the system is from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from deepoj_bff.queries.views.quota import Quota, Quotas
from deepoj_domain.admission.decide import AccountLoad, AdmissionLimits, SystemState
from deepoj_domain.kernel.ids import AccountId


class Record(Protocol):
    async def load(self, account_id: AccountId) -> AccountLoad: ...


class System(Protocol):
    async def state(self) -> SystemState: ...


@dataclass(frozen=True, slots=True)
class ReadQuotas:
    limits: AdmissionLimits
    record: Record
    system: System

    async def of_account(self, account_id: AccountId) -> Quota:
        limits, load = self.limits, await self.record.load(account_id)
        return Quota(
            in_flight=load.in_flight,
            in_flight_limit=limits.in_flight,
            submitted_today=load.submitted_today,
            daily_quota=limits.daily_quota,
            interval_ms=self._interval_ms,
            burst=limits.rate.burst,
        )

    async def of_all(self) -> Quotas:
        limits, state = self.limits, await self.system.state()
        return Quotas(
            in_flight=limits.in_flight,
            daily_quota=limits.daily_quota,
            interval_ms=self._interval_ms,
            burst=limits.rate.burst,
            queue_high_water=limits.queue_high_water,
            queue_depth=state.queue_depth,
            live_workers=state.live_workers,
        )

    @property
    def _interval_ms(self) -> int:
        return round(self.limits.rate.interval.total_seconds() * 1000)
