from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import BrokenInvariantError, InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.attempt import Attempt, AttemptOutcome
from deepoj_domain.submission.cancel import cancel
from deepoj_domain.submission.events import QueueCause, SubmissionQueued, SubmissionSubmitted
from deepoj_domain.submission.route import Band, Purpose, choose_band
from deepoj_domain.submission.states import Finished, Pending, Status
from deepoj_domain.submission.submission import Submission
from deepoj_domain.submission.submission import SubmissionRefusal as Why
from deepoj_domain.submission.submit import (
    DEFAULT_LIMIT_BYTES,
    SourceCode,
    fingerprint,
    idempotency_key,
    submit,
)
from deepoj_domain.testing import (
    ALICE,
    BOB,
    GAME,
    NOW,
    QUESTION,
    ROOT,
    ROUTE,
    SUBMISSION,
    WORKER,
    a_result,
    a_submission,
    an_order,
)


def test_a_submission_starts_pending_without_attempts_and_owes_a_message() -> None:
    submitted = submit(SUBMISSION, an_order(), ROUTE, NOW)
    assert (submitted.after.state, submitted.after.attempt_id) == (Pending(), 0)
    told, queued = submitted.events
    assert isinstance(told, SubmissionSubmitted)
    assert isinstance(queued, SubmissionQueued)
    assert (queued.cause, queued.lane, queued.band) == (QueueCause.SUBMITTED, ROUTE.lane, ROUTE.band)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "source_empty"),
        (" \n\t", "source_empty"),
        ("int\0main", "source_has_nul"),
        ("x" * (DEFAULT_LIMIT_BYTES + 1), "source_too_large"),
        ("é" * (DEFAULT_LIMIT_BYTES // 2) + "x", "source_too_large"),
        ("\ud800", "source_not_unicode"),
    ],
    ids=["empty", "blank", "nul", "large", "large in bytes", "surrogate"],
)
def test_bad_source_code_is_refused_by_name(text: str, code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        SourceCode.parse(text)
    assert refused.value.code == code


def test_source_code_of_exactly_the_limit_is_taken_and_never_printed() -> None:
    source = SourceCode.parse("s" * DEFAULT_LIMIT_BYTES)
    assert source.hash == hash_of(b"s" * DEFAULT_LIMIT_BYTES)
    assert "ssss" not in repr(source)


@pytest.mark.parametrize("text", ["", "C++", "cpp 17", "x" * 33, "../etc", "17"])
def test_a_malformed_language_is_refused(text: str) -> None:
    with pytest.raises(InvalidValueError):
        language_slug(text)


def test_a_stranger_cannot_cancel() -> None:
    outcome = cancel(a_submission(), Actor(BOB, Role.JUDGE), NOW)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Why.NOT_OWNER


@pytest.mark.parametrize("status", [Status.PENDING, Status.DISPATCHED, Status.RUNNING])
def test_what_was_sent_to_a_contest_only_an_admin_cancels(status: Status) -> None:
    waiting = a_submission(status)
    sent = replace(waiting, order=replace(waiting.order, game_id=GAME))
    outcome = cancel(sent, Actor(ALICE, Role.CONTESTANT), NOW)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Why.IN_A_CONTEST
    assert isinstance(cancel(sent, ROOT, NOW), Changed)


def test_a_live_contest_comes_before_practice_and_practice_before_rejudges() -> None:
    by_urgency = [
        choose_band(purpose) for purpose in (Purpose.LIVE_CONTEST, Purpose.PRACTICE, Purpose.REJUDGE)
    ]
    assert by_urgency == list(Band)


def test_a_resent_request_has_the_same_fingerprint_another_request_has_not() -> None:
    order = an_order()
    later = replace(order, submitted_at=NOW + timedelta(seconds=9), revision=RevisionRef(QUESTION, 2))
    assert fingerprint(later) == fingerprint(order)
    for other in (
        replace(order, code=hash_of(b"other")),
        replace(order, language=language_slug("c11")),
        replace(order, game_id=GAME),
        replace(order, account_id=BOB),
    ):
        assert fingerprint(other) != fingerprint(order)


@pytest.mark.parametrize("text", ["", "a b", "é", "x" * 129, "a\n"])
def test_a_malformed_idempotency_key_is_refused(text: str) -> None:
    with pytest.raises(InvalidValueError):
        idempotency_key(text)


def _closed(attempt_id: int) -> Attempt:
    return Attempt(attempt_id, WORKER, NOW).closed(AttemptOutcome.FAILED, NOW)


@pytest.mark.parametrize(
    "broken",
    [
        lambda: replace(a_submission(), attempts=(_closed(2),)),
        lambda: replace(a_submission(), attempts=(Attempt(1, WORKER, NOW),)),
        lambda: replace(a_submission(Status.RUNNING), attempts=()),
        lambda: replace(a_submission(Status.RUNNING), attempts=(_closed(1),)),
        lambda: replace(a_submission(Status.FINISHED), state=Finished(2, a_result(), NOW)),
        lambda: replace(a_submission(), rejudge_of=SUBMISSION),
    ],
    ids=["gap", "open while pending", "running unclaimed", "running closed", "wrong attempt", "chain"],
)
def test_a_row_that_contradicts_itself_cannot_be_loaded(broken: Callable[[], Submission]) -> None:
    with pytest.raises(BrokenInvariantError):
        broken()


def test_times_that_are_not_utc_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="UTC"):
        replace(an_order(), submitted_at=NOW.replace(tzinfo=None))
