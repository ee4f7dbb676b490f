"""– → PENDING."""

from datetime import datetime

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.events import QueueCause, SubmissionSubmitted, facts_of
from deepoj_domain.submission.queue import queued
from deepoj_domain.submission.route import Route
from deepoj_domain.submission.states import Pending
from deepoj_domain.submission.submission import Order, Submission


def submit(submission_id: SubmissionId, order: Order, route: Route, now: datetime) -> Changed[Submission]:
    submission = Submission(
        id=submission_id, origin_id=submission_id, order=order, route=route, state=Pending(), message_due=now
    )
    submitted = SubmissionSubmitted(occurred_at=now, submission=facts_of(submission))
    return Changed(submission, (submitted, queued(submission, QueueCause.SUBMITTED, now)))
