"""Every call of the contract that the other files do not make, over the wire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_domain.testing import ALICE, BOB, GAME, QUESTION, a_result
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc.encode import judge_result
from deepoj_record.inbound.grpc.testing import ADMIN, OWNER, judged, ref, submitted

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub

AC, WA = judging_pb2.VERDICT_ACCEPTED, judging_pb2.VERDICT_WRONG_ANSWER


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
    stats = await record.QueueStats(record_pb2.QueueStatsRequest())
    [queue] = stats.queues
    assert (queue.lane, queue.band, queue.waiting) == (
        judging_pb2.LANE_HEAVY, judging_pb2.BAND_NORMAL, 1,
    )  # fmt: skip
    account, question = str(ALICE), str(QUESTION)
    best = await record.BestRecord(
        record_pb2.BestRecordRequest(account_id=account, question_id=question, game_id=str(GAME))
    )
    assert best.submission.id == contest
    none = await record.BestRecord(record_pb2.BestRecordRequest(account_id=str(BOB), question_id=question))
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
