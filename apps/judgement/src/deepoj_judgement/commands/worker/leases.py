"""The leases of the jobs in hand, kept alive by one heartbeat for all of them."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_judgement.commands.worker.ports import (
    ClaimedJob,
    Records,
    RecordsFailedError,
    WorkerObserver,
)

_log = logging.getLogger(__name__)
_ASK_AGAIN: Final = 0.5


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
    ) -> None:
        self._records = records
        self._observer = observer
        self._clock = clock
        self.terms = LeaseTerms()
        """What record grants; the usual ones until it has said so."""
        self._held: dict[RunRef, HeldLease] = {}
        self._doubted = asyncio.Event()

    def __len__(self) -> int:
        return len(self._held)

    @asynccontextmanager
    async def held(self, claim: ClaimedJob) -> AsyncIterator[HeldLease]:
        lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        lease = HeldLease(claim.ref, claim.lease_until, lost)
        self._held[claim.ref] = lease
        try:
            yield lease
        finally:
            del self._held[claim.ref]

    async def run(self, stop: asyncio.Event) -> None:
        await self.learn(stop)
        while not stop.is_set():
            await _first(stop, self._doubted, timeout=self.terms.heartbeat.total_seconds())
            self._doubted.clear()
            await self.beat()

    async def learn(self, stop: asyncio.Event) -> None:
        """Ask for the terms until record tells them; before that nothing can be claimed."""
        while not stop.is_set():
            try:
                self.terms = await self._records.terms()
            except RecordsFailedError as error:
                _log.warning("record does not tell its lease terms: %s", error)
                await _first(stop, timeout=_ASK_AGAIN)
            else:
                return

    def reclaim_idle(self) -> float:
        """Return for how many seconds a message is left to its first worker."""
        return self.terms.reclaim_idle.total_seconds()

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
            if isinstance(answer, SubmissionRefusal):
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


async def _first(*events: asyncio.Event, timeout: float) -> None:  # noqa: ASYNC109 — it is no error
    waits = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
