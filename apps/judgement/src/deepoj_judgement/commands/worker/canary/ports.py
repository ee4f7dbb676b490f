"""What watching canaries needs from outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.worker.canary.problem import Reading


class CanaryFailedError(Exception):
    """It could not be judged at all."""


class CanarySkippedError(Exception):
    """There was no room beside the jobs: nothing is known."""


class Sing(Protocol):
    async def __call__(self, toolchain: Toolchain, *, alone: bool) -> Reading:
        """Judge the canary of a language, alone on this host or beside others.

        Raise CanaryFailedError or CanarySkippedError.
        """
        ...


@dataclass(frozen=True, slots=True)
class Baseline:
    made_with: str
    """Toolchain and machine: with another one the numbers of before mean nothing."""
    cpu_ms: int


class Baselines(Protocol):
    """Kept where a restart finds them; losing them costs a new measurement."""

    def find(self, language: str) -> Baseline | None: ...

    def keep(self, language: str, baseline: Baseline) -> None: ...


@dataclass(frozen=True, slots=True)
class Colleague:
    """Another worker that is alive."""

    name: str
    languages: frozenset[str]
    has_trouble: bool


class Colleagues(Protocol):
    async def __call__(self) -> Sequence[Colleague]:
        """Return those who are known to be there; none when nobody can say."""
        ...


class CanaryObserver(Protocol):
    def heard(self, language: str, outcome: str) -> None: ...

    def pace(self, language: str, ratio: float) -> None: ...

    def held_back(self, *, yes: bool) -> None: ...

    def round_done(self) -> None: ...
