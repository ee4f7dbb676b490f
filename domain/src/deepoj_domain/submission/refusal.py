"""Why a command on a submission was refused. One of these explains every update that touches no row."""

from enum import StrEnum


class SubmissionRefusal(StrEnum):
    NOT_FOUND = "not_found"
    """Given by the repository: an aggregate that does not exist cannot refuse."""
    STALE_ATTEMPT = "stale_attempt"
    """A newer attempt has begun; what the old one says no longer counts."""
    UNKNOWN_ATTEMPT = "unknown_attempt"
    """No such attempt was ever granted."""
    ALREADY_FINISHED = "already_finished"
    """FINISHED, DEAD or CANCELLED: nothing leads out of those."""
    NOT_IN_EXPECTED_STATE = "not_in_expected_state"
    LEASE_LOST_OR_OWNER_MISMATCH = "lease_lost_or_owner_mismatch"
    LEASE_STILL_VALID = "lease_still_valid"
    """Another worker is at it."""
    LEASE_EXPIRED = "lease_expired"
    """A claim met a lost worker's lease: reclaim it instead. Not a reason to acknowledge the message."""
    MALFORMED_RESULT = "malformed_result"
    """What the worker sent is no result. The attempt goes on; its worker may report a failure."""
    NOT_OVERDUE = "not_overdue"
    NOT_OWNER = "not_owner"
    IN_A_CONTEST = "in_a_contest"
    """What was sent to a contest counts: its owner cannot take it back."""
    NOT_HEAD = "not_head"
    """Another submission speaks for this chain."""
    NOT_CANDIDATE = "not_candidate"
