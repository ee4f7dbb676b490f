from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from deepoj_domain.game.events import GameChange, GameChanged
from deepoj_domain.game.format import FormatOptions, GameFormat
from deepoj_domain.game.game import Game, GameOutcome
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.refusal import GameRefusal as Why
from deepoj_domain.game.schedule import Interval, Phase
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId, SubmissionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.score import Score
from deepoj_domain.testing import BOB, GAME, NOW, QUESTION, a_game, a_plan, uuid

HOUR = timedelta(hours=1)
BEFORE, DURING, AFTER = NOW - HOUR, NOW + HOUR, NOW + 6 * HOUR
PLAN = a_plan()
B = GameProblem("B", QuestionId(uuid(11)), Score.points(50))
IGNORED, COUNTED = SubmissionId(uuid(31)), SubmissionId(uuid(32))
GAME_WITH_RULING = replace(a_game(), ignored=frozenset({IGNORED}))
Command = Callable[[Game, datetime], GameOutcome]

COMMANDS: dict[str, Command] = {
    "rename": lambda game, now: game.edit(replace(PLAN, title="Finals"), now),
    "add problem": lambda game, now: game.edit(replace(PLAN, problems=(*PLAN.problems, B)), now),
    "drop problem": lambda game, now: game.edit(replace(PLAN, problems=(B,)), now),
    "change format": lambda game, now: game.edit(replace(PLAN, format=GameFormat.IOI), now),
    "move start": lambda game, now: game.edit(
        replace(PLAN, schedule=replace(PLAN.schedule, start=NOW - timedelta(minutes=1))), now
    ),
    "change options": lambda game, now: game.edit(
        replace(PLAN, options=FormatOptions(penalty_minutes=10)), now
    ),
    "end later": lambda game, now: game.edit(
        replace(PLAN, schedule=replace(PLAN.schedule, end=NOW + 7 * HOUR)), now
    ),
    "end before now": lambda game, now: game.edit(
        replace(PLAN, schedule=replace(PLAN.schedule, freeze=None, end=NOW + HOUR / 2)), now
    ),
    "extend": lambda game, now: game.extend(HOUR, now),
    "shorten": lambda game, now: game.extend(-HOUR, now),
    "unfreeze": lambda game, now: game.unfreeze(now),
    "remove interval": lambda game, now: game.remove_interval(Interval(NOW, NOW + HOUR), now),
    "ignore": lambda game, now: game.ignore(COUNTED, now),
    "ignore again": lambda game, now: game.ignore(IGNORED, now),
    "count again": lambda game, now: game.count_again(IGNORED, now),
    "count what counts": lambda game, now: game.count_again(COUNTED, now),
    "finalize": lambda game, now: game.finalize(0, now),
    "finalize too early": lambda game, now: game.finalize(3, now),
    "delete": lambda game, now: game.delete(now),
}

# command → what happens before, during and after the game; a change or a refusal.
TABLE: dict[str, tuple[GameChange | Why, GameChange | Why, GameChange | Why]] = {
    "rename": (GameChange.EDITED, GameChange.EDITED, GameChange.EDITED),
    "add problem": (GameChange.EDITED, GameChange.EDITED, GameChange.EDITED),
    "drop problem": (GameChange.EDITED, Why.PROBLEM_IN_USE, Why.PROBLEM_IN_USE),
    "change format": (GameChange.EDITED, Why.ALREADY_STARTED, Why.ALREADY_STARTED),
    "move start": (GameChange.EDITED, Why.ALREADY_STARTED, Why.ALREADY_STARTED),
    "change options": (GameChange.EDITED, Why.ALREADY_STARTED, Why.ALREADY_STARTED),
    "end later": (GameChange.EDITED, GameChange.EDITED, Why.ALREADY_ENDED),
    "end before now": (GameChange.EDITED, Why.END_IN_THE_PAST, Why.ALREADY_ENDED),
    "extend": (GameChange.EXTENDED, GameChange.EXTENDED, Why.ALREADY_ENDED),
    "shorten": (Why.EXTENSION_NOT_POSITIVE, Why.EXTENSION_NOT_POSITIVE, Why.EXTENSION_NOT_POSITIVE),
    "unfreeze": (Why.NOT_ENDED, Why.NOT_ENDED, GameChange.UNFROZEN),
    "remove interval": (GameChange.INTERVAL_REMOVED,) * 3,
    "ignore": (GameChange.SUBMISSION_IGNORED,) * 3,
    "ignore again": (Why.ALREADY_IGNORED,) * 3,
    "count again": (GameChange.SUBMISSION_COUNTED_AGAIN,) * 3,
    "count what counts": (Why.NOT_IGNORED,) * 3,
    "finalize": (Why.NOT_ENDED, Why.NOT_ENDED, GameChange.FINALIZED),
    "finalize too early": (Why.NOT_ENDED, Why.NOT_ENDED, Why.SUBMISSIONS_UNDECIDED),
    "delete": (GameChange.DELETED, Why.ALREADY_STARTED, GameChange.DELETED),
}


@pytest.mark.parametrize("command", list(COMMANDS))
def test_each_command_in_each_phase_changes_or_refuses_by_name(command: str) -> None:
    for now, expected in zip((BEFORE, DURING, AFTER), TABLE[command], strict=True):
        match COMMANDS[command](GAME_WITH_RULING, now):
            case Changed(_, events):
                assert events == (GameChanged(occurred_at=now, game_id=GAME, change=GameChange(expected)),)
            case Refused(reason):
                assert reason is expected


@pytest.mark.parametrize("command", list(COMMANDS))
def test_nothing_can_be_done_with_a_deleted_game(command: str) -> None:
    outcome = COMMANDS[command](replace(a_game(), deleted=True), BEFORE)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Why.DELETED


FINALIZED = replace(GAME_WITH_RULING, plan=replace(PLAN, schedule=replace(PLAN.schedule, finalized_at=AFTER)))


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"unfreeze", "delete"}))
def test_a_finalized_game_stays_as_it_is(command: str) -> None:
    assert COMMANDS[command](FINALIZED, AFTER) == Refused(Why.ALREADY_FINALIZED)


def test_a_finalized_game_can_still_be_unfrozen() -> None:
    assert FINALIZED.phase_at(AFTER) is Phase.FINALIZED
    assert isinstance(FINALIZED.unfreeze(AFTER), Changed)


@pytest.mark.parametrize(
    ("since", "until", "refusal"),
    [
        (-1, 1, Why.INTERVAL_OUTSIDE),
        (4, 6, Why.INTERVAL_OUTSIDE),
        (0.5, 1.5, Why.INTERVALS_OVERLAP),
        (1.2, 1.4, Why.INTERVALS_OVERLAP),
        (1, 2, Why.INTERVALS_OVERLAP),
        (0, 1, None),
        (2, 5, None),
    ],
)
def test_an_interval_is_removed_once_and_within_the_game(
    since: float, until: float, refusal: Why | None
) -> None:
    first = a_game().remove_interval(Interval(NOW + HOUR, NOW + 2 * HOUR), AFTER)
    assert isinstance(first, Changed)
    match first.after.remove_interval(Interval(NOW + since * HOUR, NOW + until * HOUR), AFTER):
        case Changed(game):
            assert refusal is None
            assert len(game.plan.schedule.removed) == 2
        case Refused(reason):
            assert reason is refusal


def test_something_of_a_game_must_be_left() -> None:
    everything = Interval(NOW, NOW + 5 * HOUR)
    assert a_game().remove_interval(everything, AFTER) == Refused(Why.NOTHING_LEFT)


def test_an_edit_keeps_what_has_commands_of_its_own() -> None:
    removed = a_game().remove_interval(Interval(NOW, NOW + HOUR), DURING)
    assert isinstance(removed, Changed)
    renamed = removed.after.edit(replace(PLAN, title="Finals"), DURING)
    assert isinstance(renamed, Changed)
    assert renamed.after.plan.title == "Finals"
    assert renamed.after.plan.schedule == removed.after.plan.schedule


def test_creating_a_game_is_told() -> None:
    created = Game.create(GAME, BOB, PLAN, NOW)
    assert created.after == a_game()
    assert created.events == (GameChanged(occurred_at=NOW, game_id=GAME, change=GameChange.CREATED),)


def test_a_board_is_unfrozen_once() -> None:
    unfrozen = a_game().unfreeze(AFTER)
    assert isinstance(unfrozen, Changed)
    again = unfrozen.after.unfreeze(AFTER)
    assert isinstance(again, Refused)
    assert again.reason is Why.NOT_FROZEN


@pytest.mark.parametrize(
    ("problems", "code"),
    [
        ((*PLAN.problems, GameProblem("A", B.question_id, B.points)), "label_twice"),
        ((*PLAN.problems, GameProblem("B", QUESTION, B.points)), "problem_twice"),
    ],
)
def test_a_problem_twice_is_refused(problems: tuple[GameProblem, ...], code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        replace(PLAN, problems=problems)
    assert refused.value.code == code


@pytest.mark.parametrize("colour", ["red", "#12345", "#1234567", "112233"])
def test_a_colour_is_six_hex_digits(colour: str) -> None:
    with pytest.raises(InvalidValueError):
        replace(B, colour=colour)
    assert replace(B, colour="#aaBB01").colour == "#aaBB01"


@pytest.mark.parametrize(
    "made",
    [
        lambda: FormatOptions(penalty_minutes=-1),
        lambda: FormatOptions(penalty_minutes=1441),
        lambda: FormatOptions(decay_minutes=0),
        lambda: FormatOptions(floor_percent=-1),
        lambda: FormatOptions(floor_percent=101),
    ],
)
def test_options_out_of_range_are_refused(made: Callable[[], FormatOptions]) -> None:
    with pytest.raises(InvalidValueError):
        made()


def test_a_format_has_the_penalty_it_is_known_for_unless_told_otherwise() -> None:
    known_for = {game_format: FormatOptions().penalty_in(game_format) for game_format in GameFormat}
    assert {name: minutes for name, minutes in known_for.items() if minutes} == {
        GameFormat.ICPC: 20,
        GameFormat.ATCODER: 5,
    }
    assert FormatOptions(penalty_minutes=0).penalty_in(GameFormat.ICPC) == 0


def test_title_and_label_are_required() -> None:
    with pytest.raises(InvalidValueError):
        replace(PLAN, title=" ")
    with pytest.raises(InvalidValueError):
        replace(B, label="")
