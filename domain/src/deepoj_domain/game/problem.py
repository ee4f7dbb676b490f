from collections.abc import Sequence
from dataclasses import dataclass
from re import compile as pattern

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.score import Score

_COLOUR = pattern(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class GameProblem:
    """A question as it appears in one game: `label` is what contestants call it (A, B, C …).

    `points` is what solving it is worth in AtCoder and Codeforces games. IOI and OI add up what the
    question's own subtasks give, ICPC counts problems.
    """

    label: str
    question_id: QuestionId
    points: Score
    colour: str = ""
    """`#rrggbb`, or nothing."""

    def __post_init__(self) -> None:
        if not self.label.strip():
            raise InvalidValueError("label_empty", "a problem of a game needs a label")
        if self.colour and not _COLOUR.fullmatch(self.colour):
            raise InvalidValueError("colour_malformed", f"{self.colour[:20]!r} is not of the form #rrggbb")


def require_distinct(problems: Sequence[GameProblem]) -> None:
    if len({problem.label for problem in problems}) != len(problems):
        raise InvalidValueError("label_twice", "two problems of a game have the same label")
    if len({problem.question_id for problem in problems}) != len(problems):
        raise InvalidValueError("problem_twice", "a question appears twice in the game")
