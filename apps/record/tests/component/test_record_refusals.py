"""What record refuses, with which reason, and that nothing is stored then."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from uuid import uuid4

import psycopg
import pytest

from apps.record.tests.people import (
    ADMIN,
    GUEST,
    OTHER,
    a_request,
    claimed,
    finalize,
    ref,
    submitted,
)
from deepoj_domain.testing import ALICE, GAME
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.services import Service
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.record.v1 import record_pb2

Queued = Callable[[int], Awaitable[list[dict[str, str]]]]

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.mark.parametrize(
    ("change", "kind", "reason"),
    [
        ({"source": ""}, Kind.INVALID, "source_empty"),
        ({"source": "a\0"}, Kind.INVALID, "source_has_nul"),
        ({"source": "x" * (64 * 1024 + 1)}, Kind.INVALID, "source_too_large"),
        ({"source": "x" * (32 * 1024 + 1)}, Kind.INVALID, "source_too_large"),
        ({"language": "Cobol!"}, Kind.INVALID, "language_malformed"),
        ({"language": "cobol"}, Kind.INVALID, "unknown_language"),
        ({"language": "rust"}, Kind.INVALID, "language_not_allowed"),
        ({"question_id": str(ALICE)}, Kind.NOT_FOUND, "unknown_question"),
        ({"question_id": "7"}, Kind.INVALID, "question_id_malformed"),
        ({"submission_id": ""}, Kind.INVALID, "submission_id_malformed"),
        ({"game_id": "7"}, Kind.INVALID, "game_id_malformed"),
        ({"idempotency_key": "\n"}, Kind.INVALID, "idempotency_key_malformed"),
        ({"actor": GUEST}, Kind.FORBIDDEN, "sign_in_required"),
        ({"actor": common_pb2.Actor(role=common_pb2.ROLE_ADMIN)}, Kind.INVALID, "account_id_malformed"),
    ],
)
async def test_bad_input_is_refused_with_a_reason_and_stores_nothing(
    record: RecordServiceAsyncStub, record_url: str, change: dict[str, object], kind: Kind, reason: str
) -> None:
    request = a_request()
    for name, value in change.items():
        if isinstance(value, common_pb2.Actor):
            request.actor.CopyFrom(value)
        else:
            setattr(request, name, value)
    with pytest.raises(RemoteError) as refused:
        await record.Submit(request)
    assert (refused.value.kind, refused.value.reason) == (kind, reason)
    assert rows(record_url) == 0


async def test_a_key_used_for_another_body_is_a_conflict(record: RecordServiceAsyncStub) -> None:
    await record.Submit(a_request(key="k"))
    other = a_request(key="k")
    other.source = "something else"
    with pytest.raises(RemoteError) as refused:
        await record.Submit(other)
    assert (refused.value.kind, refused.value.reason) == (Kind.CONFLICT, "idempotency_key_reused")


async def test_other_peoples_submissions_stay_theirs(record: RecordServiceAsyncStub) -> None:
    practice, contest = a_request(), a_request()
    contest.game_id = str(GAME)
    for request in (practice, contest):
        await record.Submit(request)
    outline = await record.Get(record_pb2.GetRequest(actor=OTHER, submission_id=practice.submission_id))
    assert outline.submission.source == ""
    hidden = (Kind.NOT_FOUND, "not_found")
    own = record_pb2.CancelRequest(actor=OTHER, submission_id=practice.submission_id)
    assert await refusal(record.Cancel(own)) == hidden
    for actor, job in ((OTHER, contest), (GUEST, practice)):
        asked = record_pb2.GetRequest(actor=actor, submission_id=job.submission_id)
        assert await refusal(record.Get(asked)) == hidden
    stop = record_pb2.CancelRequest(actor=OTHER, submission_id=contest.submission_id)
    assert await refusal(record.Cancel(stop)) == hidden
    dodge = record_pb2.CancelRequest(actor=contest.actor, submission_id=contest.submission_id)
    assert await refusal(record.Cancel(dodge)) == (Kind.FORBIDDEN, "in_a_contest")
    cancelled = await record.Cancel(
        record_pb2.CancelRequest(actor=ADMIN, submission_id=contest.submission_id)
    )
    assert cancelled.submission.status == record_pb2.STATUS_CANCELLED
    assert cancelled.submission.reason == "cancelled_by_staff"


def by(role: common_pb2.Role.ValueType) -> common_pb2.Actor:
    return common_pb2.Actor(account_id=str(ALICE), role=role)


async def test_rejudges_and_queues_are_for_judges_and_dead_letters_for_admins(
    record: RecordServiceAsyncStub,
) -> None:
    missing = str(uuid4())
    for role in common_pb2.Role.values():
        actor = by(role)
        calls = (
            record.ListRejudges(record_pb2.ListRejudgesRequest(actor=actor)),
            record.PreviewRejudge(record_pb2.PreviewRejudgeRequest(actor=actor, rejudge_id=missing)),
            record.QueueStats(record_pb2.QueueStatsRequest(actor=actor)),
            record.ListDeadLetters(record_pb2.ListDeadLettersRequest(actor=actor)),
        )
        judge = role in {common_pb2.ROLE_JUDGE, common_pb2.ROLE_ADMIN}
        allowed = (judge, judge, judge, role == common_pb2.ROLE_ADMIN)
        assert tuple([await is_allowed(call) for call in calls]) == allowed, role


async def is_allowed(call: Awaitable[object]) -> bool:
    try:
        await call
    except RemoteError as error:
        return error.reason != "not_allowed"
    return True


async def test_a_worker_that_asks_wrongly_is_told_so(worker: WorkerServiceAsyncStub) -> None:
    job = str(uuid4())
    wrong: list[tuple[record_pb2.ClaimRequest, str]] = [
        (record_pb2.ClaimRequest(worker="", job_ids=[job]), "worker_malformed"),
        (record_pb2.ClaimRequest(worker="w"), "batch_size"),
        (record_pb2.ClaimRequest(worker="w", job_ids=[str(uuid4()) for _ in range(257)]), "batch_size"),
        (record_pb2.ClaimRequest(worker="w", job_ids=[job, job]), "job_twice"),
        (record_pb2.ClaimRequest(worker="w", job_ids=["garbage"]), "job_id_malformed"),
    ]
    for request, reason in wrong:
        with pytest.raises(RemoteError) as refused:
            await worker.Claim(request)
        assert (refused.value.kind, refused.value.reason) == (Kind.INVALID, reason)
    unknown = await worker.Claim(record_pb2.ClaimRequest(worker="w", job_ids=[job]))
    assert unknown.outcomes[0].refused == record_pb2.REFUSAL_REASON_NOT_FOUND
    failed = record_pb2.ReportFailureRequest(worker="w", jobs=[record_pb2.FailedJob(attempt=ref(job))])
    with pytest.raises(RemoteError) as no_reason:
        await worker.ReportFailure(failed)
    assert no_reason.value.reason == "failure_unknown"


async def refusal(call: Awaitable[object]) -> tuple[Kind, str]:
    with pytest.raises(RemoteError) as refused:
        await call
    return refused.value.kind, refused.value.reason


async def test_a_refused_write_back_is_logged_with_who_asked_and_what_was_found(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub, serving: Service
) -> None:
    job = await submitted(record)
    await claimed(worker, job)
    failed = record_pb2.FailedJob(attempt=ref(job), failure=record_pb2.FAILURE_SANDBOX_CRASH)
    await worker.ReportFailure(record_pb2.ReportFailureRequest(worker="w1", jobs=[failed]))
    await claimed(worker, job, "w2")
    late = await finalize(worker, job)
    assert late.refused == record_pb2.REFUSAL_REASON_STALE_ATTEMPT
    await eventually(lambda: "stale_attempt" in serving.log())
    [line] = [json.loads(each) for each in serving.log().splitlines() if "stale_attempt" in each]
    assert (line["job_id"], line["attempt_id"], line["stage"]) == (job, 1, "finalize")
    assert (line["db_attempt_id"], line["db_status"], line["db_lease_owner"]) == (2, "RUNNING", "w2")
    assert "db_lease_until" in line


def rows(record_url: str) -> int:
    with psycopg.connect(record_url) as connection:
        found = connection.execute("SELECT count(*) FROM record.submissions").fetchone()
    assert found is not None
    return int(found[0])
