from dataclasses import dataclass

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import ZERO, Score


@dataclass(frozen=True, slots=True)
class Case:
    """One test. Input and answer live in the object store under their content hash.

    `points` counts in a SUM group only; in the others the group holds the points.
    """

    name: str
    group: str
    input: ContentHash
    answer: ContentHash
    points: Score = ZERO
    is_sample: bool = False
    reject_points: Score = ZERO
    """What it earns all the same when it is not accepted, whatever the reason."""
    checker_arguments: tuple[str, ...] | None = None
    """Instead of the checker's own; None: those of the checker."""

    def __post_init__(self) -> None:
        if not self.name:
            raise InvalidValueError("case_unnamed", "a case needs a name")
