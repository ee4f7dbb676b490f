from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from deepoj_domain.game.format import Format, FormatOptions
from deepoj_domain.game.game import Game, GameOutcome
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.refusal import GameRefusal as Why
from deepoj_domain.game.schedule import Interval, Phase
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId, SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.score import Score
from deepoj_domain.testing import NOW, QUESTION, a_game, a_plan, uuid

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
    "change format": lambda game, now: game.edit(replace(PLAN, format=Format.IOI), now),
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
    "finalize": lambda game, now: game.finalize([], now),
    "finalize too early": lambda game, now: game.finalize([COUNTED], now),
    "delete": lambda game, now: game.delete(now),
}

# command → why it is refused before, during and after the game; None: it changes the game.
TABLE: dict[str, tuple[Why | None, Why | None, Why | None]] = {
    "rename": (None, None, None),
    "add problem": (None, None, None),
    "drop problem": (None, Why.PROBLEM_IN_USE, Why.PROBLEM_IN_USE),
    "change format": (None, Why.ALREADY_STARTED, Why.ALREADY_STARTED),
    "move start": (None, Why.ALREADY_STARTED, Why.ALREADY_STARTED),
    "change options": (None, Why.ALREADY_STARTED, Why.ALREADY_STARTED),
    "end later": (None, None, Why.ALREADY_ENDED),
    "end before now": (None, Why.END_IN_THE_PAST, Why.ALREADY_ENDED),
    "extend": (None, None, Why.ALREADY_ENDED),
    "shorten": (Why.EXTENSION_NOT_POSITIVE, Why.EXTENSION_NOT_POSITIVE, Why.EXTENSION_NOT_POSITIVE),
    "unfreeze": (Why.NOT_ENDED, Why.NOT_ENDED, None),
    "remove interval": (None,) * 3,
    "ignore": (None,) * 3,
    "ignore again": (Why.ALREADY_IGNORED,) * 3,
    "count again": (None,) * 3,
    "count what counts": (Why.NOT_IGNORED,) * 3,
    "finalize": (Why.NOT_ENDED, Why.NOT_ENDED, None),
    "finalize too early": (Why.NOT_ENDED, Why.NOT_ENDED, Why.SUBMISSIONS_UNDECIDED),
    "delete": (None, Why.ALREADY_STARTED, None),
}


@pytest.mark.parametrize("command", list(COMMANDS))
def test_each_command_in_each_phase_changes_or_refuses_by_name(command: str) -> None:
    for now, expected in zip((BEFORE, DURING, AFTER), TABLE[command], strict=True):
        match COMMANDS[command](GAME_WITH_RULING, now):
            case Refused(reason):
                assert reason is expected
            case changed:
                assert expected is None
                assert changed != GAME_WITH_RULING


@pytest.mark.parametrize("command", list(COMMANDS))
def test_nothing_can_be_done_with_a_deleted_game(command: str) -> None:
    outcome = COMMANDS[command](replace(a_game(), deleted=True), BEFORE)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Why.DELETED


FINALIZED = replace(GAME_WITH_RULING, plan=replace(PLAN, schedule=replace(PLAN.schedule, finalized_at=AFTER)))


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"unfreeze", "delete"}))
def test_a_finalized_game_stays_as_it_is(command: str) -> None:
    assert COMMANDS[command](FINALIZED, AFTER) == Refused(Why.ALREADY_FINALIZED)


def test_what_holds_the_final_result_back_is_named() -> None:
    waiting = [SubmissionId(uuid(number)) for number in range(12)]
    refused = a_game().finalize(waiting, AFTER)
    assert isinstance(refused, Refused)
    assert str(waiting[0]) in refused.detail
    assert refused.detail.endswith(" and 2 more")
    assert str(waiting[1]) not in str(a_game().finalize(waiting[:1], AFTER))


def test_a_finalized_game_can_still_be_unfrozen() -> None:
    assert FINALIZED.phase_at(AFTER) is Phase.FINALIZED
    assert isinstance(FINALIZED.unfreeze(AFTER), Game)


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
    assert isinstance(first, Game)
    match first.remove_interval(Interval(NOW + since * HOUR, NOW + until * HOUR), AFTER):
        case Refused(reason):
            assert reason is refusal
        case game:
            assert refusal is None
            assert len(game.plan.schedule.removed) == 2


def test_something_of_a_game_must_be_left() -> None:
    everything = Interval(NOW, NOW + 5 * HOUR)
    assert a_game().remove_interval(everything, AFTER) == Refused(Why.NOTHING_LEFT)


def test_an_edit_keeps_what_has_commands_of_its_own() -> None:
    removed = a_game().remove_interval(Interval(NOW, NOW + HOUR), DURING)
    assert isinstance(removed, Game)
    renamed = removed.edit(replace(PLAN, title="Finals"), DURING)
    assert isinstance(renamed, Game)
    assert renamed.plan.title == "Finals"
    assert renamed.plan.schedule == removed.plan.schedule


@pytest.mark.parametrize("freeze", [None, NOW, NOW + 4.5 * HOUR], ids=["none", "earlier", "later"])
def test_once_the_board_is_frozen_an_edit_leaves_the_freeze_where_it_is(freeze: datetime | None) -> None:
    begins = PLAN.schedule.freeze
    assert begins is not None
    draft = replace(PLAN, schedule=replace(PLAN.schedule, freeze=freeze))
    assert isinstance(a_game().edit(draft, begins - HOUR), Game)
    assert a_game().edit(draft, begins) == Refused(Why.ALREADY_FROZEN)
    assert isinstance(a_game().edit(replace(PLAN, title="Finals"), begins), Game)


def test_a_board_is_unfrozen_once() -> None:
    unfrozen = a_game().unfreeze(AFTER)
    assert isinstance(unfrozen, Game)
    again = unfrozen.unfreeze(AFTER)
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
    known_for = {game_format: FormatOptions().penalty_in(game_format) for game_format in Format}
    assert {name: minutes for name, minutes in known_for.items() if minutes} == {
        Format.ICPC: 20,
        Format.ATCODER: 5,
    }
    assert FormatOptions(penalty_minutes=0).penalty_in(Format.ICPC) == 0


def test_title_and_label_are_required() -> None:
    with pytest.raises(InvalidValueError):
        replace(PLAN, title=" ")
    with pytest.raises(InvalidValueError):
        replace(B, label="")
