"""INV-9: retries are bounded, spaced out, and end in a dead letter."""

from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import WorkerId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.claim import claim, reclaim
from deepoj_domain.submission.events import (
    QueueCause,
    SubmissionDied,
    SubmissionJudged,
    SubmissionQueued,
)
from deepoj_domain.submission.fail import report_failure
from deepoj_domain.submission.finalize import finalize
from deepoj_domain.submission.queue import redispatch
from deepoj_domain.submission.retry import HAND_BACKS, Failure, RetryPolicies, RetryPolicy, is_retryable
from deepoj_domain.submission.route import Lane
from deepoj_domain.submission.states import Dead, DeathCause, Running, Status
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
from deepoj_domain.testing import NOW, PATIENCE, RETRY, TERMS, WORKER, a_result, a_submission

AGAIN = {Failure.INFRASTRUCTURE, Failure.SANDBOX_CRASH, Failure.STORE_UNAVAILABLE, *HAND_BACKS}
NEVER = {Failure.UNKNOWN_LANGUAGE, Failure.POLICY_VIOLATION, Failure.MALFORMED_JOB}


def _changed(outcome: SubmissionOutcome) -> Changed[Submission]:
    assert isinstance(outcome, Changed)
    return outcome


def _fail(submission: Submission, failure: Failure = Failure.SANDBOX_CRASH) -> Changed[Submission]:
    return _changed(
        report_failure(
            submission, submission.attempt_id, WORKER, failure, error="killed", retry=RETRY, now=NOW
        )
    )


def test_the_taxonomy_names_every_failure() -> None:
    assert set(Failure) == AGAIN | NEVER
    assert {failure for failure in Failure if is_retryable(failure)} == AGAIN


def test_retryable_errors_backoff_and_cap() -> None:
    submission = a_submission(Status.DISPATCHED)
    delays: list[timedelta] = []
    while submission.status is not Status.DEAD:
        failed = _fail(_changed(claim(submission, WORKER, TERMS, RETRY, NOW)).after)
        submission = failed.after
        delays += [e.not_before - NOW for e in failed.events if isinstance(e, SubmissionQueued)]
    assert delays == [timedelta(seconds=2), timedelta(seconds=4)]
    assert submission.attempt_id == RETRY.max_attempts == 3
    assert submission.state == Dead(DeathCause.ATTEMPTS_EXHAUSTED, "sandbox_crash: killed", NOW)


@pytest.mark.parametrize("failure", sorted(NEVER))
def test_what_cannot_succeed_dies_at_once_and_leaves_a_letter(failure: Failure) -> None:
    died = _fail(a_submission(Status.RUNNING), failure)
    (letter,) = died.events
    assert isinstance(letter, SubmissionDied)
    assert (letter.cause, letter.attempts) == (DeathCause.POISON, 1)
    assert letter.last_error == f"{failure}: killed"


def test_nonretryable_compile_error_terminal_once() -> None:
    result = a_result(Verdict.COMPILE_ERROR)
    judged = _changed(finalize(a_submission(Status.RUNNING), 1, WORKER, result, NOW))
    (event,) = judged.events
    assert isinstance(event, SubmissionJudged)
    assert (event.outcome.verdict, event.outcome.score.micros) == (Verdict.COMPILE_ERROR, 0)
    assert isinstance(finalize(judged.after, 1, WORKER, result, NOW), Refused)


def test_a_retry_says_why_and_when_it_is_queued() -> None:
    (event,) = _fail(a_submission(Status.RUNNING)).events
    assert isinstance(event, SubmissionQueued)
    assert (event.cause, event.not_before) == (QueueCause.RETRY, NOW + timedelta(seconds=2))


def test_the_last_delay_repeats() -> None:
    policy = RetryPolicy(max_attempts=9, delays=(timedelta(seconds=1), timedelta(seconds=5)))
    delays = [policy.delay_after(Failure.INFRASTRUCTURE, times).seconds for times in (1, 2, 3, 8)]
    assert delays == [1, 5, 5, 5]


def test_each_lane_has_a_policy_of_its_own() -> None:
    slow = RetryPolicy(delays=(timedelta(seconds=10),))
    policies = RetryPolicies(heavy=slow)
    assert policies.for_lane(Lane.HEAVY) is slow
    assert policies.for_lane(Lane.LIGHT) == RetryPolicy()


@pytest.mark.parametrize(("attempts", "delays"), [(0, (timedelta(1),)), (3, ()), (3, (timedelta(-1),))])
def test_a_policy_that_makes_no_sense_is_refused(attempts: int, delays: tuple[timedelta, ...]) -> None:
    with pytest.raises(InvalidValueError):
        RetryPolicy(max_attempts=attempts, delays=delays)
    with pytest.raises(InvalidValueError):
        RetryPolicy(max_hand_backs=-1)


def test_a_draining_worker_costs_no_attempt_and_no_time() -> None:
    submission = a_submission(Status.DISPATCHED)
    for failure in (Failure.SANDBOX_CRASH, *[Failure.WORKER_DRAINING] * 5, Failure.SANDBOX_CRASH):
        failed = _fail(_changed(claim(submission, WORKER, TERMS, RETRY, NOW)).after, failure)
        submission = failed.after
        if failure is Failure.WORKER_DRAINING:
            assert submission.message_due == NOW
    assert (submission.status, submission.attempt_id, submission.handed_back) == (Status.PENDING, 7, 5)
    assert submission.message_due == NOW + RETRY.delays[1], "the second failure that counts"
    last = _fail(_changed(claim(submission, WORKER, TERMS, RETRY, NOW)).after)
    assert last.after.status is Status.DEAD


def test_the_search_for_a_host_with_the_language_slows_down_to_once_a_minute() -> None:
    delays = [RETRY.delay_after(Failure.LANGUAGE_NOT_INSTALLED, times) for times in (1, 2, 5, 6, 100)]
    assert [delay.seconds for delay in delays] == [2, 4, 32, 60, 60]


def test_hosts_without_the_language_cost_no_attempt() -> None:
    submission = a_submission(Status.DISPATCHED)
    for _ in range(10):
        running = _changed(claim(submission, WORKER, TERMS, RETRY, NOW)).after
        submission = _fail(running, Failure.LANGUAGE_NOT_INSTALLED).after
    judge = WorkerId("with-java")
    running = _changed(claim(submission, judge, TERMS, RETRY, NOW)).after
    assert _changed(finalize(running, 11, judge, a_result(), NOW)).after.status is Status.FINISHED


def test_a_worker_that_drains_after_the_last_failure_does_not_kill_the_job() -> None:
    submission = a_submission(Status.DISPATCHED)
    for failure in (Failure.SANDBOX_CRASH, Failure.SANDBOX_CRASH, Failure.WORKER_DRAINING):
        submission = _fail(_changed(claim(submission, WORKER, TERMS, RETRY, NOW)).after, failure).after
    running = _changed(claim(submission, WORKER, TERMS, RETRY, NOW)).after
    assert (running.status, running.attempt_id) == (Status.RUNNING, 4)


@pytest.mark.parametrize("failure", sorted(HAND_BACKS))
def test_inv_9_a_job_that_is_only_handed_back_comes_to_an_end(failure: Failure) -> None:
    policy = replace(RETRY, max_hand_backs=4)
    submission, taken = a_submission(Status.DISPATCHED), 0
    while submission.status is not Status.DEAD:
        running = _changed(claim(submission, WORKER, TERMS, policy, NOW)).after
        taken += 1
        outcome = report_failure(running, taken, WORKER, failure, error="", retry=policy, now=NOW)
        submission = _changed(outcome).after
    assert taken == policy.max_hand_backs + policy.max_attempts


def _lost_on_the_last_attempt() -> Submission:
    submission = _changed(claim(a_submission(), WORKER, TERMS, RETRY, NOW)).after
    for number in range(1, RETRY.max_attempts):
        expired = NOW + number * TERMS.duration
        submission = _changed(reclaim(submission, WorkerId(f"judge-{number}"), TERMS, RETRY, expired)).after
    return submission


def test_a_worker_lost_on_the_last_attempt_is_reclaimed_into_death() -> None:
    dead = _changed(reclaim(_lost_on_the_last_attempt(), WORKER, TERMS, RETRY, NOW + timedelta(hours=1)))
    assert isinstance(dead.after.state, Dead)
    assert dead.after.state.last_error == "worker_lost"
    assert [type(event) for event in dead.events] == [SubmissionDied]


def test_the_watchdog_needs_no_worker_to_bury_an_exhausted_job() -> None:
    later = NOW + timedelta(hours=1)
    dead = _changed(redispatch(_lost_on_the_last_attempt(), TERMS, RETRY, PATIENCE, later))
    assert isinstance(dead.after.state, Dead)


def test_a_claim_after_the_limit_was_lowered_buries_the_job() -> None:
    waiting = _fail(a_submission(Status.RUNNING)).after
    dead = _changed(claim(waiting, WORKER, TERMS, RetryPolicy(max_attempts=1), NOW)).after
    assert isinstance(dead.state, Dead)
    assert dead.state.last_error == "sandbox_crash"


def test_a_long_error_is_cut_before_it_travels() -> None:
    submission = a_submission(Status.RUNNING)
    outcome = report_failure(
        submission, 1, WORKER, Failure.MALFORMED_JOB, error="x" * 5000, retry=RETRY, now=NOW
    )
    state = _changed(outcome).after.state
    assert isinstance(state, Dead)
    assert len(state.last_error) == 1000


def test_a_heartbeat_is_not_an_attempt() -> None:
    running = a_submission(Status.RUNNING)
    assert isinstance(running.state, Running)
    assert replace(running, state=Running(TERMS.grant(WORKER, NOW))).attempt_id == 1
