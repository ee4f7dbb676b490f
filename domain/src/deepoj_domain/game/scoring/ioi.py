"""IOI: for every subtask the best ever reached counts, whichever submission reached it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deepoj_domain.game.scoring.attempt import FREE, Attempt, Effect
from deepoj_domain.game.scoring.policy import Cell, Gap, Total, points_gap, points_total
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Ioi:
    def effects(self, attempts: Sequence[Attempt]) -> Iterator[Effect]:
        best: dict[str, int] = {}
        for attempt in attempts:
            if attempt.verdict is None:
                yield attempt.waiting
            elif attempt.verdict in FREE:
                yield FREE[attempt.verdict]
            else:
                yield Effect.IMPROVED if _raise(best, attempt) else Effect.NOT_BETTER

    def cell(self, attempts: Sequence[Attempt], points: Score) -> Cell:  # noqa: ARG002  subtasks have points
        best: dict[str, int] = {}
        rejected = pending = 0
        solved_ms = pending_ms = None
        for attempt in attempts:
            if attempt.verdict is None:
                pending += 1
                if solved_ms is None and pending_ms is None:
                    pending_ms = attempt.elapsed_ms
            elif attempt.verdict not in FREE:
                _raise(best, attempt)
                if attempt.verdict is Verdict.ACCEPTED:
                    solved_ms = attempt.elapsed_ms if solved_ms is None else solved_ms
                elif solved_ms is None:
                    rejected += 1
        return Cell(
            rejected=rejected,
            pending=pending,
            solved_ms=solved_ms,
            pending_ms=pending_ms,
            score=Score(sum(best.values())),
        )

    def total(self, cells: Sequence[Cell], adjustment_minutes: int) -> Total:  # noqa: ARG002  no penalty time
        return points_total(cells)

    def gap(self, better: Total, worse: Total) -> Gap:
        return points_gap(better, worse)


def _raise(best: dict[str, int], attempt: Attempt) -> bool:
    """Whether this attempt got more than ever before in some subtask. Without subtasks the whole is one."""
    improved = False
    groups = attempt.fact.groups
    reached = [(group.group, group.score.micros) for group in groups] or [("", attempt.fact.score.micros)]
    for group, score in reached:
        if score > best.get(group, 0):
            best[group] = score
            improved = True
    return improved
