"""Every call of the contract that the other files do not make, over the wire."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from apps.record.tests.people import ADMIN, OWNER, a_request, judged, ref, submitted
from deepoj_domain.testing import ALICE, BOB, GAME, QUESTION, a_result
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc.judge_results import RESULT

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub

AC, WA = judging_pb2.VERDICT_ACCEPTED, judging_pb2.VERDICT_WRONG_ANSWER


async def test_workers_are_told_the_terms_that_leases_are_granted_on(worker: WorkerServiceAsyncStub) -> None:
    told = await worker.GetLeaseTerms(record_pb2.GetLeaseTermsRequest())
    terms = [each.ToTimedelta() for each in (told.duration, told.heartbeat, told.grace)]
    assert terms == [timedelta(minutes=1), timedelta(seconds=1), timedelta(0)]


async def test_a_result_that_cannot_be_read_refuses_only_itself(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub
) -> None:
    good, bad = await submitted(record), await submitted(record)
    await worker.Claim(record_pb2.ClaimRequest(worker="w", job_ids=[good, bad]))
    nonsense = RESULT.encode(a_result()).replace(b'"micros":', b'"micros":-')
    jobs = [
        record_pb2.FinishedJob(attempt=ref(bad), document=nonsense),
        record_pb2.FinishedJob(attempt=ref(good), document=RESULT.encode(a_result())),
    ]
    said = await worker.Finalize(record_pb2.FinalizeRequest(worker="w", jobs=jobs))
    assert said.outcomes[0].refused == record_pb2.REFUSAL_REASON_MALFORMED_RESULT
    assert said.outcomes[1].written.status == record_pb2.STATUS_FINISHED
    left = await record.Get(record_pb2.GetRequest(actor=ADMIN, submission_id=bad))
    assert left.submission.status == record_pb2.STATUS_RUNNING


async def test_of_many_submissions_each_is_answered_as_if_it_came_alone(
    record: RecordServiceAsyncStub, queued: Callable[[int], Awaitable[list[dict[str, str]]]]
) -> None:
    first, again, second = a_request(key="k"), a_request(key="k"), a_request()
    unknown, empty = a_request(language="cobol"), a_request(source="")
    traces = [f"00-{number:032x}-{number:016x}-00" for number in range(1, 6)]
    submissions = [
        record_pb2.TracedSubmit(submission=each, traceparent=trace)
        for each, trace in zip((first, unknown, empty, second, again), traces, strict=True)
    ]
    answer = await record.SubmitMany(record_pb2.SubmitManyRequest(submissions=submissions))
    kinds = [each.WhichOneof("outcome") for each in answer.outcomes]
    assert kinds == ["accepted", "refused", "refused", "accepted", "accepted"]
    repeated = answer.outcomes[4].accepted
    assert (repeated.submission_id, repeated.repeated) == (first.submission_id, True)
    refusals = [(each.refused.kind, each.refused.reason) for each in answer.outcomes[1:3]]
    assert refusals == [("invalid", "unknown_language"), ("invalid", "source_empty")]
    jobs = {each["job_id"]: each["traceparent"] for each in await queued(2)}
    assert jobs.keys() == {first.submission_id, second.submission_id}
    assert jobs[second.submission_id].split("-")[1] == traces[3].split("-")[1]


async def test_a_batch_of_nothing_and_one_that_is_too_large_are_refused(
    record: RecordServiceAsyncStub,
) -> None:
    for size in (0, 257):
        submissions = [record_pb2.TracedSubmit() for _ in range(size)]
        with pytest.raises(RemoteError) as refused:
            await record.SubmitMany(record_pb2.SubmitManyRequest(submissions=submissions))
        assert (refused.value.kind, refused.value.reason) == (Kind.INVALID, "batch_size")


async def test_many_of_the_longest_sources_fit_into_one_call_and_one_claim(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub
) -> None:
    longest = [a_request(source="x" * 32_768) for _ in range(200)]
    submissions = [record_pb2.TracedSubmit(submission=each) for each in longest]
    answer = await record.SubmitMany(record_pb2.SubmitManyRequest(submissions=submissions))
    assert {each.refused.reason for each in answer.outcomes} == {""}
    ids = [each.submission_id for each in longest]
    claims = await worker.Claim(record_pb2.ClaimRequest(worker="w", job_ids=ids))
    assert all(len(each.claimed.source) == 32_768 for each in claims.outcomes)


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
