"""What an event of record adds to the log of the game it belongs to."""

from datetime import datetime

from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.kernel.score import ZERO
from deepoj_domain.submission.events import (
    JudgedOutcome,
    SubmissionCancelled,
    SubmissionEvent,
    SubmissionFacts,
    SubmissionJudged,
    SubmissionSubmitted,
    SubmissionSuperseded,
)
from deepoj_domain.submission.submission import Standing


def fact_of(event: SubmissionEvent) -> Fact | None:
    """None when it changes no board.

    A dead submission adds nothing: it stays undecided, because a replay may still decide it with its
    original time. So does a candidate of a rejudge until it supersedes the head.
    """
    if event.submission.game_id is None or event.submission.standing is not Standing.HEAD:
        return None
    match event:
        case SubmissionSubmitted():
            return fact_about(event.submission, event.submission.submitted_at, None)
        case SubmissionJudged(outcome=outcome) | SubmissionSuperseded(outcome=outcome):
            return fact_about(event.submission, event.occurred_at, outcome)
        case SubmissionCancelled():
            return fact_about(event.submission, event.occurred_at, None, cancelled=True)
        case _:
            return None


def fact_about(
    submission: SubmissionFacts, known_at: datetime, outcome: JudgedOutcome | None, *, cancelled: bool = False
) -> Fact:
    """`known_at` never lies before the submission: the clocks of two processes may differ a little."""
    submitted_us = micros(submission.submitted_at)
    return Fact(
        submission_id=submission.id,
        origin_id=submission.origin_id,
        account_id=submission.account_id,
        question_id=submission.revision.question_id,
        submitted_us=submitted_us,
        known_us=max(submitted_us, micros(known_at)),
        verdict=outcome.verdict if outcome else None,
        score=outcome.score if outcome else ZERO,
        groups=outcome.groups if outcome else (),
        cancelled=cancelled,
    )
