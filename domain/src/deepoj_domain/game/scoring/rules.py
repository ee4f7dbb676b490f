"""All that scoring needs to know of a game."""

from dataclasses import dataclass

from deepoj_domain.game.format import Format, FormatOptions
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.scoring.atcoder import AtCoder
from deepoj_domain.game.scoring.clock import GameClock, clock_of
from deepoj_domain.game.scoring.codeforces import Codeforces
from deepoj_domain.game.scoring.fact import micros
from deepoj_domain.game.scoring.icpc import Icpc
from deepoj_domain.game.scoring.ioi import Ioi
from deepoj_domain.game.scoring.oi import Oi
from deepoj_domain.game.scoring.policy import Policy
from deepoj_domain.kernel.ids import SubmissionId


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    policy: Policy
    clock: GameClock
    problems: tuple[GameProblem, ...]
    """Rows have one cell for each, in this order."""
    ignored: frozenset[SubmissionId] = frozenset()

    def clock_for(self, participant: Participant) -> GameClock:
        if participant.virtual_start is None:
            return self.clock
        return self.clock.starting_at(micros(participant.virtual_start))


def rules_of(game: Game) -> Rules:
    plan = game.plan
    return Rules(
        policy=policy_of(plan.format, plan.options),
        clock=clock_of(plan.schedule),
        problems=plan.problems,
        ignored=game.ignored,
    )


def policy_of(game_format: Format, options: FormatOptions) -> Policy:
    minutes = options.penalty_in(game_format)
    match game_format:
        case Format.ICPC:
            return Icpc(minutes, options.rounding)
        case Format.IOI:
            return Ioi()
        case Format.OI:
            return Oi()
        case Format.ATCODER:
            return AtCoder(minutes)
        case Format.CODEFORCES:
            return Codeforces(options.decay_minutes, options.wrong_try_points, options.floor_percent)
