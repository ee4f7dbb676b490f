from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId


@dataclass(frozen=True, slots=True)
class RevisionRef:
    """Names one immutable revision of a question. A submission pins it; the judge cache keys on it."""

    question_id: QuestionId
    number: int

    def __post_init__(self) -> None:
        if self.number < 1:
            raise InvalidValueError("revision_not_positive", "revisions are numbered from 1")
