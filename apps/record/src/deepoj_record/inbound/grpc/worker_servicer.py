"""The record service as judge workers see it: every call takes a batch and answers per job, in order."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.route import Abilities
from deepoj_domain.submission.states import Running
from deepoj_domain.submission.submission import SubmissionOutcome, SubmissionRefusal
from deepoj_kit.failpoint import fail_point
from deepoj_kit.grpc import Kind, refuse
from deepoj_kit.grpc.guests import calling_guest
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import WorkerServiceServicer
from deepoj_record.commands.claim import Claim, Exhausted, Granted, GrantOutcome, Reclaim, SentOn
from deepoj_record.commands.finalize import Finalize, FinishedAttempt
from deepoj_record.commands.heartbeat import AttemptRef, Heartbeat
from deepoj_record.commands.judge_hosts import IdentifyHost, is_worker_of
from deepoj_record.commands.report_failure import FailedAttempt, ReportFailure
from deepoj_record.commands.reproductions import AnswerReproduction, ReproductionAnswer, ReproductionId
from deepoj_record.inbound.grpc import mapper
from deepoj_record.inbound.grpc.judge_results import read_result, read_toolchain
from deepoj_record.inbound.grpc.mapper import MAPPER
from deepoj_record.queries.orders import GetOrders, Orders

_SERVICE: Final = "/deepoj.record.v1.WorkerService/"
# What a judge host may call with its own credential.
FOR_HOSTS: Final = frozenset(
    _SERVICE + name
    for name in (
        "GetLeaseTerms",
        "Claim",
        "Reclaim",
        "Heartbeat",
        "Finalize",
        "ReportFailure",
        "GetOrders",
        "AnswerReproduction",
    )
)
_log = logging.getLogger(__name__)
# The other reasons belong to commands that no worker calls.
_REASONS: Final[Mapping[SubmissionRefusal, record_pb2.RefusalReason.ValueType]] = {
    reason: record_pb2.RefusalReason.Value(f"REFUSAL_REASON_{reason.name}")
    for reason in SubmissionRefusal
    if f"REFUSAL_REASON_{reason.name}" in record_pb2.RefusalReason.keys()  # noqa: SIM118 — it is no dict
}
_TERMS: Final = MAPPER.writer(LeaseTerms, record_pb2.GetLeaseTermsResponse)
_FAILED: Final = MAPPER.reader(record_pb2.FailedJob, FailedAttempt)
_ORDERS: Final = MAPPER.writer(Orders, record_pb2.GetOrdersResponse)
_ANSWER: Final = MAPPER.reader(record_pb2.ReproductionAnswer, ReproductionAnswer)
_reproduction_id: Final = MAPPER.id("reproduction_id", ReproductionId)
_CLAIMED: Final = MAPPER.writer(Granted, record_pb2.ClaimedJob)


@dataclass(frozen=True, slots=True)
class WorkerUseCases:
    terms: LeaseTerms
    claim: Claim
    reclaim: Reclaim
    heartbeat: Heartbeat
    finalize: Finalize
    report_failure: ReportFailure
    orders: GetOrders
    answer: AnswerReproduction
    identify_host: IdentifyHost


class WorkerServicer(WorkerServiceServicer):
    def __init__(self, use_cases: WorkerUseCases) -> None:
        self._use_cases = use_cases

    async def GetLeaseTerms(
        self, request: record_pb2.GetLeaseTermsRequest, context: object
    ) -> record_pb2.GetLeaseTermsResponse:
        return _TERMS(self._use_cases.terms)

    async def Claim(self, request: record_pb2.ClaimRequest, context: object) -> record_pb2.ClaimResponse:
        ids = mapper.job_ids(request.job_ids)
        fail_point("before_granting")
        outcomes = await self._use_cases.claim(_worker(request.worker), ids, _abilities(request))
        fail_point("after_granting")
        return record_pb2.ClaimResponse(outcomes=map(_granted, ids, outcomes))

    async def Reclaim(
        self, request: record_pb2.ReclaimRequest, context: object
    ) -> record_pb2.ReclaimResponse:
        ids = mapper.job_ids(request.job_ids)
        outcomes = await self._use_cases.reclaim(_worker(request.worker), ids, _abilities(request))
        return record_pb2.ReclaimResponse(outcomes=map(_granted, ids, outcomes))

    async def Heartbeat(
        self, request: record_pb2.HeartbeatRequest, context: object
    ) -> record_pb2.HeartbeatResponse:
        ids = mapper.job_ids(attempt.job_id for attempt in request.attempts)
        beats = [AttemptRef(key, each.attempt_id) for key, each in zip(ids, request.attempts, strict=True)]
        outcomes = await self._use_cases.heartbeat(_worker(request.worker), beats)
        return record_pb2.HeartbeatResponse(outcomes=map(_extended, ids, outcomes))

    async def Finalize(
        self, request: record_pb2.FinalizeRequest, context: object
    ) -> record_pb2.FinalizeResponse:
        ids = mapper.job_ids(job.attempt.job_id for job in request.jobs)
        jobs = [
            FinishedAttempt(
                key, job.attempt.attempt_id, _result(key, job.document), read_toolchain(job.toolchain)
            )
            for key, job in zip(ids, request.jobs, strict=True)
        ]
        fail_point("before_fenced_write")
        outcomes = await self._use_cases.finalize(_worker(request.worker), jobs)
        fail_point("after_fenced_write")
        return record_pb2.FinalizeResponse(outcomes=_written(ids, outcomes))

    async def ReportFailure(
        self, request: record_pb2.ReportFailureRequest, context: object
    ) -> record_pb2.ReportFailureResponse:
        ids = mapper.job_ids(job.attempt.job_id for job in request.jobs)
        jobs = [_FAILED(job) for job in request.jobs]
        outcomes = await self._use_cases.report_failure(_worker(request.worker), jobs)
        return record_pb2.ReportFailureResponse(outcomes=_written(ids, outcomes))

    async def GetOrders(
        self, request: record_pb2.GetOrdersRequest, context: object
    ) -> record_pb2.GetOrdersResponse:
        return _ORDERS(await self._use_cases.orders(_worker(request.worker)))

    async def AnswerReproduction(
        self, request: record_pb2.AnswerReproductionRequest, context: object
    ) -> record_pb2.AnswerReproductionResponse:
        key = _reproduction_id(request.reproduction_id)
        await self._use_cases.answer(_worker(request.worker), key, _ANSWER(request.answer))
        return record_pb2.AnswerReproductionResponse()

    async def IdentifyHost(
        self, request: record_pb2.IdentifyHostRequest, context: object
    ) -> record_pb2.IdentifyHostResponse:
        name = await self._use_cases.identify_host(request.credential)
        return record_pb2.IdentifyHostResponse(name=name or "")


def _worker(text: str) -> WorkerId:
    """A judge host speaks for its own workers only: leases are fenced by their names."""
    worker, host = mapper.worker(text), calling_guest()
    if host is not None and not is_worker_of(worker, host):
        refuse(Kind.FORBIDDEN, "foreign_worker", f"the host {host} may not speak for the worker {worker}")
    return worker


def _abilities(request: record_pb2.ClaimRequest | record_pb2.ReclaimRequest) -> Abilities | None:
    return mapper.abilities(request.abilities) if request.HasField("abilities") else None


def _result(key: SubmissionId, document: bytes) -> JudgeResult | None:
    """One worker's nonsense must not hold back the results beside it."""
    try:
        return read_result(document)
    except InvalidValueError as error:
        _log.warning("the result of %s cannot be read: %s", key, error, extra={"job_id": str(key)})
        return None


def _granted(key: SubmissionId, outcome: GrantOutcome) -> record_pb2.ClaimOutcome:
    match outcome:
        case Granted():
            return record_pb2.ClaimOutcome(job_id=str(key), claimed=_CLAIMED(outcome))
        case Exhausted():
            reason = _REASONS[SubmissionRefusal.ATTEMPTS_EXHAUSTED]
            return record_pb2.ClaimOutcome(job_id=str(key), refused=reason)
        case SentOn():
            reason = _REASONS[SubmissionRefusal.UNABLE_HOST]
            return record_pb2.ClaimOutcome(job_id=str(key), refused=reason)
        case Refused():
            return record_pb2.ClaimOutcome(job_id=str(key), refused=_REASONS[outcome.reason])


def _extended(key: SubmissionId, outcome: SubmissionOutcome) -> record_pb2.HeartbeatOutcome:
    match outcome:
        case Changed(after) if isinstance(after.state, Running):
            until = after.state.lease.until
            return MAPPER.build(record_pb2.HeartbeatOutcome, {"job_id": key, "lease_until": until})
        case Changed(after):
            raise TypeError(f"a heartbeat made {key} {after.status}")
        case Refused():
            return record_pb2.HeartbeatOutcome(job_id=str(key), refused=_REASONS[outcome.reason])


def _written(
    ids: Sequence[SubmissionId], outcomes: Sequence[SubmissionOutcome]
) -> list[record_pb2.WriteOutcome]:
    return [_write(key, outcome) for key, outcome in zip(ids, outcomes, strict=True)]


def _write(key: SubmissionId, outcome: SubmissionOutcome) -> record_pb2.WriteOutcome:
    match outcome:
        case Changed(after):
            written = MAPPER.build(record_pb2.Written, {"status": after.status})
            return record_pb2.WriteOutcome(job_id=str(key), written=written)
        case Refused():
            return record_pb2.WriteOutcome(job_id=str(key), refused=_REASONS[outcome.reason])
