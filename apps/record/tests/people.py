"""A contestant and a worker at the level of gRPC, for tests that see record from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, QUESTION, a_result
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc.judge_results import RESULT

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub

OWNER = common_pb2.Actor(account_id=str(ALICE), role=common_pb2.ROLE_CONTESTANT)
OTHER = common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_CONTESTANT)
ADMIN = common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_ADMIN)
GUEST = common_pb2.Actor(role=common_pb2.ROLE_GUEST)


def a_request(
    key: str = "", game: str = "", language: str = "cpp17", source: str = "int main() { return 42; }"
) -> record_pb2.SubmitRequest:
    return record_pb2.SubmitRequest(
        actor=OWNER,
        submission_id=str(uuid4()),
        idempotency_key=key,
        question_id=str(QUESTION),
        game_id=game,
        language=language,
        source=source,
    )


def ref(job: str, attempt: int = 1) -> record_pb2.AttemptRef:
    return record_pb2.AttemptRef(job_id=job, attempt_id=attempt)


async def claimed(worker: WorkerServiceAsyncStub, job: str, name: str = "w1") -> record_pb2.ClaimedJob:
    [outcome] = (await worker.Claim(record_pb2.ClaimRequest(worker=name, job_ids=[job]))).outcomes
    if outcome.WhichOneof("outcome") != "claimed":
        raise AssertionError(f"not claimed: {outcome}")
    return outcome.claimed


async def finalize(
    worker: WorkerServiceAsyncStub,
    job: str,
    attempt: int = 1,
    name: str = "w1",
    verdict: Verdict = Verdict.ACCEPTED,
) -> record_pb2.WriteOutcome:
    finished = record_pb2.FinishedJob(attempt=ref(job, attempt), document=RESULT.encode(a_result(verdict)))
    return (await worker.Finalize(record_pb2.FinalizeRequest(worker=name, jobs=[finished]))).outcomes[0]


async def submitted(record: RecordServiceAsyncStub, game: str = "") -> str:
    return (await record.Submit(a_request(game=game))).submission_id


async def judge(worker: WorkerServiceAsyncStub, job: str, verdict: Verdict = Verdict.ACCEPTED) -> None:
    attempt = (await claimed(worker, job)).attempt_id
    outcome = await finalize(worker, job, attempt, verdict=verdict)
    if outcome.written.status != record_pb2.STATUS_FINISHED:
        raise AssertionError(f"not judged: {outcome}")


async def judged(record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub, game: str = "") -> str:
    job = await submitted(record, game)
    await judge(worker, job)
    return job
