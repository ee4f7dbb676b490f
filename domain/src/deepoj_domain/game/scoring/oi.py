"""OI: the last submission to a problem counts, better or not. Contestants learn of it after the end.

A compile error is a submission like any other here and takes the place of an earlier one; only our own
failure (SE) does not. While the last one is undecided the one before it stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deepoj_domain.game.scoring.policy import Cell, Gap, Total, points_gap, points_total
from deepoj_domain.game.scoring.tries import Effect, Try
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.kernel.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Oi:
    def effects(self, tries: Sequence[Try]) -> Iterator[Effect]:
        last = next((tried for tried in reversed(tries) if _counts(tried)), None)
        for tried in tries:
            if tried.verdict is None:
                yield tried.waiting
            elif tried.verdict is Verdict.SYSTEM_ERROR:
                yield Effect.SYSTEM_ERROR
            else:
                yield Effect.LAST if tried is last else Effect.REPLACED

    def cell(self, tries: Sequence[Try], points: Score) -> Cell:  # noqa: ARG002  subtasks have points
        pending = counted = 0
        last = pending_ms = None
        for tried in tries:
            if tried.verdict is None:
                pending += 1
                pending_ms = tried.elapsed_ms if pending_ms is None else pending_ms
            elif _counts(tried):
                counted += 1
                last, pending_ms = tried, None
        accepted = last is not None and last.verdict is Verdict.ACCEPTED
        return Cell(
            rejected=counted - accepted,
            pending=pending,
            solved_ms=last.elapsed_ms if last is not None and accepted else None,
            pending_ms=pending_ms,
            score=ZERO if last is None else last.fact.score,
        )

    def total(self, cells: Sequence[Cell], adjustment_minutes: int) -> Total:  # noqa: ARG002  no penalty time
        return points_total(cells)

    def gap(self, better: Total, worse: Total) -> Gap:
        return points_gap(better, worse)


def _counts(tried: Try) -> bool:
    return tried.verdict is not None and tried.verdict is not Verdict.SYSTEM_ERROR
