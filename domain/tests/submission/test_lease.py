from datetime import timedelta

import pytest

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.heartbeat import heartbeat
from deepoj_domain.submission.queue import redispatch
from deepoj_domain.submission.states import Running, Status
from deepoj_domain.submission.submission import SubmissionRefusal as Why
from deepoj_domain.testing import NOW, OTHER_WORKER, RETRY, TERMS, WORKER, a_submission

SECOND = timedelta(seconds=1)


def test_at_its_end_a_lease_is_over() -> None:
    lease = TERMS.grant(WORKER, NOW)
    assert lease.is_held_by(WORKER, lease.until - SECOND / 1_000_000)
    assert not lease.is_held_by(WORKER, lease.until)


def test_a_lease_belongs_to_one_worker() -> None:
    assert not TERMS.grant(WORKER, NOW).is_held_by(OTHER_WORKER, NOW)


def test_a_heartbeat_renews_the_lease_from_now() -> None:
    later = NOW + 30 * SECOND
    outcome = heartbeat(a_submission(Status.RUNNING), 1, WORKER, TERMS, later)
    assert isinstance(outcome, Changed)
    assert outcome.after.state == Running(TERMS.grant(WORKER, later))
    assert outcome.events == ()


def test_queue_entries_are_left_alone_for_lease_and_grace() -> None:
    assert TERMS.reclaim_idle == timedelta(seconds=75)


def test_the_watchdog_waits_for_the_grace_period() -> None:
    submission = a_submission(Status.RUNNING)
    end = NOW + TERMS.duration
    early = redispatch(submission, TERMS, RETRY, timedelta(0), end + TERMS.grace - SECOND)
    assert isinstance(early, Refused)
    assert early.reason is Why.LEASE_STILL_VALID
    assert isinstance(redispatch(submission, TERMS, RETRY, timedelta(0), end + TERMS.grace), Changed)


def test_the_watchdog_does_not_flood_the_queue() -> None:
    patience = timedelta(minutes=5)
    due = NOW + patience
    early = redispatch(a_submission(), TERMS, RETRY, patience, due - SECOND)
    assert isinstance(early, Refused)
    assert early.reason is Why.NOT_OVERDUE
    first = redispatch(a_submission(), TERMS, RETRY, patience, due)
    assert isinstance(first, Changed)
    assert isinstance(redispatch(first.after, TERMS, RETRY, patience, due + SECOND), Refused)
    assert isinstance(redispatch(first.after, TERMS, RETRY, patience, due + patience), Changed)


@pytest.mark.parametrize(
    ("heartbeat_every", "grace"), [(31, 0), (0, 0), (10, -1)], ids=["too slow", "never", "negative grace"]
)
def test_terms_that_lose_leases_by_themselves_are_refused(heartbeat_every: int, grace: int) -> None:
    with pytest.raises(InvalidValueError):
        LeaseTerms(duration=60 * SECOND, heartbeat=heartbeat_every * SECOND, grace=grace * SECOND)
