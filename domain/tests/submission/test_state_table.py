"""Every cell of (state × command), and proof that no cell is missing."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest

from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.attempt import Attempt, AttemptOutcome
from deepoj_domain.submission.cancel import cancel
from deepoj_domain.submission.claim import claim, reclaim
from deepoj_domain.submission.fail import report_failure
from deepoj_domain.submission.finalize import finalize
from deepoj_domain.submission.heartbeat import heartbeat
from deepoj_domain.submission.queue import DELIVERY, redispatch
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.states import MOVES, Status
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
from deepoj_domain.submission.submission import SubmissionRefusal as Why
from deepoj_domain.testing import (
    ALICE,
    NOW,
    OTHER_WORKER,
    PATIENCE,
    RETRY,
    TERMS,
    WORKER,
    a_result,
    a_submission,
)

# Late enough for the watchdog; leases of the "held" row reach beyond it, those of "expired" do not.
LATER = NOW + timedelta(hours=1)
ONE_ATTEMPT = replace(RETRY, max_attempts=1)

ROWS: dict[str, Submission] = {
    "pending": a_submission(Status.PENDING),
    "dispatched": a_submission(Status.DISPATCHED),
    "held": a_submission(Status.RUNNING, leased_until=LATER + TERMS.duration),
    "expired": a_submission(Status.RUNNING, leased_until=LATER - TERMS.grace),
    "finished": a_submission(Status.FINISHED),
    "dead": a_submission(Status.DEAD),
    "cancelled": a_submission(Status.CANCELLED),
}

COMMANDS: dict[str, Callable[[Submission], SubmissionOutcome]] = {
    "redispatch": lambda s: redispatch(s, TERMS, RETRY, PATIENCE, LATER),
    "claim": lambda s: claim(s, OTHER_WORKER, TERMS, RETRY, LATER),
    "reclaim": lambda s: reclaim(s, OTHER_WORKER, TERMS, RETRY, LATER),
    "heartbeat": lambda s: heartbeat(s, s.attempt_id, WORKER, TERMS, LATER),
    "finalize": lambda s: finalize(s, s.attempt_id, WORKER, a_result(), LATER),
    "fail_retryable": lambda s: _fail(s, Failure.SANDBOX_CRASH),
    "fail_for_good": lambda s: _fail(s, Failure.UNKNOWN_LANGUAGE),
    "claim_when_spent": lambda s: claim(_tried(s), OTHER_WORKER, TERMS, ONE_ATTEMPT, LATER),
    "cancel": lambda s: cancel(s, Actor(ALICE, Role.CONTESTANT), LATER),
}


def _tried(submission: Submission) -> Submission:
    """Let what waits have failed once, before the number of attempts was lowered."""
    failed = Attempt(1, WORKER, NOW, NOW, AttemptOutcome.FAILED, "boom")
    return submission if submission.attempts else replace(submission, attempts=(failed,))


def _fail(submission: Submission, failure: Failure) -> SubmissionOutcome:
    return report_failure(
        submission, submission.attempt_id, WORKER, failure, error="boom", retry=RETRY, now=LATER
    )


TOO_LATE = {"finished": Why.ALREADY_FINISHED, "dead": Why.ALREADY_FINISHED, "cancelled": Why.ALREADY_FINISHED}
FENCED = {
    "pending": Why.NOT_IN_EXPECTED_STATE,
    "dispatched": Why.NOT_IN_EXPECTED_STATE,
    "expired": Why.LEASE_LOST_OR_OWNER_MISMATCH,
    **TOO_LATE,
}

TABLE: dict[str, dict[str, Status | Why]] = {
    "redispatch": {
        "pending": Status.PENDING,
        "dispatched": Status.DISPATCHED,
        "held": Why.LEASE_STILL_VALID,
        "expired": Status.RUNNING,
        **TOO_LATE,
    },
    "claim": {
        "pending": Status.RUNNING,
        "dispatched": Status.RUNNING,
        "held": Why.LEASE_STILL_VALID,
        "expired": Why.LEASE_EXPIRED,
        **TOO_LATE,
    },
    "reclaim": {
        "pending": Why.NOT_IN_EXPECTED_STATE,
        "dispatched": Why.NOT_IN_EXPECTED_STATE,
        "held": Why.LEASE_STILL_VALID,
        "expired": Status.RUNNING,
        **TOO_LATE,
    },
    "heartbeat": {**FENCED, "held": Status.RUNNING},
    "finalize": {**FENCED, "held": Status.FINISHED},
    "fail_retryable": {**FENCED, "held": Status.PENDING},
    "fail_for_good": {**FENCED, "held": Status.DEAD},
    "claim_when_spent": {
        "pending": Status.DEAD,
        "dispatched": Status.DEAD,
        "held": Why.LEASE_STILL_VALID,
        "expired": Why.LEASE_EXPIRED,
        **TOO_LATE,
    },
    "cancel": {
        "pending": Status.CANCELLED,
        "dispatched": Status.CANCELLED,
        "held": Status.CANCELLED,
        "expired": Status.CANCELLED,
        **TOO_LATE,
    },
}


def test_the_table_has_every_cell() -> None:
    assert {(command, row) for command, cells in TABLE.items() for row in cells} == set(
        product(COMMANDS, ROWS)
    )


def test_the_rows_cover_every_status() -> None:
    assert {submission.status for submission in ROWS.values()} == set(Status)


@pytest.mark.parametrize(("command", "row"), list(product(COMMANDS, ROWS)))
def test_each_command_in_each_state_moves_or_refuses_by_name(command: str, row: str) -> None:
    outcome = COMMANDS[command](ROWS[row])
    expected = TABLE[command][row]
    match outcome:
        case Changed(after):
            assert after.status is expected
        case Refused(reason, detail):
            assert reason is expected
            assert f"status {ROWS[row].status}" in detail


def test_the_commands_together_use_exactly_the_moves_of_the_design() -> None:
    seen = {
        (ROWS[row].status, to)
        for cells in TABLE.values()
        for row, to in cells.items()
        if isinstance(to, Status)
    }
    waiting_again = {(Status.PENDING, Status.PENDING), (Status.DISPATCHED, Status.DISPATCHED)}
    assert seen - waiting_again | {DELIVERY} == MOVES


@pytest.mark.parametrize(("before", "after"), sorted(set(product(Status, Status)) - MOVES))
def test_any_other_move_is_impossible(before: Status, after: Status) -> None:
    submission = a_submission(before)
    with pytest.raises(BrokenInvariantError, match=f"no move from {before} to {after} exists"):
        submission.moved(a_submission(after).state)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_leaves_its_argument_as_it_was(command: str) -> None:
    for submission in ROWS.values():
        copy = replace(submission)
        COMMANDS[command](submission)
        assert submission == copy


def test_guarded_transition_blocks_illegal_update() -> None:
    for row in ("pending", "dispatched", "finished", "dead", "cancelled"):
        assert isinstance(COMMANDS["finalize"](ROWS[row]), Refused)
