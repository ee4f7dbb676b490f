"""One job from the queue: claim, judge under a lease, finalize. What is answered decides about the ACK.

Nothing runs before the claim (INV-3). Only a write that record has committed settles the message (INV-2); a
refusal settles it with its reason, a failure of the system leaves it where it is (INV-4).
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.submission.retry import Failure, is_retryable
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.commands.judge.errors import (
    JudgingFailedError,
    JudgingTimedOutError,
    UnknownLanguageError,
)
from deepoj_judgement.commands.judge.judge import Judged, JudgeOne, JudgeOrder
from deepoj_judgement.commands.worker.leases import HeldLease, Leases
from deepoj_judgement.commands.worker.log_uploads import LogUploads
from deepoj_judgement.commands.worker.ports import (
    ClaimedJob,
    Progress,
    Records,
    RecordsFailedError,
    Settled,
    Settlement,
    WorkerObserver,
)

_log = logging.getLogger(__name__)
# Somebody works on it, or may have to take over: the message has to stay.
_KEEPS_MESSAGE = frozenset({SubmissionRefusal.LEASE_STILL_VALID, SubmissionRefusal.LEASE_EXPIRED})
_ENDED = frozenset({SubmissionRefusal.ALREADY_FINISHED, SubmissionRefusal.NOT_FOUND})
_SOURCE_LIMIT = 1024 * 1024
_ERROR_CHARACTERS = 500


_IN_HAND = Settled(Settlement.KEPT, "in_hand")


def _nothing(_boundary: str) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessJob:
    records: Records
    judge: JudgeOne
    leases: Leases
    uploads: LogUploads
    observer: WorkerObserver
    progress: Progress
    handing_back: asyncio.Event
    """Set when the process has no more time: what still runs goes back to the queue."""
    reached: Callable[[str], None] = _nothing
    """Told every boundary between two steps, for fault tests."""

    in_hand: set[str] = field(default_factory=set)
    """Jobs of this process. A message may come twice, and record takes a job once in a batch."""

    async def __call__(self, job_id: str, *, reclaimed: bool = False) -> Settled:
        with self._taken(job_id) as is_taken:
            return await self._process(job_id, reclaimed=reclaimed) if is_taken else _IN_HAND

    async def bury(self, job_id: str, error: str) -> Settled:
        """End a job whose message makes no sense: claimed, so that the end is fenced like any other."""
        with self._taken(job_id) as is_taken:
            return await self._bury(job_id, error) if is_taken else Settled(Settlement.FAILED, "in_hand")

    @contextmanager
    def _taken(self, job_id: str) -> Iterator[bool]:
        if job_id in self.in_hand:
            yield False
            return
        self.in_hand.add(job_id)
        try:
            yield True
        finally:
            self.in_hand.remove(job_id)

    async def _process(self, job_id: str, *, reclaimed: bool) -> Settled:
        self.reached("before_claim")
        claim = await self._claim(job_id, reclaimed=reclaimed)
        if isinstance(claim, Settled):
            return claim
        self.reached("after_claim")
        with self.observer.job(claim.ref, claim.language):
            _log.info("claimed", extra={"reclaimed": reclaimed})
            async with self.leases.held(claim) as lease:
                return await self._work(claim, lease)

    async def _bury(self, job_id: str, error: str) -> Settled:
        claim = await self._claim(job_id, reclaimed=False)
        if isinstance(claim, Settled):
            return claim
        return await self._report(claim, JudgingFailedError(Failure.MALFORMED_JOB, error))

    async def _claim(self, job_id: str, *, reclaimed: bool) -> ClaimedJob | Settled:
        begun = time.monotonic()
        try:
            with self.observer.reclaiming() if reclaimed else nullcontext():
                answer = await self._ask(job_id, reclaimed=reclaimed)
        except RecordsFailedError as error:
            self._note_claim("error", "record_unavailable", begun, reclaimed=reclaimed)
            _log.warning("job %s could not be claimed: %s", job_id, error)
            return Settled(Settlement.FAILED, "record_unavailable")
        if isinstance(answer, ClaimedJob):
            self._note_claim("ok", "", begun, reclaimed=reclaimed)
            return answer
        self._note_claim("refused", answer, begun, reclaimed=reclaimed)
        _log.info("claim refused", extra={"job_id": job_id, "reason": str(answer)})
        return Settled(Settlement.KEPT if answer in _KEEPS_MESSAGE else Settlement.REFUSED, answer)

    def _note_claim(self, status: str, reason: str, begun: float, *, reclaimed: bool) -> None:
        self.observer.claimed(status, reason, reclaim=reclaimed, seconds=time.monotonic() - begun)

    async def _ask(self, job_id: str, *, reclaimed: bool) -> ClaimedJob | SubmissionRefusal:
        """A lost worker may have died before or after its claim: whichever fits the state is tried second."""
        if reclaimed:
            answer = await self.records.reclaim(job_id)
            return (
                await self.records.claim(job_id)
                if answer is SubmissionRefusal.NOT_IN_EXPECTED_STATE
                else answer
            )
        answer = await self.records.claim(job_id)
        return await self.records.reclaim(job_id) if answer is SubmissionRefusal.LEASE_EXPIRED else answer

    async def _work(self, claim: ClaimedJob, lease: HeldLease) -> Settled:
        begun = time.monotonic()
        self.reached("before_run")
        try:
            with self.observer.executing():
                judged = await self._judge(claim, lease)
        except JudgingFailedError as error:
            self.observer.executed_job(_outcome(error), time.monotonic() - begun)
            return await self._report(claim, error)
        if judged is None:
            self.observer.executed_job("abandoned", time.monotonic() - begun)
            return self._abandoned(lease.lost.result())
        self.observer.executed_job("ok", time.monotonic() - begun)
        self.reached("after_run")
        return await self._finalize(claim, judged)

    async def _judge(self, claim: ClaimedJob, lease: HeldLease) -> Judged | None:
        """Judge until it is done, the lease is lost (None) or the process has to go."""
        judging = asyncio.create_task(self._judge_claimed(claim))
        leaving = asyncio.create_task(self.handing_back.wait())
        try:
            ends: tuple[asyncio.Future[Any], ...] = (judging, leaving, lease.lost)
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if judging.done():
                return await judging
        finally:
            leaving.cancel()
            judging.cancel()
            await asyncio.wait({judging})
        if lease.lost.done():
            return None
        raise JudgingFailedError(Failure.WORKER_DRAINING, "the worker stops")

    async def _judge_claimed(self, claim: ClaimedJob) -> Judged:
        try:
            return await self.judge(replace(_order(claim), tell=partial(self.progress, claim.ref)))
        except JudgingFailedError:
            raise
        except Exception as error:
            _log.exception("judging broke down")
            raise JudgingFailedError(Failure.INFRASTRUCTURE, f"{type(error).__name__}: {error}") from error

    def _abandoned(self, reason: str) -> Settled:
        _log.warning("the lease is lost; nothing is written", extra={"reason": reason})
        return Settled(Settlement.REFUSED if reason in _ENDED else Settlement.KEPT, reason)

    async def _finalize(self, claim: ClaimedJob, judged: Judged) -> Settled:
        begun = time.monotonic()
        self.reached("before_finalize")
        try:
            refusal = await self.records.finalize(claim.ref, judged.result, judged.toolchain)
        except RecordsFailedError as error:
            self.observer.finalized("error", "", time.monotonic() - begun)
            _log.warning("the result could not be written: %s", error)
            return Settled(Settlement.FAILED, "record_unavailable")
        self.reached("after_finalize")
        if refusal is not None:
            self.observer.finalized("rejected", refusal, time.monotonic() - begun)
            return await self._refused(claim, refusal)
        self.observer.finalized("ok", "", time.monotonic() - begun)
        _log.info("finalized", extra={"verdict": str(judged.result.verdict), "from_cache": judged.from_cache})
        if judged.logs is not None:
            self.uploads.begin(judged.logs, judged.result)
        self.reached("before_ack")
        return Settled(Settlement.DONE)

    async def _refused(self, claim: ClaimedJob, refusal: SubmissionRefusal) -> Settled:
        _log.warning("the result is refused", extra={"reason": str(refusal)})
        if refusal is SubmissionRefusal.MALFORMED_RESULT:
            # A defect of ours: the attempt is still open, and ends like any that failed.
            return await self._report(claim, JudgingFailedError(Failure.INFRASTRUCTURE, refusal))
        return Settled(Settlement.REFUSED, refusal)

    async def _report(self, claim: ClaimedJob, error: JudgingFailedError) -> Settled:
        _log.warning("judging failed: %s", error)
        try:
            refusal = await self.records.report_failure(
                claim.ref, error.failure, error.detail[:_ERROR_CHARACTERS], error.needs
            )
        except RecordsFailedError as unreachable:
            _log.warning("the failure could not be reported: %s", unreachable)
            return Settled(Settlement.FAILED, "record_unavailable")
        return Settled(Settlement.REFUSED, refusal or error.failure)


def _outcome(error: JudgingFailedError) -> str:
    if isinstance(error, JudgingTimedOutError):
        return "timeout"
    return "error" if is_retryable(error.failure) else "reject"


def _order(claim: ClaimedJob) -> JudgeOrder:
    try:
        language = language_slug(claim.language)
    except InvalidValueError as error:
        raise UnknownLanguageError(claim.language) from error
    try:
        source = SourceCode.parse(claim.source, _SOURCE_LIMIT)
    except InvalidValueError as error:
        raise JudgingFailedError(Failure.POLICY_VIOLATION, str(error)) from error
    return JudgeOrder(
        ref=claim.ref, revision=claim.revision, language=language, source=source, fresh=claim.fresh
    )
