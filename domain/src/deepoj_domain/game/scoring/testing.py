"""Logs in one line, and the standings they make, for tests here and in the services."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from re import compile as pattern
from typing import Final

from deepoj_domain.game.participant import Participant
from deepoj_domain.game.scoring.board import Board, board_for
from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import NO_CELL, CellSides, Tally, score_cell, score_row
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, QuestionId, SubmissionId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, NOW, QUESTION, uuid

START_US: Final = micros(NOW)
_MS: Final = 1000
_MINUTE_US: Final = 60_000_000
_JUDGING_US: Final = 10_000_000
_TOKEN = pattern(
    r"(?P<verdict>[A-Z]+|\?)@(?P<minute>\d+)(:(?P<second>\d\d))?(\.(?P<ms>\d{3}))?(/(?P<points>[\d+]+))?"
)


def at(minute: float) -> int:
    """Microseconds since 1970 at a minute of a game that starts at NOW."""
    return START_US + round(minute * _MINUTE_US)


def sent(script: str, account_id: AccountId = ALICE, question_id: QuestionId = QUESTION) -> list[Fact]:
    """Facts from words such as `WA@12 ?@13:05.250 WA@40/10+20 AC@59:59`.

    The verdict (`?` for none yet), the time since NOW, and what each subtask gave. Judged ten seconds later.
    The id follows from account, question and time, so that saying a thing twice makes the same fact.
    """
    return [_fact(word, account_id, question_id) for word in script.split()]


def rejudged(fact: Fact, verdict: Verdict | None, minute: float) -> Fact:
    """The fact that a rejudge applied at that minute adds to the chain."""
    known_us = at(minute)
    number = fact.submission_id.int + known_us // _MS
    return replace(fact, submission_id=SubmissionId(uuid(number % 2**47)), known_us=known_us, verdict=verdict)


def cancelled(fact: Fact, minute: float) -> Fact:
    return replace(fact, known_us=at(minute), verdict=None, cancelled=True)


def _fact(word: str, account_id: AccountId, question_id: QuestionId) -> Fact:
    found = _TOKEN.fullmatch(word)
    if found is None:
        raise InvalidValueError("script_malformed", f"{word!r} is not of the form WA@12:05.250/10+20")
    elapsed_ms = int(found["minute"]) * 60_000 + int(found["second"] or 0) * 1000 + int(found["ms"] or 0)
    number = (elapsed_ms * 256 + account_id.int % 256) * 256 + question_id.int % 256
    submission_id = SubmissionId(uuid(number))
    submitted_us = START_US + elapsed_ms * _MS
    verdict = None if found["verdict"] == "?" else Verdict(found["verdict"])
    groups = _groups(found["points"])
    return Fact(
        submission_id=submission_id,
        origin_id=submission_id,
        account_id=account_id,
        question_id=question_id,
        submitted_us=submitted_us,
        known_us=submitted_us if verdict is None else submitted_us + _JUDGING_US,
        verdict=verdict,
        score=Score.total(group.score for group in groups),
        groups=groups,
    )


def _groups(points: str | None) -> tuple[GroupScore, ...]:
    each: Sequence[str] = points.split("+") if points else ()
    return tuple(GroupScore(f"subtask {number}", Score.points(score)) for number, score in enumerate(each, 1))


class Standings:
    """The whole of a game's scores in memory, kept up to date fact by fact.

    The reference for what keeps the same state elsewhere: it is built from the same steps, and its state
    depends only on the set of facts, participants and rules it was given.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._participants: dict[AccountId, Participant] = {}
        self._log: dict[tuple[AccountId, QuestionId], list[Fact]] = {}
        self._cells: dict[AccountId, list[CellSides]] = {}
        self._tallies: dict[AccountId, Tally] = {}

    def enter(self, participant: Participant) -> None:
        """New, or changed: another kind, an adjustment, withdrawn."""
        account_id = participant.account_id
        if participant.withdrawn:
            for kept in (self._participants, self._cells, self._tallies):
                kept.pop(account_id, None)
            return
        self._participants[account_id] = participant
        self._rescore(participant)

    def add(self, fact: Fact) -> None:
        """Scores one cell and its row again. A fact of nobody who takes part is only remembered."""
        facts = self._log.setdefault((fact.account_id, fact.question_id), [])
        if fact in facts:
            return
        facts.append(fact)
        participant = self._participants.get(fact.account_id)
        if participant is None:
            return
        cells = self._cells[fact.account_id]
        for position, problem in enumerate(self._rules.problems):
            if problem.question_id == fact.question_id:
                cells[position] = score_cell(self._rules, participant, problem, facts)
                self._tallies[fact.account_id] = score_row(self._rules, participant, cells)

    def govern(self, rules: Rules) -> None:
        """Another schedule, another ignored submission: every cell is scored again."""
        self._rules = rules
        for participant in self._participants.values():
            self._rescore(participant)

    def tallies(self) -> Iterable[Tally]:
        return self._tallies.values()

    def board(self, view: BoardView, *, is_frozen: bool, viewer: AccountId | None = None) -> Board:
        return board_for(self._rules, self.tallies(), view, is_frozen=is_frozen, viewer=viewer)

    def _rescore(self, participant: Participant) -> None:
        account_id = participant.account_id
        self._cells[account_id] = [
            score_cell(self._rules, participant, problem, facts) if facts else NO_CELL
            for problem in self._rules.problems
            for facts in (self._log.get((account_id, problem.question_id)),)
        ]
        self._tallies[account_id] = score_row(self._rules, participant, self._cells[account_id])
