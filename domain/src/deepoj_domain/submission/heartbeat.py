"""RUNNING stays RUNNING with a longer lease. A refusal tells the worker to stop and write nothing."""

from dataclasses import replace
from datetime import datetime

from deepoj_domain.kernel.ids import WorkerId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.fence import why_fenced_off
from deepoj_domain.submission.states import Running
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, refused


def heartbeat(
    submission: Submission, attempt_id: int, worker: WorkerId, terms: LeaseTerms, now: datetime
) -> SubmissionOutcome:
    if reason := why_fenced_off(submission, attempt_id, worker, now):
        return refused(submission, reason, attempt_id)
    return Changed(replace(submission, state=Running(terms.grant(worker, now))))
