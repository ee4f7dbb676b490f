"""Every call of the contract that the other files do not make, over the wire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, GAME, QUESTION, a_result
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc.encode import judge_result
from deepoj_record.inbound.grpc.testing import ADMIN, OWNER, a_request, claimed, finalize, ref

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
    assert (seen.submissions, seen.judged, seen.changed) == (1, 0, 0)
    [effect] = seen.effects
    assert (effect.old_submission_id, effect.old_verdict, effect.new_verdict) == (old, AC, 0)
    apply = record_pb2.ApplyRejudgeRequest(actor=ADMIN, rejudge_id=rejudge)
    with pytest.raises(RemoteError) as early:
        await record.ApplyRejudge(apply)
    assert (early.value.kind, early.value.reason) == (Kind.PRECONDITION, "still_judging")
    await judge(worker, effect.new_submission_id, Verdict.WRONG_ANSWER)
    [effect] = (await preview(record, rejudge)).effects
    assert (effect.new_verdict, effect.old_score.micros, effect.new_score.micros) == (WA, 100_000_000, 0)
    assert (await record.ApplyRejudge(apply)).applied == 1
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
async def test_only_judges_and_admins_rejudge(
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


async def test_a_result_that_cannot_be_read_refuses_only_itself(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub
) -> None:
    good, bad = await submitted(record), await submitted(record)
    await worker.Claim(record_pb2.ClaimRequest(worker="w", job_ids=[good, bad]))
    nonsense = judging_pb2.JudgeResult(verdict=AC, score=judging_pb2.Score(micros=-1))
    jobs = [
        record_pb2.FinishedJob(attempt=ref(bad), result=nonsense),
        record_pb2.FinishedJob(attempt=ref(good), result=judge_result(a_result())),
    ]
    said = await worker.Finalize(record_pb2.FinalizeRequest(worker="w", jobs=jobs))
    assert said.outcomes[0].refused == record_pb2.REFUSAL_REASON_MALFORMED_RESULT
    assert said.outcomes[1].written.status == record_pb2.STATUS_FINISHED
    left = await record.Get(record_pb2.GetRequest(actor=ADMIN, submission_id=bad))
    assert left.submission.status == record_pb2.STATUS_RUNNING


async def test_lists_counts_and_stats(record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub) -> None:
    practice, contest = await judged(record, worker), await judged(record, worker, game=str(GAME))
    waiting = await submitted(record)
    page = await record.List(
        record_pb2.ListRequest(actor=OWNER, page=common_pb2.PageRequest(size=2), ascending=True)
    )
    assert [each.id for each in page.submissions] == [practice, contest]
    rest = await record.List(
        record_pb2.ListRequest(
            actor=OWNER, page=common_pb2.PageRequest(size=2, cursor=page.page.next_cursor), ascending=True
        )
    )
    assert [each.id for each in rest.submissions] == [waiting]
    assert rest.page.next_cursor == ""
    stats = await record.QueueStats(record_pb2.QueueStatsRequest(actor=ADMIN))
    [queue] = stats.queues
    assert (queue.lane, queue.band, queue.waiting) == (
        judging_pb2.LANE_HEAVY, judging_pb2.BAND_NORMAL, 1,
    )  # fmt: skip
    account, question = str(ALICE), str(QUESTION)
    best = await record.BestRecord(
        record_pb2.BestRecordRequest(actor=ADMIN, account_id=account, question_id=question, game_id=str(GAME))
    )
    assert best.submission.id == contest
    none = await record.BestRecord(
        record_pb2.BestRecordRequest(actor=ADMIN, account_id=str(BOB), question_id=question)
    )
    assert not none.HasField("submission")
    passed = await record.CountPassed(record_pb2.CountPassedRequest(account_id=account))
    assert passed.questions == 1
    [count] = (
        await record.CountByQuestion(record_pb2.CountByQuestionRequest(question_ids=[question]))
    ).counts
    assert (count.submitted, count.accepted) == (3, 2)
    [day] = (await record.CountByDay(today(account))).days
    assert (day.submitted, day.accepted) == (3, 2)
    load = await record.AccountLoad(record_pb2.AccountLoadRequest(account_id=account))
    assert (load.in_flight, load.submitted_today) == (1, 3)


async def test_explain_over_the_wire(record: RecordServiceAsyncStub) -> None:
    job = await submitted(record)
    said = await record.Explain(record_pb2.ExplainRequest(actor=OWNER, submission_id=job))
    assert (said.lane, said.band) == (judging_pb2.LANE_HEAVY, judging_pb2.BAND_NORMAL)
    assert said.HasField("position")
    assert said.summary.startswith("Waits ")


def today(account: str) -> record_pb2.CountByDayRequest:
    now = datetime.now(UTC)
    start, end = Timestamp(), Timestamp()
    start.FromDatetime(now - timedelta(hours=1))
    end.FromDatetime(now + timedelta(hours=1))
    return record_pb2.CountByDayRequest(account_id=account, before=end, **{"from": start})


async def preview(record: RecordServiceAsyncStub, rejudge: str) -> record_pb2.PreviewRejudgeResponse:
    return await record.PreviewRejudge(record_pb2.PreviewRejudgeRequest(actor=ADMIN, rejudge_id=rejudge))


async def submitted(record: RecordServiceAsyncStub, game: str = "") -> str:
    return (await record.Submit(a_request(game=game))).submission_id


async def judged(record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub, game: str = "") -> str:
    job = await submitted(record, game)
    await judge(worker, job, Verdict.ACCEPTED)
    return job


async def judge(worker: WorkerServiceAsyncStub, job: str, verdict: Verdict) -> None:
    attempt = (await claimed(worker, job)).attempt_id
    written = await finalize(worker, job, attempt, verdict=verdict)
    assert written.written.status == record_pb2.STATUS_FINISHED
