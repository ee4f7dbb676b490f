"""What workers may do, on a clock that stands still."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from apps.record.tests.fakes import MemoryJournal, MemorySubmissions
from deepoj_domain.kernel.ids import WorkerId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.events import SubmissionDied, SubmissionQueued
from deepoj_domain.submission.retry import Failure, RetryPolicies, RetryPolicy
from deepoj_domain.submission.route import Band, Lane, Route
from deepoj_domain.submission.states import Dead, Status
from deepoj_domain.submission.submission import SubmissionOutcome
from deepoj_domain.testing import (
    ALICE,
    BOB,
    GAME,
    NOW,
    OTHER_WORKER,
    ROOT,
    SUBMISSION,
    WORKER,
    a_result,
    a_submission,
)
from deepoj_record.commands.cancel import Cancel
from deepoj_record.commands.claim import (
    Claim,
    Exhausted,
    GrantAttempt,
    Granted,
    GrantOutcome,
    JudgingPolicy,
    Reclaim,
)
from deepoj_record.commands.finalize import Finalize, FinishedAttempt
from deepoj_record.commands.heartbeat import AttemptRef, Heartbeat
from deepoj_record.commands.ports import Stored
from deepoj_record.commands.report_failure import FailedAttempt, ReportFailure
from deepoj_record.commands.transition import Transition

SECONDS = [timedelta(seconds=each) for each in range(60)]
POLICY = JudgingPolicy(
    terms=LeaseTerms(duration=SECONDS[30], heartbeat=SECONDS[10]),
    retries=RetryPolicies(heavy=RetryPolicy(delays=(SECONDS[5], SECONDS[10]))),
)


class Stage:
    def __init__(self) -> None:
        self.now: datetime = NOW
        self.submissions = MemorySubmissions(
            {SUBMISSION: Stored(a_submission(), 0)}, {SUBMISSION: "int main() {}"}
        )
        self.journal = MemoryJournal()
        transition = Transition(self.submissions, self.journal)
        grant = GrantAttempt(transition, self.submissions, POLICY, self.clock)
        self._claim, self._reclaim = Claim(grant), Reclaim(grant)
        self._heartbeat = Heartbeat(transition, POLICY.terms, self.clock)
        self._finalize = Finalize(transition, self.clock)
        self._fail = ReportFailure(transition, POLICY.retries, self.clock)
        self.cancel = Cancel(transition, self.clock)

    def clock(self) -> datetime:
        return self.now

    async def claim(self, worker: WorkerId = WORKER) -> GrantOutcome:
        return (await self._claim(worker, [SUBMISSION]))[0]

    async def reclaim(self, worker: WorkerId = OTHER_WORKER) -> GrantOutcome:
        return (await self._reclaim(worker, [SUBMISSION]))[0]

    async def heartbeat(self, attempt: int = 1, worker: WorkerId = WORKER) -> SubmissionOutcome:
        return (await self._heartbeat(worker, [AttemptRef(SUBMISSION, attempt)]))[0]

    async def finalize(self, attempt: int = 1, worker: WorkerId = WORKER) -> SubmissionOutcome:
        return (await self._finalize(worker, [FinishedAttempt(SUBMISSION, attempt, a_result())]))[0]

    async def fail(self, failure: Failure, attempt: int = 1, worker: WorkerId = WORKER) -> SubmissionOutcome:
        return (await self._fail(worker, [FailedAttempt(SUBMISSION, attempt, failure, "why")]))[0]

    @property
    def status(self) -> Status:
        return self.submissions.rows[SUBMISSION].submission.status


@pytest.fixture
def stage() -> Stage:
    return Stage()


async def test_inv_3_a_claim_gives_a_new_attempt_a_lease_and_all_that_is_needed(stage: Stage) -> None:
    granted = await stage.claim()
    assert isinstance(granted, Granted)
    assert granted.submission.attempt_id == 1
    assert granted.leased_until == NOW + SECONDS[30]
    assert granted.payload.source == "int main() {}"


async def test_a_claim_repeated_after_a_lost_reply_does_not_run_twice_and_is_not_stranded(
    stage: Stage,
) -> None:
    await stage.claim()
    assert reason(await stage.claim()) == "lease_still_valid"
    stage.now += SECONDS[31]
    assert reason(await stage.claim()) == "lease_expired"
    again = await stage.reclaim(WORKER)
    assert isinstance(again, Granted)
    assert again.submission.attempt_id == 2


async def test_a_finalize_repeated_after_a_lost_reply_is_answered_as_the_first_time(stage: Stage) -> None:
    await stage.claim()
    first, again = await stage.finalize(), await stage.finalize()
    assert isinstance(first, Changed)
    assert again == Changed(first.after), "nothing happened the second time"
    assert reason(await stage.finalize(worker=OTHER_WORKER)) == "already_finished"
    del stage.journal.lines[-1]
    assert stage.journal.lines[-2:] == [("finalize", "FINISHED"), ("finalize", "already_finished")]


async def test_a_reclaim_waits_for_the_end_of_the_lease(stage: Stage) -> None:
    await stage.claim()
    assert reason(await stage.reclaim()) == "lease_still_valid"
    stage.now += SECONDS[20]
    assert isinstance(await stage.heartbeat(), Changed)
    stage.now += SECONDS[20]
    assert reason(await stage.reclaim()) == "lease_still_valid"
    stage.now += SECONDS[10]
    assert isinstance(await stage.reclaim(), Granted)


async def test_inv_5_a_late_write_back_is_refused_with_stale_attempt(stage: Stage) -> None:
    await stage.claim()
    stage.now += SECONDS[31]
    await stage.reclaim()
    for late in (stage.finalize(), stage.heartbeat(), stage.fail(Failure.INFRASTRUCTURE)):
        assert reason(await late) == "stale_attempt"
    assert isinstance(await stage.finalize(2, OTHER_WORKER), Changed)
    assert reason(await stage.finalize()) == "stale_attempt"


async def test_inv_4_every_refused_write_back_has_its_own_reason(stage: Stage) -> None:
    assert reason(await stage.finalize(0)) == "not_in_expected_state"
    assert reason(await stage.finalize(1)) == "unknown_attempt"
    await stage.claim()
    assert reason(await stage.finalize(worker=OTHER_WORKER)) == "lease_lost_or_owner_mismatch"
    stage.now += SECONDS[31]
    assert reason(await stage.finalize()) == "lease_lost_or_owner_mismatch"
    stage.now = NOW
    await stage.cancel(ROOT, SUBMISSION)
    assert reason(await stage.finalize()) == "already_finished"
    stage.submissions.rows.clear()
    assert reason(await stage.finalize()) == "not_found"


async def test_guarded_transition_blocks_illegal_update(stage: Stage) -> None:
    for status in Status:
        if status is Status.RUNNING:
            continue
        before = stage.submissions.rows[SUBMISSION] = Stored(a_submission(status), 0)
        late = await stage.finalize(before.submission.attempt_id, OTHER_WORKER)
        assert isinstance(late, Refused)
        assert stage.submissions.rows[SUBMISSION] == before


@pytest.mark.parametrize(("lane", "delays"), [(Lane.LIGHT, [2, 4]), (Lane.HEAVY, [5, 10])])
async def test_retryable_errors_backoff_and_cap(stage: Stage, lane: Lane, delays: list[int]) -> None:
    routed = replace(a_submission(), route=Route(lane, Band.NORMAL))
    stage.submissions.rows[SUBMISSION] = Stored(routed, 0)
    for attempt, delay in enumerate(delays, start=1):
        await stage.claim()
        assert isinstance(await stage.fail(Failure.SANDBOX_CRASH, attempt), Changed)
        queued = stage.submissions.events[-1]
        assert isinstance(queued, SubmissionQueued)
        assert queued.not_before == stage.now + SECONDS[delay]
        assert stage.status is Status.PENDING
        stage.now = queued.not_before
    await stage.claim()
    await stage.fail(Failure.SANDBOX_CRASH, 3)
    assert stage.status is Status.DEAD
    letter = stage.submissions.events[-1]
    assert isinstance(letter, SubmissionDied)
    assert (letter.attempts, letter.last_error) == (3, "sandbox_crash: why")


async def test_a_failure_that_is_not_retryable_ends_at_once(stage: Stage) -> None:
    await stage.claim()
    await stage.fail(Failure.UNKNOWN_LANGUAGE)
    assert stage.status is Status.DEAD


async def test_inv_9_no_attempt_beyond_the_bound_whoever_asks(stage: Stage) -> None:
    await stage.claim()
    for _ in range(2):
        stage.now += SECONDS[31]
        assert isinstance(await stage.reclaim(), Granted)
    stage.now += SECONDS[31]
    assert isinstance(await stage.reclaim(), Exhausted)
    state = stage.submissions.rows[SUBMISSION].submission.state
    assert isinstance(state, Dead)
    assert reason(await stage.reclaim()) == "already_finished"


async def test_the_owner_and_admins_may_cancel_and_others_learn_no_more_than_they_see(stage: Stage) -> None:
    other = Actor(BOB, Role.CONTESTANT)
    assert reason(await stage.cancel(other, SUBMISSION)) == "not_found"
    assert reason(await stage.cancel(Actor(BOB, Role.JUDGE), SUBMISSION)) == "not_owner"
    before = stage.submissions.rows[SUBMISSION].submission
    in_game = replace(before, order=replace(before.order, game_id=GAME))
    stage.submissions.rows[SUBMISSION] = Stored(in_game, 0)
    assert reason(await stage.cancel(other, SUBMISSION)) == "not_found"
    assert reason(await stage.cancel(Actor(ALICE, Role.CONTESTANT), SUBMISSION)) == "in_a_contest"
    stage.submissions.rows[SUBMISSION] = Stored(before, 0)
    assert isinstance(await stage.cancel(Actor(ALICE, Role.CONTESTANT), SUBMISSION), Changed)
    assert reason(await stage.cancel(ROOT, SUBMISSION)) == "already_finished"


def reason(outcome: object) -> str:
    assert isinstance(outcome, Refused), outcome
    return str(outcome.reason)
