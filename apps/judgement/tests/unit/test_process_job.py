"""One job of the queue: what may run, what is written, and what is acknowledged."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from apps.judgement.tests.worker_fakes import LEASE, ScriptedRecords, ToldProgress, WorkerNotebook
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_domain.testing import NOW, QUESTION, a_result
from deepoj_judgement.commands.judge.errors import (
    JudgingFailedError,
    JudgingTimedOutError,
    LanguageNotAllowedError,
    SandboxFailedError,
    StoreFailedError,
)
from deepoj_judgement.commands.judge.judge import Judged, JudgeOrder
from deepoj_judgement.commands.judge.ports import JudgeLogs
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_judgement.commands.judge.testing import MemoryLogs
from deepoj_judgement.commands.worker.leases import Leases
from deepoj_judgement.commands.worker.log_uploads import LogUploads
from deepoj_judgement.commands.worker.ports import ClaimedJob, RecordsFailedError, Settled, Settlement
from deepoj_judgement.commands.worker.process_job import ProcessJob
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.conditions import running as kept_running

REF = RunRef("job-1", 1)
AWAY = RecordsFailedError("record is away")


def a_claim(language: str = "python3", source: str = "print()") -> ClaimedJob:
    return ClaimedJob(
        ref=REF, lease_until=NOW + LEASE, revision=RevisionRef(QUESTION, 1), language=language, source=source
    )


@dataclass
class Judging:
    """Stands for the judge: answers, raises, or takes as long as it is left alone."""

    answer: Judged | Exception | None = None
    orders: list[JudgeOrder] = field(default_factory=list)
    stopped: bool = False

    async def __call__(self, order: JudgeOrder) -> Judged:
        self.orders.append(order)
        if self.answer is None:
            try:
                await asyncio.Event().wait()
            finally:
                self.stopped = True
        if isinstance(self.answer, Exception):
            raise self.answer
        assert self.answer is not None
        return self.answer


@dataclass
class Bench:
    records: ScriptedRecords
    judging: Judging = field(default_factory=lambda: Judging(Judged(a_result(), JudgeLogs(REF))))
    notebook: WorkerNotebook = field(default_factory=WorkerNotebook)
    progress: ToldProgress = field(default_factory=ToldProgress)
    logs: MemoryLogs = field(default_factory=MemoryLogs)
    handing_back: asyncio.Event = field(default_factory=asyncio.Event)
    now: object = NOW

    def __post_init__(self) -> None:
        self.leases = Leases(self.records, self.notebook, lambda: NOW + 2 * LEASE)
        self.uploads = LogUploads(self.logs)
        self.process = ProcessJob(
            records=self.records,
            judge=self.judging,
            leases=self.leases,
            uploads=self.uploads,
            observer=self.notebook,
            progress=self.progress,
            handing_back=self.handing_back,
        )

    async def run(self, job: str = "job-1", *, reclaimed: bool = False) -> Settled:
        async with self.uploads:
            return await self.process(job, reclaimed=reclaimed)


async def test_a_claimed_job_is_judged_finalized_and_settled_in_this_order() -> None:
    bench = Bench(ScriptedRecords([a_claim()]))
    assert await bench.run() == Settled(Settlement.DONE)
    assert bench.records.calls == ["claim job-1", "finalize job-1 1"]
    assert bench.records.finalized == [a_result()]
    assert [logs.ref for logs, _ in bench.logs.stored] == [REF]


async def test_how_far_the_judge_is_is_told_in_the_name_of_the_attempt() -> None:
    bench = Bench(ScriptedRecords([a_claim()]))
    await bench.run()
    bench.judging.orders[0].tell([], 3)
    assert bench.progress.told == [(REF, 0, 3)]


@pytest.mark.parametrize(
    ("refusal", "how"),
    [
        (SubmissionRefusal.ALREADY_FINISHED, Settlement.REFUSED),
        (SubmissionRefusal.NOT_FOUND, Settlement.REFUSED),
        (SubmissionRefusal.ATTEMPTS_EXHAUSTED, Settlement.REFUSED),
        (SubmissionRefusal.LEASE_STILL_VALID, Settlement.KEPT),
    ],
)
async def test_inv_3_nothing_runs_before_a_claim_is_granted(
    refusal: SubmissionRefusal, how: Settlement
) -> None:
    bench = Bench(ScriptedRecords([refusal]))
    assert await bench.run() == Settled(how, refusal)
    assert bench.judging.orders == []
    assert bench.records.calls == ["claim job-1"]


async def test_inv_4_a_system_failure_keeps_the_message_and_a_refusal_settles_it() -> None:
    away = Settled(Settlement.FAILED, "record_unavailable")
    assert await Bench(ScriptedRecords([AWAY])).run() == away
    assert await Bench(ScriptedRecords([a_claim()], write=AWAY)).run() == away
    refused = Bench(ScriptedRecords([a_claim()], write=SubmissionRefusal.STALE_ATTEMPT))
    assert await refused.run() == Settled(Settlement.REFUSED, "stale_attempt")
    assert ("finalize", "rejected", "stale_attempt") in refused.notebook.notes
    assert refused.logs.stored == []


async def test_inv_2_the_message_is_settled_only_after_the_result_is_committed() -> None:
    bench = Bench(ScriptedRecords([a_claim()], write=AWAY))
    assert (await bench.run()).how is Settlement.FAILED
    assert bench.records.calls[-1] == "finalize job-1 1"


@pytest.mark.parametrize(
    ("error", "failure", "outcome"),
    [
        (SandboxFailedError("crash"), Failure.SANDBOX_CRASH, "error"),
        (JudgingTimedOutError(LEASE), Failure.SANDBOX_CRASH, "timeout"),
        (StoreFailedError("s3"), Failure.STORE_UNAVAILABLE, "error"),
        (RuntimeError("a defect of ours"), Failure.INFRASTRUCTURE, "error"),
        (LanguageNotAllowedError("c11"), Failure.POLICY_VIOLATION, "reject"),
    ],
)
async def test_retryable_errors_backoff_and_cap(error: Exception, failure: Failure, outcome: str) -> None:
    """The worker's half: it names the failure and settles; record delays, counts and ends."""
    bench = Bench(ScriptedRecords([a_claim()]), Judging(error))
    assert await bench.run() == Settled(Settlement.REFUSED, failure)
    assert bench.records.failures == [failure]
    assert bench.records.finalized == []
    assert ("exec", outcome) in bench.notebook.notes


async def test_a_failure_that_cannot_be_reported_keeps_the_message() -> None:
    bench = Bench(ScriptedRecords([a_claim()], write=AWAY), Judging(SandboxFailedError("crash")))
    assert await bench.run() == Settled(Settlement.FAILED, "record_unavailable")


@pytest.mark.parametrize(
    ("claim", "failure"),
    [
        (a_claim(language="Not A Language!"), Failure.UNKNOWN_LANGUAGE),
        (a_claim(source="a\0b"), Failure.POLICY_VIOLATION),
        (a_claim(source="   "), Failure.POLICY_VIOLATION),
    ],
)
async def test_what_can_never_be_judged_is_reported_once(claim: ClaimedJob, failure: Failure) -> None:
    bench = Bench(ScriptedRecords([claim]))
    assert await bench.run() == Settled(Settlement.REFUSED, failure)
    assert bench.judging.orders == []


@pytest.mark.parametrize(
    ("reclaimed", "claims", "reclaims", "calls"),
    [
        (True, [], [a_claim()], ["reclaim job-1"]),
        (True, [a_claim()], [SubmissionRefusal.NOT_IN_EXPECTED_STATE], ["reclaim job-1", "claim job-1"]),
        (False, [SubmissionRefusal.LEASE_EXPIRED], [a_claim()], ["claim job-1", "reclaim job-1"]),
    ],
)
async def test_a_job_of_a_lost_worker_is_taken_over_whatever_it_had_reached(
    reclaimed: bool,  # noqa: FBT001 — a parameter of the table
    claims: list[ClaimedJob | SubmissionRefusal | RecordsFailedError],
    reclaims: list[ClaimedJob | SubmissionRefusal],
    calls: list[str],
) -> None:
    bench = Bench(ScriptedRecords(claims, reclaims))
    assert (await bench.run(reclaimed=reclaimed)).how is Settlement.DONE
    assert bench.records.calls == [*calls, "finalize job-1 1"]


@pytest.mark.parametrize(
    ("beat", "settled"),
    [
        (SubmissionRefusal.ALREADY_FINISHED, Settled(Settlement.REFUSED, "already_finished")),
        (SubmissionRefusal.STALE_ATTEMPT, Settled(Settlement.KEPT, "stale_attempt")),
        (AWAY, Settled(Settlement.KEPT, "record_unavailable")),
    ],
)
async def test_a_lost_lease_or_a_cancel_stops_the_run_and_writes_nothing(
    beat: SubmissionRefusal | RecordsFailedError, settled: Settled
) -> None:
    bench = Bench(ScriptedRecords([a_claim()], beats=[beat]), Judging())
    running = asyncio.create_task(bench.run())
    await eventually(lambda: bool(bench.judging.orders))
    await bench.leases.beat()
    assert await running == settled
    assert bench.judging.stopped
    assert bench.records.calls == ["claim job-1"]
    assert ("exec", "abandoned") in bench.notebook.notes


async def test_a_job_said_to_be_over_is_asked_about_at_once_and_no_other() -> None:
    bench = Bench(ScriptedRecords([a_claim()], beats=[SubmissionRefusal.ALREADY_FINISHED]), Judging())
    async with kept_running(bench.leases):
        job = asyncio.create_task(bench.run())
        await eventually(lambda: bool(bench.judging.orders))
        bench.leases.doubt("job-2")
        bench.leases.doubt("job-1")
        assert await job == Settled(Settlement.REFUSED, "already_finished")
    assert [note for note in bench.notebook.notes if note[0] == "heartbeat"] == [
        ("heartbeat", "refused", "already_finished")
    ]


async def test_the_terms_of_leases_are_asked_for_until_record_tells_them() -> None:
    records = ScriptedRecords(silent=1)
    leases = Leases(records, WorkerNotebook(), lambda: NOW)
    await leases.learn(asyncio.Event())
    assert (leases.terms, records.silent) == (records.granted, 0)


async def test_a_worker_that_stops_waits_for_no_terms() -> None:
    stop = asyncio.Event()
    stop.set()
    records = ScriptedRecords(silent=1)
    await Leases(records, WorkerNotebook(), lambda: NOW).learn(stop)
    assert records.silent == 1


async def test_a_draining_worker_hands_its_job_back() -> None:
    bench = Bench(ScriptedRecords([a_claim()]), Judging())
    running = asyncio.create_task(bench.run())
    await eventually(lambda: bool(bench.judging.orders))
    bench.handing_back.set()
    assert await running == Settled(Settlement.REFUSED, "worker_draining")
    assert bench.records.failures == [Failure.WORKER_DRAINING]
    assert bench.judging.stopped


async def test_a_job_of_a_message_that_makes_no_sense_is_buried() -> None:
    bench = Bench(ScriptedRecords([a_claim()]))
    assert await bench.process.bury("job-1", "missing_field") == Settled(Settlement.REFUSED, "malformed_job")
    assert bench.records.failures == [Failure.MALFORMED_JOB]
    unknown = Bench(ScriptedRecords([SubmissionRefusal.NOT_FOUND]))
    assert (await unknown.process.bury("job-1", "garbage")).how is Settlement.REFUSED


async def test_a_result_that_record_cannot_read_is_reported_as_our_failure() -> None:
    bench = Bench(ScriptedRecords([a_claim()], write=SubmissionRefusal.MALFORMED_RESULT))
    await bench.run()
    assert bench.records.calls[-2:] == ["finalize job-1 1", "fail job-1 1"]
    assert bench.records.failures == [Failure.INFRASTRUCTURE]


def test_an_error_names_its_failure() -> None:
    assert str(JudgingFailedError(Failure.INFRASTRUCTURE, "why")) == "infrastructure: why"


async def test_a_second_message_of_a_job_in_hand_waits_in_the_queue() -> None:
    bench = Bench(ScriptedRecords([a_claim(), SubmissionRefusal.ALREADY_FINISHED]), Judging())
    first = asyncio.create_task(bench.run())
    await eventually(lambda: bool(bench.judging.orders))
    assert await bench.run() == Settled(Settlement.KEPT, "in_hand")
    assert (await bench.process.bury("job-1", "no field")).how is Settlement.FAILED
    assert bench.records.calls == ["claim job-1"]
    bench.handing_back.set()
    await first
    bench.handing_back.clear()
    assert await bench.run() == Settled(Settlement.REFUSED, SubmissionRefusal.ALREADY_FINISHED)
