"""Why a participant stands where they stand: what each submission did, and what the next better one has."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from deepoj_domain.game.participant import Participant
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.scoring.board import OUT_OF_COMPETITION, Board, BoardRow
from deepoj_domain.game.scoring.clock import GameClock
from deepoj_domain.game.scoring.fact import Fact, heads
from deepoj_domain.game.scoring.policy import GapCode, Policy
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import by_problem, cut_of
from deepoj_domain.game.scoring.tries import Effect, Try, frozen, tries_of, why_left_out
from deepoj_domain.game.scoring.words import count
from deepoj_domain.kernel.ids import AccountId, SubmissionId
from deepoj_domain.kernel.score import Score


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
    tries: Sequence[Try] = tries_of(known, clock, rules.ignored)
    shown = frozen(tries, clock) if is_frozen else tries
    effects: dict[SubmissionId, Effect] = {
        tried.fact.origin_id: effect for tried, effect in zip(shown, rules.policy.effects(shown), strict=True)
    }
    for fact in known:
        effect = why_left_out(fact, clock, rules.ignored) or effects[fact.origin_id]
        withheld = is_frozen and clock.freeze_us is not None and fact.submitted_us >= clock.freeze_us
        told = fact.undecided() if withheld else fact
        yield CountedSubmission(told, problem.label, clock.elapsed_ms(fact.submitted_us), effect)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankGap:
    """What separates a rank from the next better one."""

    code: GapCode
    by: int = 0
    """In what the code names."""
    rank: int = 0
    better_rank: int = 0
    shared_with: int = 0
    """Others of the same rank."""

    @property
    def sentence(self) -> str:
        if self.code is GapCode.NOT_ON_THE_BOARD:
            return "Not on this board."
        if self.code is GapCode.OUT_OF_COMPETITION:
            return "Out of competition: takes no rank."
        place = f"Shares rank {self.rank} with {self.shared_with} equal"
        place = place if self.shared_with else f"Rank {self.rank}"
        if self.code is GapCode.NOBODY_BETTER:
            return f"{place}: nobody is better."
        return f"{place}: rank {self.better_rank} {self._has}."

    @property
    def _has(self) -> str:
        match self.code:
            case GapCode.SOLVED:
                return f"has solved {count(self.by, 'problem')} more"
            case GapCode.PENALTY_MINUTES:
                return f"has solved as many with {count(self.by, 'minute')} less penalty"
            case GapCode.LAST_MINUTES:
                earlier = count(self.by, "minute")
                return f"has as many with the same penalty, but solved its last one {earlier} earlier"
            case GapCode.POINTS_MICROS:
                return f"has {Score(self.by)} points more"
            case GapCode.SECONDS:
                return f"has as many points in {count(self.by, 'second')} less"
            case GapCode.NOT_ON_THE_BOARD | GapCode.OUT_OF_COMPETITION | GapCode.NOBODY_BETTER:
                return "is not better"


def explain_rank(policy: Policy, board: Board, account_id: AccountId) -> RankGap:
    mine = board.row_of(account_id)
    if mine is None:
        return RankGap(code=GapCode.NOT_ON_THE_BOARD)
    if mine.rank == OUT_OF_COMPETITION:
        return RankGap(code=GapCode.OUT_OF_COMPETITION)
    shared = sum(row.rank == mine.rank for row in board.rows) - 1
    better = _next_better(board, mine)
    if better is None:
        return RankGap(code=GapCode.NOBODY_BETTER, rank=mine.rank, shared_with=shared)
    gap = policy.gap(better.row.total, mine.row.total)
    return RankGap(code=gap.code, by=gap.by, rank=mine.rank, better_rank=better.rank, shared_with=shared)


def _next_better(board: Board, mine: BoardRow) -> BoardRow | None:
    better = [row for row in board.rows if OUT_OF_COMPETITION < row.rank < mine.rank]
    return better[-1] if better else None
