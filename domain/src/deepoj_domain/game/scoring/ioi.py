"""IOI: for every subtask the best ever reached counts, whichever submission reached it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deepoj_domain.game.scoring.policy import Cell, Gap, Total, points_gap, points_total
from deepoj_domain.game.scoring.tries import FREE, Effect, Try
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Ioi:
    def effects(self, tries: Sequence[Try]) -> Iterator[Effect]:
        best: dict[str, int] = {}
        for tried in tries:
            if tried.verdict is None:
                yield tried.waiting
            elif tried.verdict in FREE:
                yield FREE[tried.verdict]
            else:
                yield Effect.IMPROVED if _raise(best, tried) else Effect.NOT_BETTER

    def cell(self, tries: Sequence[Try], points: Score) -> Cell:  # noqa: ARG002  subtasks have points
        best: dict[str, int] = {}
        rejected = pending = 0
        solved_ms = pending_ms = None
        for tried in tries:
            if tried.verdict is None:
                pending += 1
                if solved_ms is None and pending_ms is None:
                    pending_ms = tried.elapsed_ms
            elif tried.verdict not in FREE:
                _raise(best, tried)
                if tried.verdict is Verdict.ACCEPTED:
                    solved_ms = tried.elapsed_ms if solved_ms is None else solved_ms
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


def _raise(best: dict[str, int], tried: Try) -> bool:
    """Whether this try got more than ever before in some subtask. Without subtasks the whole is one."""
    improved = False
    groups = tried.fact.groups
    reached = [(group.group, group.score.micros) for group in groups] or [("", tried.fact.score.micros)]
    for group, score in reached:
        if score > best.get(group, 0):
            best[group] = score
            improved = True
    return improved
