"""The submission machine against a hostile model of queue, workers and clock.

The model keeps its own small account of who was granted what (`Grant`), with its own arithmetic, and
judges every answer of the domain by it. Messages are duplicated, reordered and lost, workers crash, stall
and write back late, leases run out, the watchdog puts jobs back. The file is long because rules,
invariants and model have to share one class.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.attempt import Lease, LeaseTerms
from deepoj_domain.submission.cancel import cancel
from deepoj_domain.submission.claim import claim, reclaim
from deepoj_domain.submission.events import SubmissionDied, SubmissionJudged, SubmissionQueued
from deepoj_domain.submission.fail import report_failure
from deepoj_domain.submission.finalize import finalize
from deepoj_domain.submission.heartbeat import heartbeat
from deepoj_domain.submission.queue import DELIVERY, redispatch
from deepoj_domain.submission.retry import HAND_BACKS, Failure, RetryPolicy
from deepoj_domain.submission.states import Dead, Dispatched, Finished, Running, Status
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
from deepoj_domain.submission.submission import SubmissionRefusal as Why
from deepoj_domain.submission.submit import submit
from deepoj_domain.testing import NOW, ROOT, ROUTE, a_result, an_order, uuid

OPEN_JOBS = 3
LEASE = timedelta(seconds=60)
GRACE = timedelta(seconds=15)
PATIENCE = timedelta(minutes=5)
MAX_ATTEMPTS = 3
TERMS = LeaseTerms(duration=LEASE, heartbeat=timedelta(seconds=20), grace=GRACE)
MAX_HAND_BACKS = 2
RETRY = RetryPolicy(max_attempts=MAX_ATTEMPTS, max_hand_backs=MAX_HAND_BACKS)
TERMINAL = {Status.FINISHED, Status.DEAD, Status.CANCELLED}

WORKERS = st.sampled_from([WorkerId("judge-1"), WorkerId("judge-2")])
PAUSES = st.sampled_from([LEASE, LEASE + GRACE, PATIENCE])
RUN_TIMES = st.sampled_from([timedelta(0), LEASE * 3 / 4, LEASE])


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
    returns: int = 0
    ending: Submission | None = None
    judged: int = 0
    letters: int = 0


class HostileWorld(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.now = NOW
        self.jobs: dict[SubmissionId, Job] = {}
        self.outbox: list[SubmissionId] = []
        self.queue: list[SubmissionId] = []
        self.runs: list[Run] = []
        self.executed: Counter[tuple[SubmissionId, int]] = Counter()

    # -- what happens ---------------------------------------------------------------------------------

    @initialize()
    def contestants_submit(self) -> None:
        for _ in range(OPEN_JOBS):
            self.contestant_submits()

    @precondition(lambda self: sum(job.ending is None for job in self.jobs.values()) < OPEN_JOBS)
    @rule()
    def contestant_submits(self) -> None:
        """The process that committed publishes at once; the relay may do it again."""
        job_id = SubmissionId(uuid(1000 + len(self.jobs)))
        submitted = submit(job_id, an_order(), ROUTE, self.now)
        self.jobs[job_id] = Job(submitted.after)
        self._note_owed(submitted)
        self.queue.append(job_id)

    @precondition(lambda self: self.outbox)
    @rule(data=st.data(), marked=st.booleans())
    def relay_delivers(self, data: st.DataObject, *, marked: bool) -> None:
        """In any order. A relay that dies before it marks the row leaves it to be delivered again."""
        job_id = data.draw(st.sampled_from(self.outbox))
        self.queue.append(job_id)
        before, after = DELIVERY
        if self.jobs[job_id].row.status is before:
            self._write(job_id, Changed(self.jobs[job_id].row.moved(Dispatched())))
            assert self.jobs[job_id].row.status is after
        if marked:
            self.outbox.remove(job_id)

    @precondition(lambda self: self.queue)
    @rule(data=st.data(), worker=WORKERS, acknowledged=st.booleans())
    def worker_takes_any_message(self, data: st.DataObject, worker: WorkerId, *, acknowledged: bool) -> None:
        """A message that is not acknowledged is delivered again, to anybody, at any time."""
        job_id = data.draw(st.sampled_from(self.queue))
        self._take(job_id, worker)
        if acknowledged:
            self.queue.remove(job_id)

    @precondition(lambda self: self.runs)
    @rule(data=st.data(), after=RUN_TIMES)
    def worker_heartbeats(self, data: st.DataObject, after: timedelta) -> None:
        self.now += after
        run = data.draw(self._a_recent_run())
        expected = self._expected_fence(run)
        outcome = heartbeat(self.jobs[run.job].row, run.attempt_id, run.worker, TERMS, self.now)
        self._inv_5_only_the_granted_attempt_counts_and_refusals_say_why(outcome, expected)
        if self._write(run.job, outcome):
            self.jobs[run.job].grants[-1].until = self.now + LEASE

    @precondition(lambda self: self.runs)
    @rule(data=st.data(), after=RUN_TIMES, verdict=st.sampled_from(Verdict))
    def worker_writes_back_perhaps_late_or_twice(
        self, data: st.DataObject, after: timedelta, verdict: Verdict
    ) -> None:
        self.now += after
        self._write_back(data.draw(self._a_recent_run()), verdict)

    @precondition(lambda self: self.runs)
    @rule(data=st.data(), worker=WORKERS)
    def somebody_writes_back_under_an_attempt(self, data: st.DataObject, worker: WorkerId) -> None:
        run = data.draw(self._a_recent_run())
        self._write_back(replace(run, worker=worker), Verdict.ACCEPTED)

    @precondition(lambda self: self.runs)
    @rule(data=st.data(), failure=st.sampled_from(Failure))
    def worker_reports_failure_perhaps_late_or_twice(self, data: st.DataObject, failure: Failure) -> None:
        run = data.draw(self._a_recent_run())
        expected = self._expected_fence(run)
        row = self.jobs[run.job].row
        outcome = report_failure(
            row, run.attempt_id, run.worker, failure, error="boom", retry=RETRY, now=self.now
        )
        self._inv_5_only_the_granted_attempt_counts_and_refusals_say_why(outcome, expected)
        if self._write(run.job, outcome):
            self.jobs[run.job].handed_back = True
            self.jobs[run.job].returns += failure in HAND_BACKS

    @rule(data=st.data())
    def watchdog_looks_at_a_job(self, data: st.DataObject) -> None:
        self._watchdog(data.draw(st.sampled_from(self._open_jobs())))

    @rule(pause=PAUSES)
    def time_passes(self, pause: timedelta) -> None:
        """Workers crash or stall meanwhile: a run need never answer, and its lease runs out."""
        self.now += pause

    @rule(data=st.data(), what=st.sampled_from(["flush", "flush", "cancel"]))
    def something_rare_happens(self, data: st.DataObject, what: str) -> None:
        job_id = data.draw(st.sampled_from(self._open_jobs()))
        match what:
            case "flush":
                self.queue.clear()
            case _:
                self._write(job_id, cancel(self.jobs[job_id].row, ROOT, self.now))

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
            assert job.ending in (None, job.row)

    @invariant()
    def inv_3_nothing_runs_without_a_claim_of_its_own(self) -> None:
        for (job_id, attempt_id), times in self.executed.items():
            assert times == 1, "an attempt number was granted twice"
            assert attempt_id <= len(self.jobs[job_id].grants)
        for job in self.jobs.values():
            assert [grant.attempt_id for grant in job.grants] == list(range(1, len(job.grants) + 1))
            if isinstance(job.row.state, Running):
                assert job.row.state.lease == Lease(job.grants[-1].worker, job.grants[-1].until)

    @invariant()
    def inv_9_attempts_are_bounded_and_each_death_leaves_one_letter(self) -> None:
        for job in self.jobs.values():
            assert len(job.grants) <= MAX_ATTEMPTS + min(job.returns, MAX_HAND_BACKS)
            assert job.letters == (job.row.status is Status.DEAD)

    def teardown(self) -> None:
        """Whatever happened before, every job comes to an end (INV-9).

        One third meets a healthy worker after its messages were lost, one third a worker that always
        dies; for the last third the watchdog is down as well and only old messages come back.
        """
        for number, job in enumerate(self.jobs.values()):
            healthy, watched = number % 3 == 0, number % 3 < 2
            was_open = job.ending is None
            for _ in range(MAX_ATTEMPTS + 1):
                self._one_last_round(job.row.id, healthy=healthy, watched=watched)
            assert job.row.status in TERMINAL, "a submission was lost"
            if was_open and not healthy:
                assert isinstance(job.row.state, Dead)
        self.inv_1_finished_only_with_the_matching_attempt()
        self.inv_3_nothing_runs_without_a_claim_of_its_own()
        self.inv_9_attempts_are_bounded_and_each_death_leaves_one_letter()

    def _one_last_round(self, job_id: SubmissionId, *, healthy: bool, watched: bool) -> None:
        self.now += PATIENCE + LEASE + GRACE
        self.outbox.clear()
        if watched:
            self._watchdog(job_id)
        run = self._take(job_id, WorkerId("judge-3")) if self.outbox or not watched else None
        if run and healthy:
            self._write_back(run, Verdict.ACCEPTED)

    # -- the moving parts of the model ----------------------------------------------------------------

    def _a_recent_run(self) -> st.SearchStrategy[Run]:
        """Old ones matter too, but the newest few already hold stale, finished and living attempts."""
        return st.sampled_from(self.runs[-4:])

    def _open_jobs(self) -> list[SubmissionId]:
        """All of them when none is open: a closed job must stay closed."""
        return [key for key, job in self.jobs.items() if job.ending is None] or list(self.jobs)

    def _take(self, job_id: SubmissionId, worker: WorkerId) -> Run | None:
        """What a judge does with a message: claim, reclaim when told so, run only when granted."""
        job = self.jobs[job_id]
        held = self._holder(job_id)
        outcome = claim(job.row, worker, TERMS, RETRY, self.now)
        if isinstance(outcome, Refused) and outcome.reason is Why.LEASE_EXPIRED:
            outcome = reclaim(job.row, worker, TERMS, RETRY, self.now)
        if not self._write(job_id, outcome) or not isinstance(job.row.state, Running):
            return None
        assert not held, "inv_3: two workers hold the same job"
        assert job.ending is None, "inv_3: a finished job runs again"
        job.grants.append(Grant(job.row.attempt_id, worker, self.now + LEASE))
        job.handed_back = False
        self.executed[job_id, job.row.attempt_id] += 1
        self.runs.append(Run(job_id, job.row.attempt_id, worker))
        return self.runs[-1]

    def _write_back(self, run: Run, verdict: Verdict) -> None:
        expected = self._expected_fence(run)
        outcome = finalize(self.jobs[run.job].row, run.attempt_id, run.worker, a_result(verdict), self.now)
        self._inv_5_only_the_granted_attempt_counts_and_refusals_say_why(outcome, expected)
        self._write(run.job, outcome)

    def _watchdog(self, job_id: SubmissionId) -> None:
        held = self._holder(job_id)
        acted = self._write(job_id, redispatch(self.jobs[job_id].row, TERMS, RETRY, PATIENCE, self.now))
        assert not (held and acted), "the watchdog disturbed a worker that judges"

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
    def _inv_5_only_the_granted_attempt_counts_and_refusals_say_why(
        outcome: SubmissionOutcome, expected: Why | None
    ) -> None:
        """What a worker sends counts exactly when its grant does."""
        assert (outcome.reason if isinstance(outcome, Refused) else None) is expected, "inv_5"

    def _write(self, job_id: SubmissionId, outcome: SubmissionOutcome) -> bool:
        if isinstance(outcome, Refused):
            return False
        job = self.jobs[job_id]
        job.row = outcome.after
        job.judged += sum(isinstance(event, SubmissionJudged) for event in outcome.events)
        job.letters += sum(isinstance(event, SubmissionDied) for event in outcome.events)
        self._note_owed(outcome)
        if job.ending is None and job.row.status in TERMINAL:
            job.ending = job.row
        return True

    def _note_owed(self, outcome: Changed[Submission]) -> None:
        self.outbox += [e.submission.id for e in outcome.events if isinstance(e, SubmissionQueued)]


TestHostileWorld = HostileWorld.TestCase
TestHostileWorld.settings = settings(
    max_examples=150, stateful_step_count=40, derandomize=True, deadline=None, database=None
)
