from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import Score


class GroupScoring(StrEnum):
    MIN = "min"
    """The worst case decides which share of the group's points is earned."""
    SUM = "sum"
    """Each case earns its own points."""


@dataclass(frozen=True, slots=True)
class Group:
    """A subtask. It scores only when every group it depends on has passed all its cases."""

    name: str
    points: Score
    scoring: GroupScoring = GroupScoring.MIN
    depends_on: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.name:
            raise InvalidValueError("group_unnamed", "a group needs a name")
