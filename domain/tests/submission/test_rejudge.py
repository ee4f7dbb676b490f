"""A rejudge is a new submission in the same chain, and a chain has one head."""

from dataclasses import replace

import pytest

from deepoj_domain.kernel.ids import RejudgeId, SubmissionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.cancel import cancel
from deepoj_domain.submission.claim import claim
from deepoj_domain.submission.events import SubmissionCancelled, SubmissionQueued, SubmissionSuperseded
from deepoj_domain.submission.finalize import finalize
from deepoj_domain.submission.rejudge import apply_candidate, discard_candidate, open_candidate, replay
from deepoj_domain.submission.rejudge_batch import (
    BatchOutcome,
    BatchRefusal,
    BatchStatus,
    RejudgeBatch,
)
from deepoj_domain.submission.route import Band
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import Standing, Submission, SubmissionOutcome
from deepoj_domain.submission.submission import SubmissionRefusal as Why
from deepoj_domain.testing import (
    ALICE,
    BOB,
    NOW,
    QUESTION,
    RETRY,
    ROOT,
    SUBMISSION,
    TERMS,
    WORKER,
    a_result,
    a_submission,
    uuid,
)

NEW = SubmissionId(uuid(31))
BATCH = RejudgeId(uuid(40))
FIXED = 2
HEAD = a_submission(Status.FINISHED)


def _changed(outcome: SubmissionOutcome) -> Submission:
    assert isinstance(outcome, Changed)
    return outcome.after


def _candidate() -> Submission:
    return _changed(open_candidate(HEAD, NEW, BATCH, FIXED, NOW))


def _judged(submission: Submission, verdict: Verdict) -> Submission:
    running = _changed(claim(submission, WORKER, TERMS, RETRY, NOW))
    return _changed(finalize(running, 1, WORKER, a_result(verdict), NOW))


def test_a_candidate_is_a_fresh_job_on_the_new_data_with_the_old_submit_time() -> None:
    candidate = _candidate()
    assert (candidate.id, candidate.rejudge_of, candidate.origin_id) == (NEW, SUBMISSION, SUBMISSION)
    assert (candidate.standing, candidate.status, candidate.attempt_id) == (
        Standing.CANDIDATE,
        Status.PENDING,
        0,
    )
    assert candidate.order == replace(HEAD.order, revision=RevisionRef(QUESTION, FIXED))
    assert candidate.route.band is Band.BULK


def test_a_candidate_is_queued_but_not_announced_as_a_submission() -> None:
    opened = open_candidate(HEAD, NEW, BATCH, FIXED, NOW)
    assert isinstance(opened, Changed)
    assert [type(event) for event in opened.events] == [SubmissionQueued]


@pytest.mark.parametrize("status", sorted(set(Status) - {Status.FINISHED, Status.DEAD}))
def test_only_what_was_decided_can_be_rejudged(status: Status) -> None:
    outcome = open_candidate(a_submission(status), NEW, BATCH, FIXED, NOW)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Why.NOT_IN_EXPECTED_STATE


@pytest.mark.parametrize("standing", sorted(set(Standing) - {Standing.HEAD}))
def test_only_the_head_can_be_rejudged_or_replayed(standing: Standing) -> None:
    for outcome in (
        open_candidate(replace(HEAD, standing=standing), NEW, BATCH, FIXED, NOW),
        replay(replace(a_submission(Status.DEAD), standing=standing), NEW, NOW),
    ):
        assert isinstance(outcome, Refused)
        assert outcome.reason is Why.NOT_HEAD


def test_applying_makes_the_candidate_the_head_and_archives_the_old_one() -> None:
    outcome = apply_candidate(_judged(_candidate(), Verdict.WRONG_ANSWER), HEAD, NOW)
    assert isinstance(outcome, Changed)
    assert (outcome.after.head.id, outcome.after.head.standing) == (NEW, Standing.HEAD)
    assert (outcome.after.archived.id, outcome.after.archived.standing) == (SUBMISSION, Standing.ARCHIVED)
    (event,) = outcome.events
    assert isinstance(event, SubmissionSuperseded)
    assert event.archived_id == SUBMISSION
    assert event.submission.submitted_at == HEAD.order.submitted_at
    assert event.outcome is not None
    assert event.outcome.verdict is Verdict.WRONG_ANSWER


def test_a_candidate_that_is_still_being_judged_cannot_be_applied() -> None:
    outcome = apply_candidate(_candidate(), HEAD, NOW)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Why.NOT_IN_EXPECTED_STATE


def test_of_two_rejudges_of_one_head_only_the_first_can_be_applied() -> None:
    first = _judged(_candidate(), Verdict.WRONG_ANSWER)
    second = replace(first, id=SubmissionId(uuid(32)))
    applied = apply_candidate(first, HEAD, NOW)
    assert isinstance(applied, Changed)
    for head in (applied.after.head, applied.after.archived):
        outcome = apply_candidate(second, head, NOW)
        assert isinstance(outcome, Refused)
        assert outcome.reason is Why.NOT_HEAD


def test_a_head_cannot_be_applied_or_discarded_again() -> None:
    applied = apply_candidate(_judged(_candidate(), Verdict.ACCEPTED), HEAD, NOW)
    assert isinstance(applied, Changed)
    for outcome in (
        apply_candidate(applied.after.head, HEAD, NOW),
        discard_candidate(applied.after.head, ALICE, NOW),
    ):
        assert isinstance(outcome, Refused)
        assert outcome.reason is Why.NOT_CANDIDATE


def test_discarding_stops_a_candidate_that_is_being_judged() -> None:
    outcome = discard_candidate(_candidate(), ROOT.account_id, NOW)
    assert isinstance(outcome, Changed)
    assert (outcome.after.standing, outcome.after.status) == (Standing.DISCARDED, Status.CANCELLED)
    assert [type(event) for event in outcome.events] == [SubmissionCancelled]


def test_discarding_a_judged_candidate_keeps_its_verdict_for_the_audit() -> None:
    outcome = discard_candidate(_judged(_candidate(), Verdict.ACCEPTED), ROOT.account_id, NOW)
    assert isinstance(outcome, Changed)
    assert (outcome.after.standing, outcome.after.status) == (Standing.DISCARDED, Status.FINISHED)


def test_an_owner_cannot_cancel_a_rejudge_but_an_admin_can() -> None:
    outcome = cancel(_candidate(), Actor(ALICE, Role.CONTESTANT), NOW)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Why.NOT_OWNER
    assert isinstance(cancel(_candidate(), ROOT, NOW), Changed)


def test_a_replayed_dead_letter_becomes_the_head_at_once() -> None:
    outcome = replay(a_submission(Status.DEAD), NEW, NOW)
    assert isinstance(outcome, Changed)
    head = outcome.after.head
    assert (head.standing, head.status, head.rejudge_of) == (Standing.HEAD, Status.PENDING, SUBMISSION)
    assert outcome.after.archived.standing is Standing.ARCHIVED
    superseded, queued = outcome.events
    assert isinstance(superseded, SubmissionSuperseded)
    assert superseded.outcome is None
    assert isinstance(queued, SubmissionQueued)


def test_only_a_dead_submission_is_replayed() -> None:
    outcome = replay(HEAD, NEW, NOW)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Why.NOT_IN_EXPECTED_STATE


def test_a_batch_is_applied_only_when_it_is_open_and_all_is_judged() -> None:
    batch = RejudgeBatch(id=BATCH, opened_by=ROOT.account_id, opened_at=NOW)
    assert _refusal(batch.apply(0, BOB)) is BatchRefusal.STILL_OPENING
    assert _refusal(batch.done().apply(2, BOB)) is BatchRefusal.STILL_JUDGING
    applied = batch.done().apply(0, BOB)
    assert isinstance(applied, Changed)
    assert (applied.after.status, applied.after.decided_by) == (BatchStatus.APPLYING, BOB)
    assert applied.after.done().status is BatchStatus.APPLIED


@pytest.mark.parametrize("is_open", [True, False])
def test_a_batch_is_discarded_before_and_after_it_is_open(*, is_open: bool) -> None:
    batch = RejudgeBatch(id=BATCH, opened_by=ROOT.account_id, opened_at=NOW)
    discarded = (batch.done() if is_open else batch).discard(BOB)
    assert isinstance(discarded, Changed)
    assert (discarded.after.status, discarded.after.decided_by) == (BatchStatus.DISCARDING, BOB)
    assert discarded.after.done().status is BatchStatus.DISCARDED


def test_a_decision_about_a_batch_may_be_repeated_while_it_is_carried_out_and_not_changed() -> None:
    batch = RejudgeBatch(id=BATCH, opened_by=ROOT.account_id, opened_at=NOW)
    applying = replace(batch, status=BatchStatus.APPLYING, decided_by=BOB)
    discarding = replace(batch, status=BatchStatus.DISCARDING, decided_by=BOB)
    assert applying.apply(0, ALICE) == Changed(applying)
    assert discarding.discard(ALICE) == Changed(discarding)
    closed = (applying.discard, applying.done().discard, discarding.done().discard)
    assert {_refusal(again(BOB)) for again in closed} == {BatchRefusal.ALREADY_CLOSED}
    over = (discarding, applying.done(), discarding.done())
    assert {_refusal(each.apply(0, BOB)) for each in over} == {BatchRefusal.ALREADY_CLOSED}


def test_what_is_done_stays_done() -> None:
    for status in (BatchStatus.OPEN, BatchStatus.APPLIED, BatchStatus.DISCARDED):
        batch = RejudgeBatch(id=BATCH, opened_by=ROOT.account_id, opened_at=NOW, status=status)
        assert batch.done() == batch
        assert not batch.status.is_under_way


def _refusal(outcome: BatchOutcome) -> BatchRefusal:
    assert isinstance(outcome, Refused)
    return outcome.reason
