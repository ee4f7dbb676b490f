"""How a job ended for its message: acknowledged or not, and why."""

from dataclasses import dataclass
from enum import Enum, auto


class Settlement(Enum):
    DONE = auto()
    REFUSED = auto()
    """Acknowledged, with a reason."""
    KEPT = auto()
    """Not acknowledged; nothing is wrong."""
    FAILED = auto()
    """Not acknowledged; the system failed."""


@dataclass(frozen=True, slots=True)
class Settled:
    how: Settlement
    reason: str = ""
