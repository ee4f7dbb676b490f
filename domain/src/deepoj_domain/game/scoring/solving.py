"""Shared by the formats in which a problem is solved or not: ICPC, AtCoder, Codeforces."""

from collections.abc import Callable, Iterator, Sequence

from deepoj_domain.game.scoring.attempt import FREE, Attempt, Effect
from deepoj_domain.game.scoring.policy import Cell
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.kernel.verdict import Verdict


def walk(attempts: Sequence[Attempt]) -> Iterator[Effect]:
    """What follows the first accepted submission is ignored."""
    solved = False
    for attempt in attempts:
        if solved:
            yield Effect.AFTER_ACCEPTED
        elif attempt.verdict is None:
            yield attempt.waiting
        elif attempt.verdict is Verdict.ACCEPTED:
            solved = True
            yield Effect.ACCEPTED
        else:
            yield FREE.get(attempt.verdict, Effect.REJECTED)


def solving_effects(attempts: Sequence[Attempt]) -> Iterator[Effect]:
    """A wrong try costs only where the problem was solved."""
    effects = list(walk(attempts))
    wrong = Effect.PENALTY if Effect.ACCEPTED in effects else Effect.REJECTED
    return (wrong if effect is Effect.REJECTED else effect for effect in effects)


def solving_cell(attempts: Sequence[Attempt], worth: Callable[[int, int], Score]) -> Cell:
    """`worth` says what a problem gives that was solved after so many milliseconds and wrong tries."""
    rejected = pending = 0
    solved_ms = pending_ms = None
    for attempt, effect in zip(attempts, walk(attempts), strict=True):
        if effect is Effect.REJECTED:
            rejected += 1
        elif effect is Effect.ACCEPTED:
            solved_ms = attempt.elapsed_ms
        elif effect is Effect.PENDING or effect is Effect.FROZEN:
            pending += 1
            pending_ms = attempt.elapsed_ms if pending_ms is None else pending_ms
    score = ZERO if solved_ms is None else worth(solved_ms, rejected)
    return Cell(rejected=rejected, pending=pending, solved_ms=solved_ms, pending_ms=pending_ms, score=score)
