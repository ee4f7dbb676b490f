"""AtCoder: most points, then the least time.

The time is that of the last accepted submission that counts, plus some minutes for every wrong try on a
solved problem, in whole seconds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deepoj_domain.game.scoring.policy import (
    Cell,
    Gap,
    GapCode,
    Total,
    points_gap,
    solving_cell,
    solving_effects,
)
from deepoj_domain.game.scoring.tries import Effect, Try
from deepoj_domain.kernel.score import Score

_SECOND_MS = 1000
_MINUTE_S = 60


@dataclass(frozen=True, slots=True)
class AtCoder:
    penalty_minutes: int

    def effects(self, tries: Sequence[Try]) -> Iterator[Effect]:
        return solving_effects(tries)

    def cell(self, tries: Sequence[Try], points: Score) -> Cell:
        return solving_cell(tries, lambda _solved_ms, _wrong: points)

    def total(self, cells: Sequence[Cell], adjustment_minutes: int) -> Total:
        solved = [cell for cell in cells if cell.solved_ms is not None]
        score = Score.total(cell.score for cell in solved)
        last = max((cell.solved_ms or 0 for cell in solved), default=0) // _SECOND_MS
        wrong = sum(cell.rejected for cell in solved)
        seconds = max(0, last + _MINUTE_S * (self.penalty_minutes * wrong + adjustment_minutes))
        return Total(
            solved=len(solved),
            score=score,
            penalty_ms=seconds * _SECOND_MS,
            key=(-score.micros, seconds, 0),
        )

    def gap(self, better: Total, worse: Total) -> Gap:
        if better.score != worse.score:
            return points_gap(better, worse)
        return Gap(GapCode.SECONDS, (worse.penalty_ms - better.penalty_ms) // _SECOND_MS)
