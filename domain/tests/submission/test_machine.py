"""The submission machine against a hostile model of queue, workers and clock.

The model keeps its own small account of who was granted what (`Grant`), with its own arithmetic, and
judges every answer of the domain by it. Messages are duplicated, reordered and lost, workers crash, stall
and write back late, leases run out, the watchdog puts jobs back.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    precondition,
    rule,
)

from deepoj_domain.kernel.event import DomainEvent
from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.burial import bury_poison
from deepoj_domain.submission.cancel import cancel
from deepoj_domain.submission.claim import claim, reclaim
from deepoj_domain.submission.events import SubmissionDied, SubmissionJudged, SubmissionQueued
from deepoj_domain.submission.fail import report_failure
from deepoj_domain.submission.finalize import finalize
from deepoj_domain.submission.heartbeat import heartbeat
from deepoj_domain.submission.lease import LeaseTerms
from deepoj_domain.submission.queueing import mark_dispatched, redispatch
from deepoj_domain.submission.refusal import SubmissionRefusal as Why
from deepoj_domain.submission.retry import Failure, RetryPolicy
from deepoj_domain.submission.states import Dead, Finished, Running, Status
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
from deepoj_domain.submission.submit import submit
from deepoj_domain.testing import NOW, ROOT, ROUTE, a_result, an_order, uuid

LEASE = timedelta(seconds=60)
GRACE = timedelta(seconds=15)
PATIENCE = timedelta(minutes=5)
MAX_ATTEMPTS = 3
TERMS = LeaseTerms(duration=LEASE, heartbeat=timedelta(seconds=20), grace=GRACE)
RETRY = RetryPolicy(max_attempts=MAX_ATTEMPTS)
TERMINAL = {Status.FINISHED, Status.DEAD, Status.CANCELLED}

WORKERS = st.sampled_from([WorkerId("judge-1"), WorkerId("judge-2")])
PAUSES = st.sampled_from([timedelta(seconds=1), timedelta(seconds=19), LEASE, LEASE + GRACE, PATIENCE])


@dataclass
class Grant:
    """The model's own record of a successful claim: this worker may run and write back until then."""

    attempt_id: int
    worker: WorkerId
    until: datetime


@dataclass(frozen=True)
class Run:
    """A program started by a worker. It may answer late, twice, or never."""

    job: SubmissionId
    attempt_id: int
    worker: WorkerId


@dataclass
class Job:
    """The database row, and beside it what the model believes about it."""

    row: Submission
    grants: list[Grant] = field(default_factory=list)
    handed_back: bool = True
    ending: Submission | None = None
    judged: int = 0
    letters: int = 0


class HostileWorld(RuleBasedStateMachine):
    outbox = Bundle("outbox")
    queue = Bundle("queue")
    runs = Bundle("runs")

    def __init__(self) -> None:
        super().__init__()
        self.now = NOW
        self.jobs: dict[SubmissionId, Job] = {}
        self.executed: Counter[tuple[SubmissionId, int]] = Counter()

    # -- what happens ---------------------------------------------------------------------------------

    @precondition(lambda self: len(self.jobs) < 3)
    @rule(target=outbox)
    def contestant_submits(self) -> SubmissionId:
        job_id = SubmissionId(uuid(1000 + len(self.jobs)))
        submitted = submit(job_id, an_order(), ROUTE, self.now)
        self.jobs[job_id] = Job(submitted.after)
        assert any(isinstance(event, SubmissionQueued) for event in submitted.events)
        return job_id

    @rule(target=queue, job_id=outbox)
    def relay_delivers_perhaps_again(self, job_id: SubmissionId) -> SubmissionId:
        self._write(job_id, mark_dispatched(self.jobs[job_id].row))
        return job_id

    @rule(job_id=consumes(outbox))
    def outbox_row_is_marked_delivered(self, job_id: SubmissionId) -> None:
        """Nothing: from now on only the queue, or the watchdog, knows the job."""

    @rule(job_id=consumes(queue))
    def message_is_lost(self, job_id: SubmissionId) -> None:
        """Trimmed, flushed, or acknowledged by a worker that then died."""

    @rule(target=runs, job_id=queue, worker=WORKERS)
    def worker_takes_a_message_any_message(self, job_id: SubmissionId, worker: WorkerId) -> object:
        """The queue keeps the message, so it may be delivered again, to anybody, in any order."""
        return self._take(job_id, worker)

    @rule(run=runs)
    def worker_heartbeats(self, run: Run) -> None:
        expected = self._expected_fence(run)
        outcome = heartbeat(self.jobs[run.job].row, run.attempt_id, run.worker, TERMS, self.now)
        self._judge_fence(outcome, expected)
        if self._write(run.job, outcome):
            self.jobs[run.job].grants[-1].until = self.now + LEASE

    @rule(run=runs, verdict=st.sampled_from(Verdict))
    def worker_writes_back_perhaps_late_or_twice(self, run: Run, verdict: Verdict) -> None:
        expected = self._expected_fence(run)
        outcome = finalize(self.jobs[run.job].row, run.attempt_id, run.worker, a_result(verdict), self.now)
        self._judge_fence(outcome, expected)
        self._write(run.job, outcome)

    @rule(run=runs, worker=WORKERS)
    def somebody_writes_back_under_this_attempt(self, run: Run, worker: WorkerId) -> None:
        self.worker_writes_back_perhaps_late_or_twice(replace(run, worker=worker), Verdict.ACCEPTED)

    @rule(target=outbox, run=runs, failure=st.sampled_from(Failure))
    def worker_reports_failure_perhaps_late_or_twice(self, run: Run, failure: Failure) -> object:
        expected = self._expected_fence(run)
        outcome = report_failure(
            self.jobs[run.job].row,
            run.attempt_id,
            run.worker,
            failure,
            error="boom",
            retry=RETRY,
            now=self.now,
        )
        self._judge_fence(outcome, expected)
        if self._write(run.job, outcome):
            self.jobs[run.job].handed_back = True
        return self._owed(outcome)

    @rule(run=consumes(runs))
    def worker_crashes(self, run: Run) -> None:
        """Nothing: its lease stays until it runs out."""

    @precondition(lambda self: self.jobs)
    @rule(target=outbox, data=st.data())
    def watchdog_looks_at_a_job(self, data: st.DataObject) -> object:
        return self._watchdog(data.draw(st.sampled_from(sorted(self.jobs))))

    @precondition(lambda self: self.jobs)
    @rule(data=st.data())
    def admin_cancels(self, data: st.DataObject) -> None:
        job_id = data.draw(st.sampled_from(sorted(self.jobs)))
        self._write(job_id, cancel(self.jobs[job_id].row, ROOT, self.now))

    @rule(job_id=consumes(queue))
    def message_turns_out_to_be_poison(self, job_id: SubmissionId) -> None:
        held = self._holder(job_id)
        outcome = bury_poison(self.jobs[job_id].row, "garbage", self.now)
        if held:
            assert isinstance(outcome, Refused)
        self._write(job_id, outcome)

    @rule(pause=PAUSES)
    def time_passes(self, pause: timedelta) -> None:
        self.now += pause

    # -- what must be true after every step -----------------------------------------------------------

    @invariant()
    def inv_1_finished_only_with_the_matching_attempt(self) -> None:
        for job in self.jobs.values():
            if isinstance(job.row.state, Finished):
                assert job.row.state.attempt_id == job.grants[-1].attempt_id == job.row.attempt_id
            assert job.judged == (job.row.status is Status.FINISHED), "one verdict, told once"

    @invariant()
    def inv_1_nothing_leaves_a_terminal_state(self) -> None:
        for job in self.jobs.values():
            if job.ending is not None:
                assert job.row == job.ending

    @invariant()
    def inv_3_nothing_runs_without_a_claim_of_its_own(self) -> None:
        for (job_id, attempt_id), times in self.executed.items():
            assert times == 1, "an attempt number was granted twice"
            assert attempt_id in {grant.attempt_id for grant in self.jobs[job_id].grants}
        for job in self.jobs.values():
            assert [grant.attempt_id for grant in job.grants] == list(range(1, len(job.grants) + 1))

    @invariant()
    def inv_9_attempts_are_bounded_and_each_death_leaves_one_letter(self) -> None:
        for job in self.jobs.values():
            assert len(job.grants) <= MAX_ATTEMPTS
            assert job.letters == (job.row.status is Status.DEAD)

    def teardown(self) -> None:
        """Whatever was lost, the watchdog alone brings every job to an end (INV-9).

        Half of them meet a healthy worker, the other half one that always dies.
        """
        for number, job_id in enumerate(sorted(self.jobs)):
            job = self.jobs[job_id]
            was_open = job.row.status not in TERMINAL
            for _ in range(2 * MAX_ATTEMPTS + 1):
                self.now += PATIENCE + LEASE + GRACE
                if self._watchdog(job_id) != job_id:
                    continue
                run = self._take(job_id, WorkerId("judge-3"))
                if number % 2 == 0 and isinstance(run, Run):
                    self.worker_writes_back_perhaps_late_or_twice(run, Verdict.ACCEPTED)
            assert job.row.status in TERMINAL, "a submission was lost"
            if was_open and number % 2:
                assert isinstance(job.row.state, Dead)
        self.inv_1_finished_only_with_the_matching_attempt()
        self.inv_9_attempts_are_bounded_and_each_death_leaves_one_letter()

    # -- the moving parts of the model ----------------------------------------------------------------

    def _take(self, job_id: SubmissionId, worker: WorkerId) -> object:
        """What a judge does with a message: claim, reclaim when told so, run only when granted."""
        job = self.jobs[job_id]
        held = self._holder(job_id)
        outcome = claim(job.row, worker, TERMS, RETRY, self.now)
        if isinstance(outcome, Refused) and outcome.reason is Why.LEASE_EXPIRED:
            outcome = reclaim(job.row, worker, TERMS, RETRY, self.now)
        if not self._write(job_id, outcome) or not isinstance(job.row.state, Running):
            return multiple()
        assert not held, "inv_3: two workers hold the same job"
        assert job.ending is None, "inv_3: a finished job runs again"
        job.grants.append(Grant(job.row.attempt_id, worker, self.now + LEASE))
        job.handed_back = False
        self.executed[job_id, job.row.attempt_id] += 1
        return Run(job_id, job.row.attempt_id, worker)

    def _watchdog(self, job_id: SubmissionId) -> object:
        held = self._holder(job_id)
        outcome = redispatch(self.jobs[job_id].row, TERMS, RETRY, PATIENCE, self.now)
        if held:
            assert isinstance(outcome, Refused)
        self._write(job_id, outcome)
        return self._owed(outcome)

    def _holder(self, job_id: SubmissionId) -> Grant | None:
        job = self.jobs[job_id]
        if job.handed_back or job.ending is not None or self.now >= job.grants[-1].until:
            return None
        return job.grants[-1]

    def _expected_fence(self, run: Run) -> Why | None:
        job = self.jobs[run.job]
        if run.attempt_id != job.grants[-1].attempt_id:
            return Why.STALE_ATTEMPT
        if job.ending is not None:
            return Why.ALREADY_FINISHED
        if job.handed_back:
            return Why.NOT_IN_EXPECTED_STATE
        holder = self._holder(run.job)
        return None if holder and holder.worker == run.worker else Why.LEASE_LOST_OR_OWNER_MISMATCH

    @staticmethod
    def _judge_fence(outcome: SubmissionOutcome, expected: Why | None) -> None:
        """INV-5: what a worker sends counts exactly when its grant does, and each refusal says why."""
        assert (outcome.reason if isinstance(outcome, Refused) else None) is expected, "inv_5"

    def _write(self, job_id: SubmissionId, outcome: SubmissionOutcome) -> bool:
        if isinstance(outcome, Refused):
            return False
        job = self.jobs[job_id]
        job.row = outcome.after
        job.judged += self._told(outcome, SubmissionJudged)
        job.letters += self._told(outcome, SubmissionDied)
        if job.ending is None and job.row.status in TERMINAL:
            job.ending = job.row
        return True

    @staticmethod
    def _told(outcome: Changed[Submission], event_type: type[DomainEvent]) -> int:
        return sum(isinstance(event, event_type) for event in outcome.events)

    @classmethod
    def _owed(cls, outcome: SubmissionOutcome) -> object:
        if isinstance(outcome, Refused) or not cls._told(outcome, SubmissionQueued):
            return multiple()
        return outcome.after.id


TestHostileWorld = HostileWorld.TestCase
TestHostileWorld.settings = settings(
    max_examples=120, stateful_step_count=40, derandomize=True, deadline=None, database=None
)
