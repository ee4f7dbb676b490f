"""The whole of a game's scores in memory, kept up to date fact by fact.

The reference for everything that keeps the same state elsewhere: it is built from the same steps, and its
state depends only on the set of facts, participants and rules it was given.
"""

from collections.abc import Iterable

from deepoj_domain.game.participant import Participant
from deepoj_domain.game.scoring.board import Board
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import NO_CELL, CellSides, Tally, score_cell, score_row
from deepoj_domain.game.scoring.views import board_for
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId, QuestionId


class Standings:
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
