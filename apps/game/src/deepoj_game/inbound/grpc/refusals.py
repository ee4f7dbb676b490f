"""Refusals and failures as one status code each, with a machine-readable reason."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NoReturn

from deepoj_domain.game.refusal import GameRefusal, TooOften
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_game.commands.ports import CommandRefusal
from deepoj_game.queries.views import QueryRefusal
from deepoj_kit.grpc import Kind, Translation, refuse

# By reason: the same word means the same whichever command says it.
MESSAGES: Final[Mapping[str, tuple[Kind, str]]] = {
    GameRefusal.NOT_FOUND: (Kind.NOT_FOUND, "there is no such game, submission or clarification"),
    GameRefusal.DELETED: (Kind.NOT_FOUND, "the game was deleted"),
    GameRefusal.NOT_STARTED: (Kind.PRECONDITION, "the game has not started"),
    GameRefusal.ALREADY_STARTED: (Kind.PRECONDITION, "the game has started: format, options and start stay"),
    GameRefusal.ALREADY_ENDED: (Kind.PRECONDITION, "the game is over"),
    GameRefusal.NOT_ENDED: (Kind.PRECONDITION, "the game is not over yet"),
    GameRefusal.ALREADY_FINALIZED: (Kind.PRECONDITION, "the result is official and stays as it is"),
    GameRefusal.SUBMISSIONS_UNDECIDED: (
        Kind.PRECONDITION,
        "some submissions have no verdict: wait for them, replay those that died, or leave them out",
    ),
    GameRefusal.NOT_FROZEN: (Kind.PRECONDITION, "the board is not frozen"),
    GameRefusal.ALREADY_FROZEN: (
        Kind.PRECONDITION,
        "the board is frozen: its freeze stays as it is until the board is unfrozen after the end",
    ),
    GameRefusal.END_IN_THE_PAST: (Kind.INVALID, "a running game cannot end in the past"),
    GameRefusal.EXTENSION_NOT_POSITIVE: (Kind.INVALID, "an extension has to be longer than nothing"),
    GameRefusal.INTERVAL_OUTSIDE: (Kind.INVALID, "the interval has to lie between start and end"),
    GameRefusal.INTERVALS_OVERLAP: (Kind.INVALID, "the interval overlaps one that is removed already"),
    GameRefusal.NOTHING_LEFT: (Kind.INVALID, "the removed intervals would leave nothing of the game"),
    GameRefusal.NOT_REMOVED: (Kind.PRECONDITION, "no such interval is removed: name one exactly"),
    GameRefusal.NOT_FINALIZED: (Kind.PRECONDITION, "the result is not official"),
    GameRefusal.PROBLEM_IN_USE: (Kind.PRECONDITION, "the game has started: its problems stay in it"),
    GameRefusal.NOT_A_PROBLEM_OF_THE_GAME: (Kind.PRECONDITION, "the question is no problem of the game"),
    GameRefusal.ALREADY_IGNORED: (Kind.PRECONDITION, "the submission is ignored already"),
    GameRefusal.NOT_IGNORED: (Kind.PRECONDITION, "the submission is not ignored"),
    GameRefusal.NOT_A_PARTICIPANT: (Kind.FORBIDDEN, "the account does not take part: sign up first"),
    GameRefusal.ALREADY_SIGNED_UP: (Kind.PRECONDITION, "the account takes part already"),
    GameRefusal.REMOVED_BY_STAFF: (Kind.FORBIDDEN, "the staff removed you from the game: ask them"),
    GameRefusal.SIGN_UP_CLOSED: (Kind.PRECONDITION, "the game has started and takes nobody in any more"),
    GameRefusal.WITHDRAWAL_CLOSED: (Kind.PRECONDITION, "the game has started and lets nobody go any more"),
    GameRefusal.VIRTUAL_NOT_ALLOWED: (Kind.PRECONDITION, "the game has no virtual participation"),
    GameRefusal.VIRTUAL_STAYS_VIRTUAL: (Kind.INVALID, "nobody becomes virtual, or ceases to be"),
    GameRefusal.NO_PENALTY_TIME: (Kind.INVALID, "this format has no penalty time to adjust"),
    GameRefusal.ACCESS_DENIED: (Kind.FORBIDDEN, "this is not for you, or needs an invitation"),
    GameRefusal.BOARD_HIDDEN: (Kind.PRECONDITION, "the board is not shown yet"),
    GameRefusal.TOO_MANY_GUESSES: (Kind.EXHAUSTED, "too many wrong passwords: wait, then try again"),
    GameRefusal.TOO_MANY_PAST_BOARDS: (Kind.EXHAUSTED, "too many boards of the past: wait, then try again"),
    GameRefusal.PAST_BOARD_COMING: (Kind.EXHAUSTED, "the board of that moment is being scored: ask again"),
    GameRefusal.BROADCAST_HAS_NO_ANSWER: (Kind.PRECONDITION, "nobody asked: there is nothing to answer"),
    CommandRefusal.NOT_ALLOWED: (Kind.FORBIDDEN, "only the staff of the game may do this"),
    CommandRefusal.GAME_ID_TAKEN: (Kind.CONFLICT, "the game id is taken"),
    CommandRefusal.CLARIFICATION_ID_TAKEN: (Kind.CONFLICT, "the clarification id is taken"),
    CommandRefusal.VERSION_CONFLICT: (Kind.CONFLICT, "the game was changed meanwhile: read it again"),
    CommandRefusal.WRONG_PASSWORD: (Kind.FORBIDDEN, "the password is wrong"),
    CommandRefusal.PASSWORD_MISSING: (Kind.FORBIDDEN, "the game needs its password, or an invitation"),
    CommandRefusal.UNKNOWN_PROBLEM: (
        Kind.INVALID,
        "a problem is not there, or is another's and not published: its owner has to add it, or publish it",
    ),
    CommandRefusal.WORK_UNDER_WAY: (
        Kind.CONFLICT,
        "other work on this game is under way: wait until it is done",
    ),
    QueryRefusal.SIGN_IN_REQUIRED: (Kind.FORBIDDEN, "guests may not see this"),
    QueryRefusal.SEQUENCE_AHEAD: (Kind.INVALID, "there is no such change yet: read the board again"),
}


def raise_refusal(refused: Refused[StrEnum]) -> NoReturn:
    kind, message = MESSAGES[refused.reason]
    message = f"{message} ({refused.detail})" if refused.detail else message
    retry_after = refused.retry_after if isinstance(refused, TooOften) else None
    refuse(kind, refused.reason, message, retry_after=retry_after)


translate: Final = Translation(InvalidValueError, {})
