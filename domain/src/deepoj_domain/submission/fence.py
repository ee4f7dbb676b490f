"""The guard in front of everything a worker sends back (INV-5).

The order of the checks is part of the contract: an old attempt is told `stale_attempt` even when the new
one has finished meanwhile.
"""

from datetime import datetime

from deepoj_domain.kernel.ids import WorkerId
from deepoj_domain.submission.states import Cancelled, Dead, Dispatched, Finished, Pending, Running
from deepoj_domain.submission.submission import Submission, SubmissionRefusal


def why_fenced_off(
    submission: Submission, attempt_id: int, worker: WorkerId, now: datetime
) -> SubmissionRefusal | None:
    """None when this worker's attempt is the one that counts right now."""
    if attempt_id < submission.attempt_id:
        return SubmissionRefusal.STALE_ATTEMPT
    if attempt_id > submission.attempt_id:
        return SubmissionRefusal.UNKNOWN_ATTEMPT
    match submission.state:
        case Finished() | Dead() | Cancelled():
            return SubmissionRefusal.ALREADY_FINISHED
        case Pending() | Dispatched():
            return SubmissionRefusal.NOT_IN_EXPECTED_STATE
        case Running(lease) if not lease.is_held_by(worker, now):
            return SubmissionRefusal.LEASE_LOST_OR_OWNER_MISMATCH
        case Running():
            return None
