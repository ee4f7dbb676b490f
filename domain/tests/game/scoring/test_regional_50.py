"""A real regional final, replayed: the board must be the official one, row by row and cell by cell."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Final, TypedDict

import pytest

from deepoj_domain.game.format import Format
from deepoj_domain.game.game import Game, GamePlan
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.schedule import Schedule
from deepoj_domain.game.scoring.board import Board, BoardRow
from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.testing import Standings
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId, QuestionId, SubmissionId
from deepoj_domain.kernel.score import ZERO
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import BOB, GAME, NOW, a_participant, uuid

DATA: Final = Path(__file__).parents[2] / "data" / "regional-50"
VERDICTS: Final = {
    "AC": Verdict.ACCEPTED,
    "CE": Verdict.COMPILE_ERROR,
    "REJ": Verdict.WRONG_ANSWER,
}
JUDGING_TIME_US: Final = 10_000_000
MINUTE_MS: Final = 60_000


class Line(TypedDict):
    id: str
    team: str
    problem: str
    ms: int
    verdict: str


class ExpectedCell(TypedDict):
    accepted: bool
    attempts: int
    penalty: int
    time_ms: int


class ExpectedRow(TypedDict):
    team: str
    solved: int
    penalty: int
    problems: dict[str, ExpectedCell]


class Expected(TypedDict):
    length_ms: int
    penalty_min: int
    rows: list[ExpectedRow]


@pytest.fixture(scope="module")
def expected() -> Expected:
    loaded: Expected = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="module")
def board(expected: Expected) -> Board:
    labels = sorted(expected["rows"][0]["problems"])
    questions = {label: QuestionId(uuid(100 + ord(label))) for label in labels}
    plan = GamePlan(
        title="Regional",
        format=Format.ICPC,
        schedule=Schedule(start=NOW, end=NOW + timedelta(milliseconds=expected["length_ms"])),
        problems=tuple(GameProblem(label, questions[label], ZERO) for label in labels),
        sign_up=SignUpRules(),
    )
    standings = Standings(rules_of(Game(id=GAME, owner=BOB, plan=plan)))
    for row in expected["rows"]:
        standings.enter(a_participant(account_of(row["team"])))
    with (DATA / "log.jsonl").open(encoding="utf-8") as lines:
        for text in lines:
            line: Line = json.loads(text)
            standings.add(fact_of(line, questions[line["problem"]]))
    return standings.board(BoardView.ADMIN, is_frozen=False)


def account_of(team: str) -> AccountId:
    return AccountId(uuid(1000 + int(team.removeprefix("t"))))


def fact_of(line: Line, question_id: QuestionId) -> Fact:
    submission_id = SubmissionId(uuid(100_000 + int(line["id"].removeprefix("s"))))
    submitted_us = micros(NOW) + line["ms"] * 1000
    return Fact(
        submission_id=submission_id,
        origin_id=submission_id,
        account_id=account_of(line["team"]),
        question_id=question_id,
        submitted_us=submitted_us,
        known_us=submitted_us + JUDGING_TIME_US,
        verdict=VERDICTS[line["verdict"]],
    )


def as_expected(labels: tuple[str, ...], row: BoardRow, penalty_min: int) -> dict[str, object]:
    return {
        "solved": row.row.total.solved,
        "penalty": row.row.total.penalty_ms // MINUTE_MS,
        "problems": {
            label: {
                "accepted": cell.solved,
                "attempts": cell.tries,
                "penalty": (cell.solved_ms or 0) // MINUTE_MS + cell.solved * cell.rejected * penalty_min,
                "time_ms": cell.solved_ms or 0,
            }
            for label, cell in zip(labels, row.row.cells, strict=True)
        },
    }


def test_every_row_and_cell_is_the_official_one(board: Board, expected: Expected) -> None:
    assert len(board.rows) == len(expected["rows"])
    for row in expected["rows"]:
        mine = board.row_of(account_of(row["team"]))
        assert mine is not None
        wanted = {key: row[key] for key in ("solved", "penalty", "problems")}
        assert as_expected(board.labels, mine, expected["penalty_min"]) == wanted


def test_ranks_follow_the_official_order(board: Board, expected: Expected) -> None:
    ranks = {row.row.account_id: row.rank for row in board.rows}
    in_official_order = [ranks[account_of(row["team"])] for row in expected["rows"]]
    assert in_official_order == sorted(in_official_order)


def test_each_solved_problem_has_one_first_solver(board: Board) -> None:
    solved = {
        label
        for position, label in enumerate(board.labels)
        if any(row.row.cells[position].solved for row in board.rows)
    }
    assert sorted(label for row in board.rows for label in row.first_in) == sorted(solved)
