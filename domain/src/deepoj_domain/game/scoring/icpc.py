"""ICPC: most problems solved, then least penalty, then the earlier last solved problem."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deepoj_domain.game.format import PenaltyRounding
from deepoj_domain.game.scoring.policy import Cell, Gap, GapCode, Total, solving_cell, solving_effects
from deepoj_domain.game.scoring.tries import Effect, Try
from deepoj_domain.kernel.score import ZERO, Score

_MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Icpc:
    penalty_minutes: int
    rounding: PenaltyRounding = PenaltyRounding.PER_SUBMISSION

    def effects(self, tries: Sequence[Try]) -> Iterator[Effect]:
        return solving_effects(tries)

    def cell(self, tries: Sequence[Try], points: Score) -> Cell:  # noqa: ARG002  problems are counted
        return solving_cell(tries, lambda _solved_ms, _wrong: ZERO)

    def total(self, cells: Sequence[Cell], adjustment_minutes: int) -> Total:
        times = [cell.solved_ms for cell in cells if cell.solved_ms is not None]
        wrong = sum(cell.rejected for cell in cells if cell.solved_ms is not None)
        minutes = self._minutes(times) + self.penalty_minutes * wrong + adjustment_minutes
        minutes = max(0, minutes)
        last = max(times, default=0) // _MINUTE_MS
        return Total(solved=len(times), penalty_ms=minutes * _MINUTE_MS, key=(-len(times), minutes, last))

    def gap(self, better: Total, worse: Total) -> Gap:
        if better.solved != worse.solved:
            return Gap(GapCode.SOLVED, better.solved - worse.solved)
        _, better_minutes, better_last = better.key
        _, worse_minutes, worse_last = worse.key
        if better_minutes != worse_minutes:
            return Gap(GapCode.PENALTY_MINUTES, worse_minutes - better_minutes)
        return Gap(GapCode.LAST_MINUTES, worse_last - better_last)

    def _minutes(self, times: Sequence[int]) -> int:
        match self.rounding:
            case PenaltyRounding.PER_SUBMISSION:
                return sum(time // _MINUTE_MS for time in times)
            case PenaltyRounding.ON_THE_SUM:
                return sum(times) // _MINUTE_MS
