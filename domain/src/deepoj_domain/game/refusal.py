from enum import StrEnum


class GameRefusal(StrEnum):
    NOT_FOUND = "not_found"
    DELETED = "deleted"
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    ALREADY_ENDED = "already_ended"
    NOT_ENDED = "not_ended"
    NOT_FROZEN = "not_frozen"
    EXTENSION_NOT_POSITIVE = "extension_not_positive"
    PROBLEM_IN_USE = "problem_in_use"
    NOT_A_PROBLEM_OF_THE_GAME = "not_a_problem_of_the_game"
    NOT_A_PARTICIPANT = "not_a_participant"
    ALREADY_SIGNED_UP = "already_signed_up"
    SIGN_UP_CLOSED = "sign_up_closed"
    WITHDRAWAL_CLOSED = "withdrawal_closed"
    ACCESS_DENIED = "access_denied"
