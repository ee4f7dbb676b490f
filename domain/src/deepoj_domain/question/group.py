from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import Score


class GroupScoring(StrEnum):
    MIN = "min"
    """The worst case decides how much of the group's points is earned."""
    SUM = "sum"
    """Each case earns its own points."""
    MAX = "max"
    """The best case decides how much of the group's points is earned."""
    ALL = "all"
    """Every point when all cases are accepted, none otherwise, whatever share a checker gives."""


class OnReject(StrEnum):
    CONTINUE = "continue"
    BREAK = "break"
    """The first case that is not accepted is the last of its group; what was not run earns nothing."""


@dataclass(frozen=True, slots=True)
class Group:
    """A subtask. It scores only when every group it depends on has passed all its cases."""

    name: str
    points: Score
    scoring: GroupScoring = GroupScoring.MIN
    depends_on: tuple[str, ...] = ()
    on_reject: OnReject = OnReject.CONTINUE
    unbounded: bool = False
    """A checker that scores may give more than `points`."""

    def __post_init__(self) -> None:
        if not self.name:
            raise InvalidValueError("group_unnamed", "a group needs a name")
