from collections.abc import Sequence
from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.score import Score


@dataclass(frozen=True, slots=True)
class GameProblem:
    """A question as it appears in one game: `label` is what contestants call it (A, B, C …)."""

    label: str
    question_id: QuestionId
    points: Score
    colour: str = ""

    def __post_init__(self) -> None:
        if not self.label.strip():
            raise InvalidValueError("label_empty", "a problem of a game needs a label")


def require_distinct(problems: Sequence[GameProblem]) -> None:
    if len({problem.label for problem in problems}) != len(problems):
        raise InvalidValueError("label_twice", "two problems of a game have the same label")
    if len({problem.question_id for problem in problems}) != len(problems):
        raise InvalidValueError("problem_twice", "a question appears twice in the game")
