"""OI: the last submission to a problem counts, better or not. Contestants learn of it after the end.

A compile error is a submission like any other here and takes the place of an earlier one; only our own
failure (SE) does not. While the last one is undecided the one before it stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deepoj_domain.game.scoring.attempt import Attempt, Effect
from deepoj_domain.game.scoring.policy import Cell, Total, points_gap, points_total
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.kernel.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Oi:
    def effects(self, attempts: Sequence[Attempt]) -> Iterator[Effect]:
        last = _last(attempts)
        for attempt in attempts:
            if attempt.verdict is None:
                yield attempt.waiting
            elif attempt.verdict is Verdict.SYSTEM_ERROR:
                yield Effect.SYSTEM_ERROR
            else:
                yield Effect.LAST if attempt is last else Effect.REPLACED

    def cell(self, attempts: Sequence[Attempt], points: Score) -> Cell:  # noqa: ARG002  subtasks have points
        last = _last(attempts)
        counted = sum(_counts(attempt) for attempt in attempts)
        accepted = last is not None and last.verdict is Verdict.ACCEPTED
        waiting = [attempt.elapsed_ms for attempt in attempts if attempt.verdict is None]
        after_last = [time for time in waiting if last is None or time > last.elapsed_ms]
        return Cell(
            rejected=counted - accepted,
            pending=len(waiting),
            solved_ms=last.elapsed_ms if last is not None and accepted else None,
            pending_ms=after_last[0] if after_last else None,
            score=ZERO if last is None else last.fact.score,
        )

    def total(self, cells: Sequence[Cell], adjustment_minutes: int) -> Total:  # noqa: ARG002  no penalty time
        return points_total(cells)

    def gap(self, better: Total, worse: Total) -> str:
        return points_gap(better, worse)


def _counts(attempt: Attempt) -> bool:
    return attempt.verdict is not None and attempt.verdict is not Verdict.SYSTEM_ERROR


def _last(attempts: Sequence[Attempt]) -> Attempt | None:
    return next((attempt for attempt in reversed(attempts) if _counts(attempt)), None)
