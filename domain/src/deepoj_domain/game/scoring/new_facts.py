"""What facts that arrive make of a board: the rows of their senders, and which rows are told to whom.

Each fact is told as a change of its sender's row. Other rows change with it too: whoever was first to solve a
problem and is not any more, or is now and was not.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from deepoj_domain.game.game import Game
from deepoj_domain.game.notice import Notice, SeenBy, row_notice, who_sees
from deepoj_domain.game.participant import Participant
from deepoj_domain.game.scoring.board import first_to_solve
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.policy import Cell
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import CellSides, Scored, Tally, score_cell, score_row
from deepoj_domain.kernel.ids import AccountId, QuestionId

CellKey: TypeAlias = tuple[AccountId, QuestionId]
_NOBODY = AccountId(UUID(int=0))


def cell_of(fact: Fact) -> CellKey:
    return fact.account_id, fact.question_id


@dataclass(frozen=True, slots=True)
class Rivals:
    """The best of those who sent none of the facts, on one problem."""

    solved_ms: int | None = None
    pending_ms: int | None = None
    holders: tuple[AccountId, ...] = ()
    """Who solved it at `solved_ms`."""

    def first_with(self, cells: Iterable[tuple[AccountId, Cell]]) -> frozenset[AccountId]:
        known = [(account, Cell(solved_ms=self.solved_ms)) for account in self.holders]
        return first_to_solve([*known, (_NOBODY, Cell(pending_ms=self.pending_ms)), *cells])


@dataclass(frozen=True, slots=True)
class Situation:
    """What the board knows of some cells and of those they belong to."""

    participants: Mapping[AccountId, Participant]
    facts: Mapping[CellKey, Sequence[Fact]]
    sides: Mapping[AccountId, Sequence[CellSides]]
    """The cells of the whole row, one for each problem of the game."""
    rivals: Mapping[QuestionId, Rivals]
    frozen_rivals: Mapping[QuestionId, Rivals]


@dataclass(frozen=True, slots=True)
class NewFacts:
    """What is written of facts that arrived."""

    facts: Sequence[tuple[Fact, Notice]] = ()
    rows: Sequence[Scored] = ()
    notices: Sequence[Notice] = ()
    """Of the rows of others."""


def add_facts(game: Game, rules: Rules, there: Situation, facts: Sequence[Fact], now: datetime) -> NewFacts:
    """A fact that is there already, or comes twice, changes nothing."""
    log = {cell: list(known) for cell, known in there.facts.items()}
    new: list[Fact] = []
    for fact in facts:
        known = log[cell_of(fact)]
        if fact not in known:
            known.append(fact)
            new.append(fact)
    accounts = sorted({fact.account_id for fact in new})
    playing = [there.participants[each] for each in accounts if not there.participants[each].withdrawn]
    scored = [(each, _tally(rules, each, there.sides[each.account_id], log)) for each in playing]
    told = _Told(game, rules, there, scored, now)
    numbered = [(fact, told.notice(fact.account_id)) for fact in new]
    return NewFacts(numbered, scored, told.moved_firsts())


def _tally(
    rules: Rules, participant: Participant, sides: Sequence[CellSides], log: Mapping[CellKey, Sequence[Fact]]
) -> Tally:
    """Score the cells that have new facts; the others stand as they are."""
    cells = [
        score_cell(rules, participant, problem, log[cell]) if cell in log else known
        for problem, known in zip(rules.problems, sides, strict=True)
        for cell in ((participant.account_id, problem.question_id),)
    ]
    return score_row(rules, participant, cells)


@dataclass(slots=True)
class _Told:
    game: Game
    rules: Rules
    there: Situation
    scored: Sequence[Scored]
    now: datetime
    told: set[AccountId] = field(default_factory=set)
    told_to_all: set[AccountId] = field(default_factory=set)
    is_frozen: bool = field(init=False)
    seen_by: Mapping[AccountId, SeenBy] = field(init=False)

    def __post_init__(self) -> None:
        self.is_frozen = self.game.plan.schedule.board_is_frozen(self.now)
        self.seen_by = {who.account_id: self._seen_by(who, tally) for who, tally in self.scored}

    def notice(self, account_id: AccountId) -> Notice:
        """Several facts of one row change a frozen one once, whichever of them come together."""
        # Whoever has withdrawn has no row.
        seen_by = self.seen_by.get(account_id, SeenBy.STAFF)
        if seen_by is SeenBy.ALL and self.is_frozen and account_id in self.told_to_all:
            seen_by = SeenBy.OWNER
        return self._notice(account_id, seen_by)

    def moved_firsts(self) -> list[Notice]:
        """A first place that only the full board shows is for the staff, as long as another is shown."""
        full = frozenset().union(*self._moved(self.there.rivals, is_frozen=False))
        frozen = frozenset().union(*self._moved(self.there.frozen_rivals, is_frozen=True))
        shown = frozen if self.is_frozen else full | frozen
        return [
            *(self._notice(each, SeenBy.ALL) for each in sorted(shown - self.told_to_all)),
            *(self._notice(each, SeenBy.STAFF) for each in sorted((full | frozen) - self.told)),
        ]

    def _notice(self, account_id: AccountId, seen_by: SeenBy) -> Notice:
        self.told.add(account_id)
        if seen_by is SeenBy.ALL:
            self.told_to_all.add(account_id)
        return row_notice(account_id, seen_by)

    def _seen_by(self, participant: Participant, tally: Tally) -> SeenBy:
        seen_by = who_sees(self.game, participant, self.now)
        before = tuple(sides.frozen for sides in self.there.sides[participant.account_id])
        if seen_by is SeenBy.ALL and self.is_frozen and before == tally.frozen.cells:
            return SeenBy.OWNER
        return seen_by

    def _moved(
        self, rivals: Mapping[QuestionId, Rivals], *, is_frozen: bool
    ) -> Iterator[Collection[AccountId]]:
        """Who was first to solve and is not any more, or is now and was not, problem by problem."""
        # Also those whose facts are known already: they are among the cells, not among their rivals.
        known = {
            each: self.there.sides[each]
            for each, who in self.there.participants.items()
            if who.kind.is_ranked and each in self.there.sides
        }
        scored = {who.account_id: tally.cells for who, tally in self.scored}
        for place, problem in enumerate(self.rules.problems):
            others = rivals.get(problem.question_id)
            if others is None:
                continue
            before = [(each, sides[place].side(is_frozen=is_frozen)) for each, sides in known.items()]
            after = [
                (each, scored.get(each, sides)[place].side(is_frozen=is_frozen))
                for each, sides in known.items()
            ]
            yield others.first_with(before) ^ others.first_with(after)
