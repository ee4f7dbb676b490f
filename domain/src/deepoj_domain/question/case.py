from dataclasses import dataclass

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import ZERO, Score


@dataclass(frozen=True, slots=True)
class Case:
    """One test. Input and answer live in the object store under their content hash.

    `points` counts in a SUM group only; in a MIN group the group holds the points.
    """

    name: str
    group: str
    input: ContentHash
    answer: ContentHash
    points: Score = ZERO
    is_sample: bool = False

    def __post_init__(self) -> None:
        if not self.name:
            raise InvalidValueError("case_unnamed", "a case needs a name")
