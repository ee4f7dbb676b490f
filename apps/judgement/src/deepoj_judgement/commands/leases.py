"""The leases of the jobs in hand, kept alive by one heartbeat for all of them."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from deepoj_judgement.commands.running import RunRef
from deepoj_judgement.commands.worker_ports import (
    Claim,
    Records,
    RecordsFailedError,
    Refusal,
    WorkerObserver,
)

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class HeldLease:
    ref: RunRef
    until: datetime
    lost: asyncio.Future[str]
    """Done with a reason when the run must stop and write nothing."""

    def lose(self, reason: str) -> None:
        if not self.lost.done():
            self.lost.set_result(reason)


class Leases:
    def __init__(
        self,
        records: Records,
        observer: WorkerObserver,
        clock: Callable[[], datetime],
        interval: float,
    ) -> None:
        self._records = records
        self._observer = observer
        self._clock = clock
        self._interval = interval
        self._held: dict[RunRef, HeldLease] = {}
        self._doubted = asyncio.Event()

    def __len__(self) -> int:
        return len(self._held)

    @asynccontextmanager
    async def held(self, claim: Claim) -> AsyncIterator[HeldLease]:
        lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        lease = HeldLease(claim.ref, claim.lease_until, lost)
        self._held[claim.ref] = lease
        try:
            yield lease
        finally:
            del self._held[claim.ref]

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            waits = [asyncio.create_task(event.wait()) for event in (stop, self._doubted)]
            try:
                await asyncio.wait(waits, timeout=self._interval, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()
            self._doubted.clear()
            await self.beat()

    def doubt(self, job_id: str) -> None:
        """Somebody says that the job is over: if it is in hand, do not wait for the next heartbeat."""
        if any(ref.job_id == job_id for ref in self._held):
            self._doubted.set()

    async def beat(self) -> None:
        """Prolong every lease in one call; stop the runs whose lease is gone."""
        leases = list(self._held.values())
        if not leases:
            return
        try:
            answers = await self._records.heartbeat([lease.ref for lease in leases])
        except RecordsFailedError as error:
            self._unanswered(leases, error)
            return
        for lease, answer in zip(leases, answers, strict=True):
            if isinstance(answer, Refusal):
                self._observer.heartbeat("refused", answer)
                lease.lose(answer)
            else:
                self._observer.heartbeat("ok", "")
                lease.until = answer

    def _unanswered(self, leases: list[HeldLease], error: RecordsFailedError) -> None:
        """Go on while the leases last; beyond that somebody else may have the jobs."""
        _log.warning("a heartbeat failed: %s", error)
        now = self._clock()
        for lease in leases:
            self._observer.heartbeat("error", "record_unavailable")
            if now >= lease.until:
                lease.lose("record_unavailable")
