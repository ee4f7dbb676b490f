"""Which queue a job goes to.

The lane keeps long compiles away from short runs, the band keeps a mass rejudge away from a live contest.
"""

from dataclasses import dataclass
from enum import StrEnum


class Lane(StrEnum):
    LIGHT = "light"
    HEAVY = "heavy"


class Band(StrEnum):
    """Declared from most to least urgent; workers read them in this order."""

    CONTEST = "contest"
    NORMAL = "normal"
    BULK = "bulk"


class Purpose(StrEnum):
    LIVE_CONTEST = "live_contest"
    PRACTICE = "practice"
    REJUDGE = "rejudge"


@dataclass(frozen=True, slots=True)
class Route:
    lane: Lane
    band: Band
    needs: str = ""
    """What a host must have that takes it, as `Needs` writes it; empty until one did not have it."""


def choose_band(purpose: Purpose) -> Band:
    match purpose:
        case Purpose.LIVE_CONTEST:
            return Band.CONTEST
        case Purpose.PRACTICE:
            return Band.NORMAL
        case Purpose.REJUDGE:
            return Band.BULK
