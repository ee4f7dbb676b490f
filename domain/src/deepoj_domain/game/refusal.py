from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from deepoj_domain.kernel.outcome import Refused


class GameRefusal(StrEnum):
    NOT_FOUND = "not_found"
    DELETED = "deleted"
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    ALREADY_ENDED = "already_ended"
    NOT_ENDED = "not_ended"
    ALREADY_FINALIZED = "already_finalized"
    SUBMISSIONS_UNDECIDED = "submissions_undecided"
    NOT_FROZEN = "not_frozen"
    ALREADY_FROZEN = "already_frozen"
    END_IN_THE_PAST = "end_in_the_past"
    EXTENSION_NOT_POSITIVE = "extension_not_positive"
    INTERVAL_OUTSIDE = "interval_outside"
    INTERVALS_OVERLAP = "intervals_overlap"
    NOTHING_LEFT = "nothing_left"
    NOT_REMOVED = "not_removed"
    NOT_FINALIZED = "not_finalized"
    PROBLEM_IN_USE = "problem_in_use"
    NOT_A_PROBLEM_OF_THE_GAME = "not_a_problem_of_the_game"
    ALREADY_IGNORED = "already_ignored"
    NOT_IGNORED = "not_ignored"
    NOT_A_PARTICIPANT = "not_a_participant"
    ALREADY_SIGNED_UP = "already_signed_up"
    REMOVED_BY_STAFF = "removed_by_staff"
    SIGN_UP_CLOSED = "sign_up_closed"
    WITHDRAWAL_CLOSED = "withdrawal_closed"
    VIRTUAL_NOT_ALLOWED = "virtual_not_allowed"
    VIRTUAL_STAYS_VIRTUAL = "virtual_stays_virtual"
    NO_PENALTY_TIME = "no_penalty_time"
    ACCESS_DENIED = "access_denied"
    BOARD_HIDDEN = "board_hidden"
    BROADCAST_HAS_NO_ANSWER = "broadcast_has_no_answer"
    TOO_MANY_GUESSES = "too_many_guesses"
    TOO_MANY_PAST_BOARDS = "too_many_past_boards"
    PAST_BOARD_COMING = "past_board_coming"


@dataclass(frozen=True, slots=True, kw_only=True)
class TooOften(Refused[GameRefusal]):
    """Refused now, but not after the time it names."""

    retry_after: timedelta
