"""What a format must bring, and what several share. Each format has a file of its own beside this one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from deepoj_domain.game.scoring.tries import FREE, Effect, Try
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.kernel.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One participant on one problem. Times are milliseconds on the participant's clock."""

    rejected: int = 0
    """Counted wrong tries; when solved, those before the accepted one."""
    pending: int = 0
    solved_ms: int | None = None
    pending_ms: int | None = None
    """The earliest undecided submission that could still be the first to solve."""
    score: Score = ZERO

    @property
    def solved(self) -> bool:
        return self.solved_ms is not None

    @property
    def tries(self) -> int:
        return self.rejected + self.solved


EMPTY = Cell()


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """`key` orders rows, smaller is better; equal keys share a rank."""

    solved: int
    score: Score = ZERO
    penalty_ms: int = 0
    key: tuple[int, int, int]


class GapCode(StrEnum):
    """What separates two ranks, or why there is nothing to separate."""

    NOT_ON_THE_BOARD = "not_on_the_board"
    OUT_OF_COMPETITION = "out_of_competition"
    NOBODY_BETTER = "nobody_better"
    SOLVED = "solved"
    PENALTY_MINUTES = "penalty_minutes"
    LAST_MINUTES = "last_minutes"
    """The last problem was solved so many minutes earlier."""
    POINTS_MICROS = "points_micros"
    SECONDS = "seconds"


@dataclass(frozen=True, slots=True)
class Gap:
    code: GapCode
    by: int


class Policy(Protocol):
    def effects(self, tries: Sequence[Try]) -> Iterable[Effect]:
        """One for each try, in their order."""
        ...

    def cell(self, tries: Sequence[Try], points: Score) -> Cell:
        """`tries` are those of one participant on one problem that take part, in order of submission."""
        ...

    def total(self, cells: Sequence[Cell], adjustment_minutes: int) -> Total: ...

    def gap(self, better: Total, worse: Total) -> Gap:
        """What `better` has over `worse`."""
        ...


def points_total(cells: Sequence[Cell]) -> Total:
    """For the formats in which nothing but the points counts."""
    score = Score.total(cell.score for cell in cells)
    return Total(solved=sum(cell.solved for cell in cells), score=score, key=(-score.micros, 0, 0))


def points_gap(better: Total, worse: Total) -> Gap:
    return Gap(GapCode.POINTS_MICROS, better.score.micros - worse.score.micros)


# Shared by the formats in which a problem is solved or not: ICPC, AtCoder, Codeforces.


def walk(tries: Sequence[Try]) -> Iterator[Effect]:
    """What follows the first accepted submission is ignored."""
    solved = False
    for tried in tries:
        if solved:
            yield Effect.AFTER_ACCEPTED
        elif tried.verdict is None:
            yield tried.waiting
        elif tried.verdict is Verdict.ACCEPTED:
            solved = True
            yield Effect.ACCEPTED
        else:
            yield FREE.get(tried.verdict, Effect.REJECTED)


def solving_effects(tries: Sequence[Try]) -> Iterator[Effect]:
    """A wrong try costs only where the problem was solved."""
    effects = list(walk(tries))
    wrong = Effect.PENALTY if Effect.ACCEPTED in effects else Effect.REJECTED
    return (wrong if effect is Effect.REJECTED else effect for effect in effects)


def solving_cell(tries: Sequence[Try], worth: Callable[[int, int], Score]) -> Cell:
    """`worth` says what a problem gives that was solved after so many milliseconds and wrong tries."""
    rejected = pending = 0
    solved_ms = pending_ms = None
    for tried, effect in zip(tries, walk(tries), strict=True):
        if effect is Effect.REJECTED:
            rejected += 1
        elif effect is Effect.ACCEPTED:
            solved_ms = tried.elapsed_ms
        elif effect is Effect.PENDING or effect is Effect.FROZEN:
            pending += 1
            pending_ms = tried.elapsed_ms if pending_ms is None else pending_ms
    score = ZERO if solved_ms is None else worth(solved_ms, rejected)
    return Cell(rejected=rejected, pending=pending, solved_ms=solved_ms, pending_ms=pending_ms, score=score)
