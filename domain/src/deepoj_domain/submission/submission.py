"""The Submission aggregate: data and its internal consistency. The moves are in the files beside it."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.ids import AccountId, GameId, RejudgeId, SubmissionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.attempt import Attempt, AttemptOutcome
from deepoj_domain.submission.retry import HAND_BACKS
from deepoj_domain.submission.route import Route
from deepoj_domain.submission.states import MOVES, Finished, Running, State, Status


class SubmissionRefusal(StrEnum):
    """Why a command was refused. One of these explains every update that touches no row."""

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
    ATTEMPTS_EXHAUSTED = "attempts_exhausted"
    """A claim met a job that has been tried as often as it may be; it is DEAD now."""
    UNABLE_HOST = "unable_host"
    """The host lacks what the job needs. It is in the queue of those that have it: acknowledge."""
    MALFORMED_RESULT = "malformed_result"
    """What the worker sent is no result. The attempt goes on; its worker may report a failure."""
    NOT_OVERDUE = "not_overdue"
    NOT_OWNER = "not_owner"
    IN_A_CONTEST = "in_a_contest"
    """What was sent to a contest counts: its owner cannot take it back."""
    NOT_HEAD = "not_head"
    """Another submission speaks for this chain."""
    NOT_CANDIDATE = "not_candidate"


class Standing(StrEnum):
    """The place in a rejudge chain. Exactly one submission of a chain is its head and speaks for it."""

    HEAD = "head"
    CANDIDATE = "candidate"
    """Being rejudged, or judged and not yet applied: no score follows it."""
    ARCHIVED = "archived"
    DISCARDED = "discarded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What was asked to be judged. It never changes; a rejudge copies it with a new revision."""

    account_id: AccountId
    game_id: GameId | None
    revision: RevisionRef
    language: LanguageSlug
    code: ContentHash
    submitted_at: datetime
    """The time the contestant pressed the button, also for a rejudge."""

    def __post_init__(self) -> None:
        require_utc(self.submitted_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    id: SubmissionId
    origin_id: SubmissionId
    rejudge_of: SubmissionId | None = None
    rejudge_id: RejudgeId | None = None
    standing: Standing = Standing.HEAD
    order: Order
    route: Route
    state: State
    message_due: datetime
    """When the latest queue message goes out: in the future during a back-off, else in the past."""
    attempts: tuple[Attempt, ...] = ()

    def __post_init__(self) -> None:
        require_utc(self.message_due)
        if [attempt.attempt_id for attempt in self.attempts] != list(range(1, len(self.attempts) + 1)):
            raise BrokenInvariantError("attempts are numbered 1, 2, 3 … without a gap")
        open_attempts = [attempt.attempt_id for attempt in self.attempts if attempt.is_open]
        if open_attempts != ([self.attempt_id] if isinstance(self.state, Running) else []):
            raise BrokenInvariantError("exactly the last attempt of a RUNNING submission is open")
        if isinstance(self.state, Finished) and self.state.attempt_id != self.attempt_id:
            raise BrokenInvariantError("FINISHED carries the attempt that finished it (INV-1)")
        if (self.rejudge_of is None) != (self.origin_id == self.id):
            raise BrokenInvariantError(
                "a rejudge keeps the origin of its chain; any other submission is its own"
            )

    @property
    def status(self) -> Status:
        return self.state.status

    @property
    def attempt_id(self) -> int:
        """0 before the first claim; each claim and reclaim adds one."""
        return len(self.attempts)

    @property
    def is_fresh(self) -> bool:
        """Whoever asks for another judging doubts the last one: it has to run, and may not be remembered."""
        return self.rejudge_of is not None

    @property
    def handed_back(self) -> int:
        """How many attempts ended because of their worker and not because of the job."""
        return sum(attempt.reason in HAND_BACKS for attempt in self.attempts)

    def moved(self, state: State, attempts: tuple[Attempt, ...] | None = None) -> "Submission":
        if (self.status, state.status) not in MOVES:
            raise BrokenInvariantError(f"no move from {self.status} to {state.status} exists")
        return replace(self, state=state, attempts=self.attempts if attempts is None else attempts)

    def last_attempt_closed(
        self, outcome: AttemptOutcome, now: datetime, reason: str = "", toolchain: str = ""
    ) -> tuple[Attempt, ...]:
        """The attempts with the open one closed; unchanged when none is open."""
        if not self.attempts or not self.attempts[-1].is_open:
            return self.attempts
        return (*self.attempts[:-1], self.attempts[-1].closed(outcome, now, reason, toolchain))


SubmissionOutcome = Changed[Submission] | Refused[SubmissionRefusal]


def refused(
    submission: Submission, reason: SubmissionRefusal, attempt_id: int | None = None
) -> Refused[SubmissionRefusal]:
    """`attempt_id` is that of the attempt that asked, when one did; what is stored may be another."""
    facts: dict[str, str | int] = {
        "attempt_id": submission.attempt_id if attempt_id is None else attempt_id,
        "db_attempt_id": submission.attempt_id,
        "db_status": submission.status,
    }
    if isinstance(submission.state, Running):
        lease = submission.state.lease
        facts |= {"db_lease_owner": lease.owner, "db_lease_until": lease.until.isoformat()}
    return Refused(reason, f"status {submission.status}, attempt {submission.attempt_id}", facts)
