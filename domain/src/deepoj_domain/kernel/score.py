"""Points in exact arithmetic.

A score is a whole number of millionths of a point, so sums, minima and comparisons are integer
operations and cannot drift. Input with more than six decimals is refused instead of rounded. The only
operation that rounds is `share`, and it always rounds down to the next millionth.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from deepoj_domain.kernel.errors import InvalidValueError

_MICROS = 1_000_000
_DIGITS = 6
_MAX_POINTS = 1_000_000_000


@dataclass(frozen=True, slots=True, order=True)
class Share:
    """How much of the points was earned, in millionths: 0 is nothing, 1 000 000 is all."""

    millionths: int

    def __post_init__(self) -> None:
        if not 0 <= self.millionths <= _MICROS:
            raise InvalidValueError(
                "share_out_of_range", f"share must lie in 0..{_MICROS}, got {self.millionths}"
            )


NOTHING = Share(0)
EVERYTHING = Share(_MICROS)


@dataclass(frozen=True, slots=True, order=True)
class Score:
    micros: int

    def __post_init__(self) -> None:
        if not 0 <= self.micros <= _MAX_POINTS * _MICROS:
            raise InvalidValueError("score_out_of_range", f"score must lie in 0..{_MAX_POINTS} points")

    @classmethod
    def points(cls, value: int | str | Decimal) -> "Score":
        try:
            exact = Decimal(value)
        except InvalidOperation as error:
            raise InvalidValueError("score_not_a_number", f"{value!r} is not a decimal number") from error
        if not exact.is_finite() or not 0 <= exact <= _MAX_POINTS:
            raise InvalidValueError("score_out_of_range", f"score must lie in 0..{_MAX_POINTS} points")
        micros = exact.scaleb(_DIGITS)
        if micros != int(micros):
            raise InvalidValueError("score_too_precise", f"{value!r} has more than {_DIGITS} decimals")
        return cls(int(micros))

    @classmethod
    def total(cls, scores: Iterable["Score"]) -> "Score":
        return cls(sum(score.micros for score in scores))

    def share(self, share: Share) -> "Score":
        return Score(self.micros * share.millionths // _MICROS)

    def as_decimal(self) -> Decimal:
        return Decimal(self.micros).scaleb(-_DIGITS)

    def __str__(self) -> str:
        return f"{self.as_decimal().normalize():f}"


ZERO = Score(0)
