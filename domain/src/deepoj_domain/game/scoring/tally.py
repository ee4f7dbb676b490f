"""From the facts of a participant to their two rows: everything, and what a frozen board shows of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.scoring.clock import GameClock
from deepoj_domain.game.scoring.fact import Fact, heads
from deepoj_domain.game.scoring.policy import EMPTY, Cell, Total
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tries import frozen, tries_of
from deepoj_domain.kernel.ids import AccountId


@dataclass(frozen=True, slots=True)
class CellSides:
    full: Cell = EMPTY
    frozen: Cell = EMPTY

    def side(self, *, is_frozen: bool) -> Cell:
        return self.frozen if is_frozen else self.full


NO_CELL = CellSides()


@dataclass(frozen=True, slots=True)
class Row:
    account_id: AccountId
    kind: ParticipantKind
    total: Total
    cells: tuple[Cell, ...]
    """In the order of the game's problems."""


@dataclass(frozen=True, slots=True)
class Tally:
    full: Row
    frozen: Row

    def side(self, *, is_frozen: bool) -> Row:
        return self.frozen if is_frozen else self.full

    @property
    def cells(self) -> list[CellSides]:
        return [CellSides(*pair) for pair in zip(self.full.cells, self.frozen.cells, strict=True)]


Scored = tuple[Participant, Tally]


def score_cell(
    rules: Rules,
    participant: Participant,
    problem: GameProblem,
    facts: Iterable[Fact],
    at_us: int | None = None,
) -> CellSides:
    """`facts`: all of this participant on this problem. `at_us` cuts the log at a moment of the past."""
    return _cell_sides(rules, rules.clock_for(participant), problem, facts, at_us)


def score_row(rules: Rules, participant: Participant, cells: Sequence[CellSides]) -> Tally:
    """`cells`: one for each problem of the game, in its order."""
    full = _row(rules, participant, tuple(cell.full for cell in cells))
    if all(cell.frozen is cell.full for cell in cells):
        return Tally(full, full)
    return Tally(full, _row(rules, participant, tuple(cell.frozen for cell in cells)))


def score_participant(
    rules: Rules, participant: Participant, facts: Iterable[Fact], at_us: int | None = None
) -> Tally:
    """`facts`: all of this participant. Those to questions that are no problems of the game do nothing."""
    clock = rules.clock_for(participant)
    cells = [
        _cell_sides(rules, clock, problem, sent, at_us) if sent else NO_CELL
        for problem, sent in by_problem(rules.problems, facts)
    ]
    return score_row(rules, participant, cells)


def score_all(
    rules: Rules, participants: Iterable[Participant], facts: Mapping[AccountId, Iterable[Fact]]
) -> list[Scored]:
    """`facts` by participant. Who has withdrawn has no row."""
    return [
        (each, score_participant(rules, each, facts[each.account_id]))
        for each in participants
        if not each.withdrawn
    ]


def by_problem(
    problems: Sequence[GameProblem], facts: Iterable[Fact]
) -> list[tuple[GameProblem, list[Fact]]]:
    # Numbers of ids for the reason given in `heads`.
    grouped: dict[int, list[Fact]] = {problem.question_id.int: [] for problem in problems}
    for fact in facts:
        sent = grouped.get(fact.question_id.int)
        if sent is not None:
            sent.append(fact)
    return list(zip(problems, grouped.values(), strict=True))


def cut_of(clock: GameClock, at_us: int | None) -> int | None:
    """A finalized game knows nothing that became known later."""
    if at_us is None or clock.closes_us is None:
        return clock.closes_us if at_us is None else at_us
    return min(at_us, clock.closes_us)


def _cell_sides(
    rules: Rules, clock: GameClock, problem: GameProblem, facts: Iterable[Fact], at_us: int | None
) -> CellSides:
    tries = tries_of(heads(facts, cut_of(clock, at_us)), clock, rules.ignored)
    full = rules.policy.cell(tries, problem.points)
    shown = frozen(tries, clock)
    return CellSides(full, full if shown is tries else rules.policy.cell(shown, problem.points))


def _row(rules: Rules, participant: Participant, cells: tuple[Cell, ...]) -> Row:
    total = rules.policy.total(cells, participant.penalty_adjustment_minutes)
    return Row(participant.account_id, participant.kind, total, cells)
