"""Record's worker calls. Claims and writes of several jobs share a call; each is answered on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final, Protocol
from uuid import UUID

import grpc

from deepoj_domain.documents import JUDGE_RESULT, MANIFEST
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Abilities, Needs
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_judgement.commands.worker.orders import Drain, Orders
from deepoj_judgement.commands.worker.ports import ClaimedJob, RecordsFailedError
from deepoj_judgement.commands.worker.reproduce import Reproduced, Reproduction
from deepoj_kit.batching import Batched
from deepoj_kit.documents import Document
from deepoj_kit.grpc import RemoteError
from deepoj_kit.grpc.mapping import Mapper
from deepoj_proto.record.v1 import record_pb2 as pb
from deepoj_proto.record.v1.record_pb2_grpc import WorkerServiceStub


def _senseless(reason: str, message: str) -> RecordsFailedError:
    return RecordsFailedError(f"record answered what makes no sense: {message} ({reason})")


_MAPPER: Final = Mapper(error=_senseless)
_CLAIM_REFUSED: Final = _MAPPER.field(pb.ClaimOutcome, "refused", SubmissionRefusal)
_BEAT_REFUSED: Final = _MAPPER.field(pb.HeartbeatOutcome, "refused", SubmissionRefusal)
_DRAIN: Final = _MAPPER.reader(pb.WorkerDrain, Drain)
_WRITE_REFUSED: Final = _MAPPER.field(pb.WriteOutcome, "refused", SubmissionRefusal)
_RESULT: Final = Document(JUDGE_RESULT, InvalidValueError)
_MANIFEST: Final = Document(MANIFEST, InvalidValueError)
_SERVICE: Final = "/deepoj.record.v1.WorkerService/"
IDEMPOTENT: Final = tuple(
    _SERVICE + name
    for name in ("GetLeaseTerms", "Claim", "Reclaim", "Heartbeat", "Finalize", "ReportFailure", "GetOrders")
)


class GrpcRecords:
    def __init__(
        self, channel: grpc.aio.Channel, worker: str, abilities: Callable[[], Abilities | None] = lambda: None
    ) -> None:
        self._calls = WorkerServiceStub(channel)
        self._worker = worker
        self._abilities = abilities
        self.claim = Batched(self._claim)
        self.reclaim = Batched(self._reclaim)
        self._finalizing = Batched(self._finalize)
        self._failing = Batched(self._report_failure)

    async def terms(self) -> LeaseTerms:
        with _translated():
            told = await self._calls.GetLeaseTerms(pb.GetLeaseTermsRequest())
        try:
            return LeaseTerms(
                duration=told.duration.ToTimedelta(),
                heartbeat=told.heartbeat.ToTimedelta(),
                grace=told.grace.ToTimedelta(),
            )
        except InvalidValueError as error:
            raise RecordsFailedError(f"record told lease terms that make no sense: {error}") from error

    async def orders(self) -> Orders:
        try:
            told = await self._calls.GetOrders(pb.GetOrdersRequest(worker=self._worker))
        except RemoteError as error:
            if _is_older(error):
                return Orders()
            raise RecordsFailedError(str(error)) from error
        drain = _DRAIN(told.drain) if told.HasField("drain") else None
        return Orders(drain, [_reproduction(each) for each in told.reproductions])

    async def answer(self, reproduction_id: str, answer: Reproduced | str) -> None:
        request = pb.AnswerReproductionRequest(worker=self._worker, reproduction_id=reproduction_id)
        if isinstance(answer, str):
            request.answer.problem = answer
        else:
            request.answer.result = _RESULT.encode(answer.result)
            request.answer.manifest = b"" if answer.manifest is None else _MANIFEST.encode(answer.manifest)
        with _translated():
            await self._calls.AnswerReproduction(request)

    async def finalize(self, ref: RunRef, result: JudgeResult, toolchain: str) -> SubmissionRefusal | None:
        document = _RESULT.encode(result)
        return await self._finalizing(
            pb.FinishedJob(attempt=_attempt(ref), document=document, toolchain=toolchain)
        )

    async def report_failure(
        self, ref: RunRef, failure: Failure, error: str, needs: Needs | None = None
    ) -> SubmissionRefusal | None:
        job = _MAPPER.build(pb.FailedJob, {"attempt": _attempt(ref), "failure": failure, "error": error})
        if needs is not None:
            job.needs.CopyFrom(_told(needs))
        return await self._failing(job)

    async def heartbeat(self, refs: Sequence[RunRef]) -> Sequence[datetime | SubmissionRefusal]:
        request = pb.HeartbeatRequest(worker=self._worker, attempts=[_attempt(ref) for ref in refs])
        with _translated():
            outcomes = (await self._calls.Heartbeat(request)).outcomes
        _same_jobs([ref.job_id for ref in refs], outcomes)
        return [
            _BEAT_REFUSED(each)
            if each.WhichOneof("outcome") == "refused"
            else each.lease_until.ToDatetime(tzinfo=UTC)
            for each in outcomes
        ]

    async def _claim(self, job_ids: Sequence[str]) -> Sequence[ClaimedJob | SubmissionRefusal]:
        with _translated():
            answer = await self._calls.Claim(
                pb.ClaimRequest(worker=self._worker, job_ids=job_ids, abilities=self._told())
            )
        return _claims(job_ids, answer.outcomes)

    async def _reclaim(self, job_ids: Sequence[str]) -> Sequence[ClaimedJob | SubmissionRefusal]:
        with _translated():
            answer = await self._calls.Reclaim(
                pb.ReclaimRequest(worker=self._worker, job_ids=job_ids, abilities=self._told())
            )
        return _claims(job_ids, answer.outcomes)

    def _told(self) -> pb.Abilities | None:
        abilities = self._abilities()
        return None if abilities is None else _told(abilities)

    async def _finalize(self, jobs: Sequence[pb.FinishedJob]) -> Sequence[SubmissionRefusal | None]:
        with _translated():
            answer = await self._calls.Finalize(pb.FinalizeRequest(worker=self._worker, jobs=jobs))
        return _written([job.attempt.job_id for job in jobs], answer.outcomes)

    async def _report_failure(self, jobs: Sequence[pb.FailedJob]) -> Sequence[SubmissionRefusal | None]:
        with _translated():
            answer = await self._calls.ReportFailure(pb.ReportFailureRequest(worker=self._worker, jobs=jobs))
        return _written([job.attempt.job_id for job in jobs], answer.outcomes)


def _reproduction(asked: pb.ReproductionOrder) -> Reproduction:
    try:
        revision = RevisionRef(QuestionId(UUID(asked.question_id)), asked.question_revision)
    except (InvalidValueError, ValueError) as error:
        raise RecordsFailedError(f"record sent an order that makes no sense: {error}") from error
    return Reproduction(asked.reproduction_id, revision, asked.language, asked.source)


def _is_older(error: RemoteError) -> bool:
    """Record of the release before has no orders: it does not know the call, or hosts may not make it."""
    return error.reason in {"unimplemented", "call_not_allowed"}


def _told(of: Abilities | Needs) -> pb.Abilities:
    return pb.Abilities(languages=sorted(of.languages), memory_mib=of.memory_mib)


def _claims(
    job_ids: Sequence[str], outcomes: Sequence[pb.ClaimOutcome]
) -> list[ClaimedJob | SubmissionRefusal]:
    _same_jobs(job_ids, outcomes)
    return [
        _CLAIM_REFUSED(each)
        if each.WhichOneof("outcome") == "refused"
        else _granted(each.job_id, each.claimed)
        for each in outcomes
    ]


def _granted(job_id: str, job: pb.ClaimedJob) -> ClaimedJob:
    try:
        revision = RevisionRef(QuestionId(UUID(job.question_id)), job.question_revision)
    except (InvalidValueError, ValueError) as error:
        raise RecordsFailedError(f"record sent a claim that makes no sense: {error}") from error
    return ClaimedJob(
        ref=RunRef(job_id, job.attempt_id),
        lease_until=job.lease_until.ToDatetime(tzinfo=UTC),
        revision=revision,
        language=job.language,
        source=job.source,
        fresh=job.fresh,
    )


def _written(job_ids: Sequence[str], outcomes: Sequence[pb.WriteOutcome]) -> list[SubmissionRefusal | None]:
    _same_jobs(job_ids, outcomes)
    return [_WRITE_REFUSED(each) if each.WhichOneof("outcome") == "refused" else None for each in outcomes]


class _Named(Protocol):
    @property
    def job_id(self) -> str: ...


def _same_jobs(asked: Sequence[str], outcomes: Iterable[_Named]) -> None:
    if [each.job_id for each in outcomes] != list(asked):
        raise RecordsFailedError("record answered about other jobs than it was asked about")


def _attempt(ref: RunRef) -> pb.AttemptRef:
    return pb.AttemptRef(job_id=ref.job_id, attempt_id=ref.attempt_id)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except RemoteError as error:
        raise RecordsFailedError(str(error)) from error
