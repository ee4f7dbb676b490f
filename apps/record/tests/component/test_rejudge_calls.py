"""Rejudges and dead letters, over the wire."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from uuid import uuid4

import psycopg
import pytest

from apps.record.tests.people import ADMIN, OWNER, claimed, finalize, judge, judged, ref, submitted
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, QUESTION
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.testing.conditions import PATIENCE
from deepoj_kit.testing.services import Service
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.record.v1 import record_pb2

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub

AC, WA = judging_pb2.VERDICT_ACCEPTED, judging_pb2.VERDICT_WRONG_ANSWER


async def test_a_rejudge_from_start_to_end(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub
) -> None:
    old = await judged(record, worker)
    rejudge = str(uuid4())
    by_question = record_pb2.SubmissionFilter(question_id=str(QUESTION))
    started = await record.StartRejudge(
        record_pb2.StartRejudgeRequest(actor=ADMIN, rejudge_id=rejudge, filter=by_question, reason="new data")
    )
    assert started.submissions == 1
    seen = await preview(record, rejudge)
    assert (seen.submissions, seen.judged, seen.failed, seen.changed) == (1, 0, 0, 0)
    [effect] = seen.effects
    assert (effect.old_submission_id, effect.old_verdict, effect.new_verdict) == (old, AC, 0)
    apply = record_pb2.ApplyRejudgeRequest(actor=ADMIN, rejudge_id=rejudge)
    with pytest.raises(RemoteError) as early:
        await record.ApplyRejudge(apply)
    assert (early.value.kind, early.value.reason) == (Kind.PRECONDITION, "still_judging")
    await judge(worker, effect.new_submission_id, Verdict.WRONG_ANSWER)
    [effect] = (await preview(record, rejudge)).effects
    assert (effect.new_verdict, effect.old_score.micros, effect.new_score.micros) == (WA, 100_000_000, 0)
    applied = await record.ApplyRejudge(apply)
    assert (applied.applied, applied.dropped) == (1, 0)
    head = await record.Get(record_pb2.GetRequest(actor=OWNER, submission_id=old, head=True))
    assert (head.submission.id, head.submission.result.verdict) == (effect.new_submission_id, WA)
    assert (head.submission.origin_id, head.submission.is_head) == (old, True)
    listed = await record.ListRejudges(record_pb2.ListRejudgesRequest(actor=ADMIN))
    assert [(each.id, each.state, each.reason) for each in listed.rejudges] == [
        (rejudge, record_pb2.REJUDGE_STATE_APPLIED, "new data")
    ]


async def test_a_rejudge_of_one_submission_thrown_away(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub
) -> None:
    old, rejudge = await judged(record, worker), str(uuid4())
    await record.StartRejudge(
        record_pb2.StartRejudgeRequest(actor=ADMIN, rejudge_id=rejudge, submission_id=old)
    )
    gone = await record.DiscardRejudge(record_pb2.DiscardRejudgeRequest(actor=ADMIN, rejudge_id=rejudge))
    assert gone.discarded == 1
    head = await record.Get(record_pb2.GetRequest(actor=OWNER, submission_id=old, head=True))
    assert head.submission.id == old


@pytest.mark.parametrize("role", [common_pb2.ROLE_CONTESTANT, common_pb2.ROLE_SETTER])
async def test_without_a_game_only_judges_and_admins_rejudge(
    record: RecordServiceAsyncStub, role: common_pb2.Role.ValueType
) -> None:
    actor = common_pb2.Actor(account_id=str(ALICE), role=role)
    with pytest.raises(RemoteError) as refused:
        await record.StartRejudge(
            record_pb2.StartRejudgeRequest(actor=actor, rejudge_id=str(uuid4()), submission_id=str(uuid4()))
        )
    assert (refused.value.kind, refused.value.reason) == (Kind.FORBIDDEN, "not_allowed")


async def test_a_dead_letter_is_listed_and_replayed(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub
) -> None:
    job = await submitted(record)
    await worker.Claim(record_pb2.ClaimRequest(worker="w", job_ids=[job]))
    failed = record_pb2.FailedJob(
        attempt=record_pb2.AttemptRef(job_id=job, attempt_id=1),
        failure=record_pb2.FAILURE_POLICY_VIOLATION,
        error="forbidden\0header",
    )
    said = await worker.ReportFailure(record_pb2.ReportFailureRequest(worker="w", jobs=[failed]))
    assert said.outcomes[0].written.status == record_pb2.STATUS_DEAD
    letters = await record.ListDeadLetters(record_pb2.ListDeadLettersRequest(actor=ADMIN))
    [letter] = letters.dead_letters
    assert (letter.submission_id, letter.reason, letter.attempts) == (job, "poison", 1)
    assert letter.last_error == "policy_violation: forbiddenheader"
    itself = record_pb2.ReplayDeadLetterRequest(actor=ADMIN, submission_id=job, new_submission_id=job)
    with pytest.raises(RemoteError) as taken:
        await record.ReplayDeadLetter(itself)
    assert (taken.value.kind, taken.value.reason) == (Kind.INVALID, "submission_id_taken")
    again = str(uuid4())
    replay = record_pb2.ReplayDeadLetterRequest(actor=ADMIN, submission_id=job, new_submission_id=again)
    assert (await record.ReplayDeadLetter(replay)).new_submission_id == again
    await judge(worker, again, Verdict.ACCEPTED)
    head = await record.Get(record_pb2.GetRequest(actor=OWNER, submission_id=job, head=True))
    assert head.submission.id == again


async def test_a_worker_is_told_to_judge_rejudges_and_replays_afresh(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub
) -> None:
    judged_once, dead = await submitted(record), await submitted(record)
    assert not (await claimed(worker, judged_once)).fresh
    await finalize(worker, judged_once)
    await claimed(worker, dead)
    failed = record_pb2.FailedJob(attempt=ref(dead), failure=record_pb2.FAILURE_MALFORMED_JOB)
    await worker.ReportFailure(record_pb2.ReportFailureRequest(worker="w1", jobs=[failed]))
    again, rejudge = str(uuid4()), str(uuid4())
    await record.ReplayDeadLetter(
        record_pb2.ReplayDeadLetterRequest(actor=ADMIN, submission_id=dead, new_submission_id=again)
    )
    await record.StartRejudge(
        record_pb2.StartRejudgeRequest(actor=ADMIN, rejudge_id=rejudge, submission_id=judged_once)
    )
    [effect] = (await preview(record, rejudge)).effects
    for job in (again, effect.new_submission_id):
        assert (await claimed(worker, job)).fresh


async def test_a_rejudge_of_an_old_submission_has_not_waited_since_it_was_submitted(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub, serving: Service, record_url: str
) -> None:
    old, rejudge = await judged(record, worker), str(uuid4())
    with psycopg.connect(record_url) as connection:
        connection.execute("UPDATE record.submissions SET submitted_at = submitted_at - interval '9 days'")
    await record.StartRejudge(
        record_pb2.StartRejudgeRequest(actor=ADMIN, rejudge_id=rejudge, submission_id=old)
    )
    [effect] = (await preview(record, rejudge)).effects
    await claimed(worker, effect.new_submission_id)
    [waited] = re.findall(r'record_wait_seconds_sum{band="bulk",lane="heavy"} (.+)', serving.metrics())
    assert float(waited) < PATIENCE


async def preview(record: RecordServiceAsyncStub, rejudge: str) -> record_pb2.PreviewRejudgeResponse:
    return await record.PreviewRejudge(record_pb2.PreviewRejudgeRequest(actor=ADMIN, rejudge_id=rejudge))
