"""Rejudging mints a new submission in the same chain; no state ever goes back.

A rejudge is a preview first: its submissions are candidates that no score follows. Applying one makes it
the head and archives the old head; discarding one leaves the head as it was. A replayed dead letter has no
verdict to compare with, so it becomes the head at once.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from deepoj_domain.kernel.ids import AccountId, RejudgeId, SubmissionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.cancel import cancelled
from deepoj_domain.submission.events import QueueCause, SubmissionSuperseded, facts_of, outcome_of
from deepoj_domain.submission.queue import queued
from deepoj_domain.submission.route import Purpose, Route, choose_band
from deepoj_domain.submission.states import Cancelled, Dead, Dispatched, Finished, Pending, Running
from deepoj_domain.submission.submission import (
    Standing,
    Submission,
    SubmissionOutcome,
    SubmissionRefusal,
    refused,
)


@dataclass(frozen=True, slots=True)
class Succession:
    """Two submissions that must be written together: a chain has exactly one head at any moment."""

    head: Submission
    archived: Submission


SuccessionOutcome = Changed[Succession] | Refused[SubmissionRefusal]


def open_candidate(
    head: Submission, new_id: SubmissionId, rejudge_id: RejudgeId, revision: int, now: datetime
) -> SubmissionOutcome:
    """`revision` is the number of the question's revision to judge against, usually the current one."""
    if head.standing is not Standing.HEAD:
        return refused(head, SubmissionRefusal.NOT_HEAD)
    match head.state:
        case Finished() | Dead():
            pinned = RevisionRef(head.order.revision.question_id, revision)
            minted = _minted(head, new_id, Standing.CANDIDATE, now)
            candidate = replace(minted, rejudge_id=rejudge_id, order=replace(head.order, revision=pinned))
            return Changed(candidate, (queued(candidate, QueueCause.REJUDGE, now),))
        case Pending() | Dispatched() | Running() | Cancelled():
            return refused(head, SubmissionRefusal.NOT_IN_EXPECTED_STATE)


def apply_candidate(candidate: Submission, head: Submission, now: datetime) -> SuccessionOutcome:
    if candidate.standing is not Standing.CANDIDATE:
        return refused(candidate, SubmissionRefusal.NOT_CANDIDATE)
    if candidate.rejudge_of != head.id or head.standing is not Standing.HEAD:
        return refused(head, SubmissionRefusal.NOT_HEAD)
    if not isinstance(candidate.state, Finished):
        return refused(candidate, SubmissionRefusal.NOT_IN_EXPECTED_STATE)
    succession = Succession(
        replace(candidate, standing=Standing.HEAD), replace(head, standing=Standing.ARCHIVED)
    )
    return Changed(succession, (_superseded(succession, now),))


def discard_candidate(candidate: Submission, by: AccountId, now: datetime) -> SubmissionOutcome:
    """A candidate that is still being judged is stopped as well."""
    if candidate.standing is not Standing.CANDIDATE:
        return refused(candidate, SubmissionRefusal.NOT_CANDIDATE)
    discarded = replace(candidate, standing=Standing.DISCARDED)
    match candidate.state:
        case Pending() | Dispatched() | Running():
            return cancelled(discarded, by, now)
        case Finished() | Dead() | Cancelled():
            return Changed(discarded)


def replay(dead: Submission, new_id: SubmissionId, now: datetime) -> SuccessionOutcome:
    if dead.standing is not Standing.HEAD:
        return refused(dead, SubmissionRefusal.NOT_HEAD)
    if not isinstance(dead.state, Dead):
        return refused(dead, SubmissionRefusal.NOT_IN_EXPECTED_STATE)
    again = _minted(dead, new_id, Standing.HEAD, now)
    succession = Succession(again, replace(dead, standing=Standing.ARCHIVED))
    return Changed(succession, (_superseded(succession, now), queued(again, QueueCause.REJUDGE, now)))


def _minted(head: Submission, new_id: SubmissionId, standing: Standing, now: datetime) -> Submission:
    return Submission(
        id=new_id,
        origin_id=head.origin_id,
        rejudge_of=head.id,
        standing=standing,
        order=head.order,
        route=Route(head.route.lane, choose_band(Purpose.REJUDGE)),
        state=Pending(),
        message_due=now,
    )


def _superseded(succession: Succession, now: datetime) -> SubmissionSuperseded:
    state = succession.head.state
    return SubmissionSuperseded(
        occurred_at=now,
        submission=facts_of(succession.head),
        archived_id=succession.archived.id,
        outcome=outcome_of(state.result) if isinstance(state, Finished) else None,
    )
