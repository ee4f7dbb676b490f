"""Why a participant stands where they stand: what each submission did, and what the next better one has."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from deepoj_domain.game.participant import Participant
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.scoring.attempt import Attempt, Effect, attempts_of, frozen, why_left_out
from deepoj_domain.game.scoring.board import OUT_OF_COMPETITION, Board, BoardRow
from deepoj_domain.game.scoring.clock import GameClock
from deepoj_domain.game.scoring.fact import Fact, heads
from deepoj_domain.game.scoring.policy import Policy
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import by_problem, cut_of
from deepoj_domain.kernel.ids import AccountId, SubmissionId


@dataclass(frozen=True, slots=True)
class CountedSubmission:
    fact: Fact
    """The one that holds; without its outcome where the freeze withholds it."""
    label: str
    elapsed_ms: int
    effect: Effect


def explain_submissions(
    rules: Rules,
    participant: Participant,
    facts: Iterable[Fact],
    *,
    is_frozen: bool,
    at_us: int | None = None,
) -> tuple[CountedSubmission, ...]:
    """All submissions of this participant to problems of the game, in their order."""
    clock = rules.clock_for(participant)
    counted = [
        submission
        for problem, sent in by_problem(rules.problems, facts)
        for submission in _explain_problem(
            rules, clock, problem, heads(sent, cut_of(clock, at_us)), is_frozen=is_frozen
        )
    ]
    return tuple(sorted(counted, key=lambda one: (one.fact.submitted_us, one.fact.origin_id.int)))


def _explain_problem(
    rules: Rules, clock: GameClock, problem: GameProblem, known: Sequence[Fact], *, is_frozen: bool
) -> Iterator[CountedSubmission]:
    attempts: Sequence[Attempt] = attempts_of(known, clock, rules.ignored)
    shown = frozen(attempts, clock) if is_frozen else attempts
    effects: dict[SubmissionId, Effect] = {
        attempt.fact.origin_id: effect
        for attempt, effect in zip(shown, rules.policy.effects(shown), strict=True)
    }
    for fact in known:
        effect = why_left_out(fact, clock, rules.ignored) or effects[fact.origin_id]
        withheld = is_frozen and clock.freeze_us is not None and fact.submitted_us >= clock.freeze_us
        told = fact.undecided() if withheld else fact
        yield CountedSubmission(told, problem.label, clock.elapsed_ms(fact.submitted_us), effect)


def explain_rank(policy: Policy, board: Board, account_id: AccountId) -> str:
    """One sentence on what separates a rank from the next better one."""
    mine = board.row_of(account_id)
    if mine is None:
        return "Not on this board."
    if mine.rank == OUT_OF_COMPETITION:
        return "Out of competition: takes no rank."
    shared = sum(row.rank == mine.rank for row in board.rows) - 1
    place = f"Shares rank {mine.rank} with {shared} equal" if shared else f"Rank {mine.rank}"
    better = _next_better(board, mine)
    if better is None:
        return f"{place}: nobody is better."
    return f"{place}: rank {better.rank} {policy.gap(better.row.total, mine.row.total)}."


def _next_better(board: Board, mine: BoardRow) -> BoardRow | None:
    better = [row for row in board.rows if OUT_OF_COMPETITION < row.rank < mine.rank]
    return better[-1] if better else None
