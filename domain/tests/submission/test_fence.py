"""INV-5: who may write back, and the reason when not. The order of the checks is part of the contract."""

from datetime import datetime

import pytest

from deepoj_domain.kernel.ids import WorkerId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.attempt import Attempt, AttemptOutcome
from deepoj_domain.submission.claim import reclaim
from deepoj_domain.submission.fence import why_fenced_off
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import Submission
from deepoj_domain.submission.submission import SubmissionRefusal as Why
from deepoj_domain.testing import NOW, OTHER_WORKER, RETRY, TERMS, WORKER, a_submission

END = NOW + TERMS.duration


def _taken_over() -> Submission:
    """WORKER lost attempt 1; OTHER_WORKER holds attempt 2 since END."""
    outcome = reclaim(a_submission(Status.RUNNING), OTHER_WORKER, TERMS, RETRY, END)
    assert isinstance(outcome, Changed)
    return outcome.after


HELD = a_submission(Status.RUNNING)


@pytest.mark.parametrize(
    ("submission", "attempt_id", "worker", "now", "reason"),
    [
        (HELD, 1, WORKER, NOW, None),
        (HELD, 1, WORKER, END, Why.LEASE_LOST_OR_OWNER_MISMATCH),
        (HELD, 1, OTHER_WORKER, NOW, Why.LEASE_LOST_OR_OWNER_MISMATCH),
        (HELD, 0, WORKER, NOW, Why.STALE_ATTEMPT),
        (HELD, 2, WORKER, NOW, Why.UNKNOWN_ATTEMPT),
        (_taken_over(), 1, WORKER, END, Why.STALE_ATTEMPT),
        (_taken_over(), 1, OTHER_WORKER, END, Why.STALE_ATTEMPT),
        (_taken_over(), 2, OTHER_WORKER, END, None),
        (a_submission(Status.FINISHED), 0, WORKER, NOW, Why.STALE_ATTEMPT),
        (a_submission(Status.FINISHED), 1, WORKER, NOW, Why.ALREADY_FINISHED),
        (a_submission(Status.CANCELLED), 1, WORKER, NOW, Why.ALREADY_FINISHED),
        (a_submission(Status.DEAD), 1, WORKER, NOW, Why.ALREADY_FINISHED),
        (a_submission(Status.PENDING), 0, WORKER, NOW, Why.NOT_IN_EXPECTED_STATE),
        (a_submission(Status.DISPATCHED), 0, WORKER, NOW, Why.NOT_IN_EXPECTED_STATE),
    ],
)
def test_inv_5_the_fence_lets_one_attempt_through_and_names_every_refusal(
    submission: Submission, attempt_id: int, worker: WorkerId, now: datetime, reason: Why | None
) -> None:
    assert why_fenced_off(submission, attempt_id, worker, now) is reason


def test_a_reclaim_closes_the_lost_attempt_in_the_audit() -> None:
    lost, current = _taken_over().attempts
    assert (lost.outcome, lost.ended_at) == (AttemptOutcome.WORKER_LOST, END)
    assert current == Attempt(2, OTHER_WORKER, END)


def test_the_reasons_have_the_names_of_the_design() -> None:
    named = {
        "stale_attempt",
        "already_finished",
        "not_in_expected_state",
        "lease_lost_or_owner_mismatch",
        "not_found",
        "lease_still_valid",
    }
    assert named <= {reason.value for reason in Why}
