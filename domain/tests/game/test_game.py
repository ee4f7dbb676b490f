from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from deepoj_domain.game.events import GameChange, GameChanged
from deepoj_domain.game.format import GameFormat
from deepoj_domain.game.game import Game, GameOutcome
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.refusal import GameRefusal as Why
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.score import Score
from deepoj_domain.testing import BOB, GAME, NOW, QUESTION, a_game, a_plan, uuid

HOUR = timedelta(hours=1)
BEFORE, DURING, AFTER = NOW - HOUR, NOW + HOUR, NOW + 6 * HOUR
PLAN = a_plan()
B = GameProblem("B", QuestionId(uuid(11)), Score.points(50))
Command = Callable[[Game, datetime], GameOutcome]

COMMANDS: dict[str, Command] = {
    "rename": lambda game, now: game.edit(replace(PLAN, title="Finals"), now),
    "add problem": lambda game, now: game.edit(replace(PLAN, problems=(*PLAN.problems, B)), now),
    "drop problem": lambda game, now: game.edit(replace(PLAN, problems=(B,)), now),
    "change format": lambda game, now: game.edit(replace(PLAN, format=GameFormat.IOI), now),
    "move start": lambda game, now: game.edit(
        replace(PLAN, schedule=replace(PLAN.schedule, start=NOW - timedelta(minutes=1))), now
    ),
    "extend": lambda game, now: game.extend(HOUR, now),
    "shorten": lambda game, now: game.extend(-HOUR, now),
    "unfreeze": lambda game, now: game.unfreeze(now),
    "delete": lambda game, now: game.delete(now),
}

# command → what happens before, during and after the game; a change or a refusal.
TABLE: dict[str, tuple[GameChange | Why, GameChange | Why, GameChange | Why]] = {
    "rename": (GameChange.EDITED, GameChange.EDITED, GameChange.EDITED),
    "add problem": (GameChange.EDITED, GameChange.EDITED, GameChange.EDITED),
    "drop problem": (GameChange.EDITED, Why.PROBLEM_IN_USE, Why.PROBLEM_IN_USE),
    "change format": (GameChange.EDITED, Why.ALREADY_STARTED, Why.ALREADY_STARTED),
    "move start": (GameChange.EDITED, Why.ALREADY_STARTED, Why.ALREADY_STARTED),
    "extend": (GameChange.EXTENDED, GameChange.EXTENDED, Why.ALREADY_ENDED),
    "shorten": (Why.EXTENSION_NOT_POSITIVE, Why.EXTENSION_NOT_POSITIVE, Why.EXTENSION_NOT_POSITIVE),
    "unfreeze": (Why.NOT_ENDED, Why.NOT_ENDED, GameChange.UNFROZEN),
    "delete": (GameChange.DELETED, Why.ALREADY_STARTED, GameChange.DELETED),
}


@pytest.mark.parametrize("command", list(COMMANDS))
def test_each_command_in_each_phase_changes_or_refuses_by_name(command: str) -> None:
    for now, expected in zip((BEFORE, DURING, AFTER), TABLE[command], strict=True):
        match COMMANDS[command](a_game(), now):
            case Changed(_, events):
                assert events == (GameChanged(occurred_at=now, game_id=GAME, change=GameChange(expected)),)
            case Refused(reason):
                assert reason is expected


@pytest.mark.parametrize("command", list(COMMANDS))
def test_nothing_can_be_done_with_a_deleted_game(command: str) -> None:
    outcome = COMMANDS[command](replace(a_game(), deleted=True), BEFORE)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Why.DELETED


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


def test_title_and_label_are_required() -> None:
    with pytest.raises(InvalidValueError):
        replace(PLAN, title=" ")
    with pytest.raises(InvalidValueError):
        replace(B, label="")
