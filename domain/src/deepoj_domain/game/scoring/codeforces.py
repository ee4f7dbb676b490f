"""Codeforces-like: a problem loses points with time and with every wrong try, down to a floor."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deepoj_domain.game.scoring.policy import (
    Cell,
    Gap,
    Total,
    points_gap,
    points_total,
    solving_cell,
    solving_effects,
)
from deepoj_domain.game.scoring.tries import Effect, Try
from deepoj_domain.kernel.score import Score

_MINUTE_MS = 60_000
_PERCENT = 100


@dataclass(frozen=True, slots=True)
class Codeforces:
    decay_minutes: int
    wrong_try_points: Score
    floor_percent: int

    def effects(self, tries: Sequence[Try]) -> Iterator[Effect]:
        return solving_effects(tries)

    def cell(self, tries: Sequence[Try], points: Score) -> Cell:
        return solving_cell(tries, lambda solved_ms, wrong: self._worth(points, solved_ms, wrong))

    def total(self, cells: Sequence[Cell], adjustment_minutes: int) -> Total:  # noqa: ARG002  no penalty time
        return points_total(cells)

    def gap(self, better: Total, worse: Total) -> Gap:
        return points_gap(better, worse)

    def _worth(self, points: Score, solved_ms: int, wrong: int) -> Score:
        minutes = solved_ms // _MINUTE_MS
        decayed = points.micros - points.micros * minutes // self.decay_minutes
        floor = points.micros * self.floor_percent // _PERCENT
        return Score(max(floor, decayed - self.wrong_try_points.micros * wrong))
