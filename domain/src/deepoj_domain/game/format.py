"""Game formats and what organisers may set of them. How each one scores is in `scoring/`, one file each."""

from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import Score

_MINUTES_OF_A_DAY = 24 * 60
_PERCENT = 100
_FIFTY_POINTS = Score.points(50)


class Format(StrEnum):
    ICPC = "icpc"
    IOI = "ioi"
    OI = "oi"
    ATCODER = "atcoder"
    CODEFORCES = "codeforces"

    @property
    def tells_verdicts_live(self) -> bool:
        """In an OI game contestants learn their results after the end."""
        return self is not Format.OI

    @property
    def has_penalty_time(self) -> bool:
        return self in {Format.ICPC, Format.ATCODER}

    @property
    def usual_penalty_minutes(self) -> int:
        match self:
            case Format.ICPC:
                return 20
            case Format.ATCODER:
                return 5
            case Format.IOI | Format.OI | Format.CODEFORCES:
                return 0


class PenaltyRounding(StrEnum):
    """When ICPC cuts times down to whole minutes."""

    PER_SUBMISSION = "per_submission"
    ON_THE_SUM = "on_the_sum"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatOptions:
    """A format reads what concerns it and leaves the rest alone."""

    penalty_minutes: int | None = None
    """For each wrong try on a solved problem; None is what the format is known for."""
    rounding: PenaltyRounding = PenaltyRounding.PER_SUBMISSION
    decay_minutes: int = 250
    """Codeforces: a problem loses its points evenly over so many minutes …"""
    wrong_try_points: Score = _FIFTY_POINTS
    """… and this much for each wrong try …"""
    floor_percent: int = 30
    """… but is always worth this much of them."""

    def __post_init__(self) -> None:
        if self.penalty_minutes is not None and not 0 <= self.penalty_minutes <= _MINUTES_OF_A_DAY:
            raise InvalidValueError("penalty_out_of_range", "a penalty lies between no minutes and a day")
        if self.decay_minutes < 1:
            raise InvalidValueError("decay_not_positive", "points need at least a minute to decay")
        if not 0 <= self.floor_percent <= _PERCENT:
            raise InvalidValueError("floor_out_of_range", "the floor is a share of the points, in percent")

    def penalty_in(self, game_format: Format) -> int:
        return game_format.usual_penalty_minutes if self.penalty_minutes is None else self.penalty_minutes


USUAL = FormatOptions()
