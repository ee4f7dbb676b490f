"""Which queue a job goes to, and what a host must have to take it.

The lane keeps long compiles away from short runs, the band keeps a mass rejudge away from a live contest.
Every worker reads the queue of a lane and band. A job that meets a host without something it needs goes on
into a queue that bears these needs in its name: only hosts that meet them read it.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug, language_slug

# So that needs have few names, however many limits there are.
_MEMORY_STEP_MIB: Final = 256
_TEXT: Final = re.compile(r"(?P<languages>[^@]*)(@(?P<memory>[1-9]\d{0,6}))?")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    languages: frozenset[LanguageSlug] = frozenset()
    """Its own, and those of the problem's programs."""
    memory_mib: int = 0
    """The most that one of its programs may use; 0 when that is not known."""

    def __str__(self) -> str:
        memory = f"@{self.memory_mib}" if self.memory_mib else ""
        return ",".join(sorted(self.languages)) + memory

    @classmethod
    def of(cls, *languages: LanguageSlug, memory_kib: int = 0) -> "Needs":
        steps = -(-memory_kib // (_MEMORY_STEP_MIB * 1024))
        return cls(languages=frozenset(languages), memory_mib=steps * _MEMORY_STEP_MIB)

    @classmethod
    def parse(cls, text: str) -> "Needs":
        found = _TEXT.fullmatch(text)
        if found is None:
            raise InvalidValueError("needs_malformed", f"{text[:40]!r} does not say what a host must have")
        names = found["languages"].split(",") if found["languages"] else []
        return cls(languages=frozenset(map(language_slug, names)), memory_mib=int(found["memory"] or 0))

    @property
    def words(self) -> str:
        """Return what a host has that meets them: `rust, and 2048 MiB for a program`."""
        memory = (f"{self.memory_mib} MiB for a program",) if self.memory_mib else ()
        return ", and ".join(part for part in (", ".join(sorted(self.languages)), *memory) if part)

    def __or__(self, other: "Needs") -> "Needs":
        memory = max(self.memory_mib, other.memory_mib)
        return Needs(languages=self.languages | other.languages, memory_mib=memory)


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    languages: frozenset[LanguageSlug]
    memory_mib: int = 0
    """For one program; 0 when nobody says."""

    def meet(self, needs: Needs) -> bool:
        return not self.lacks(needs)

    def lacks(self, needs: Needs) -> tuple[str, ...]:
        """Return in words what is missing."""
        languages = tuple(f"lacks {each}" for each in sorted(needs.languages - self.languages))
        if not self.memory_mib or self.memory_mib >= needs.memory_mib:
            return languages
        return (*languages, f"has {self.memory_mib} MiB for a program and not {needs.memory_mib}")
