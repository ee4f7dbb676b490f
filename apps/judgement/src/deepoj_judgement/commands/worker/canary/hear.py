"""One canary, heard until it is known whether this host judges right and as fast as it did."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.worker.canary.ports import (
    Baseline,
    Baselines,
    CanaryFailedError,
    CanaryObserver,
    Sing,
)
from deepoj_judgement.commands.worker.canary.problem import Reading

# What one bad run says may be an accident. What three say, two of them alone on the host, is believed.
_SECOND_OPINIONS: Final = 2


class Outcome(StrEnum):
    RIGHT = "right"
    SLOW = "slow"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Heard:
    outcome: Outcome
    why: str = ""


@dataclass(frozen=True, slots=True)
class HearCanary:
    sing: Sing
    baselines: Baselines
    observer: CanaryObserver
    machine: str
    """In words: a baseline of another machine is none."""
    most_drift: float

    async def __call__(self, toolchain: Toolchain) -> Heard:
        """Raise CanarySkippedError when there is no room to hear it."""
        reading = await self._until(_is_right, toolchain)
        if reading.wrong:
            return self._wrong(toolchain, reading)
        known = self.baselines.find(toolchain.language.slug)
        made_with = f"{toolchain.identity} on {self.machine}"
        if known is None or known.made_with != made_with:
            # Measured with nothing beside it, or a busy start would excuse a slow host for ever.
            reading = await self._until(_is_right, toolchain, alone=True)
            if reading.wrong:
                return self._wrong(toolchain, reading)
            known = Baseline(made_with, max(1, reading.cpu_ms))
            self.baselines.keep(toolchain.language.slug, known)
        return await self._compared(toolchain, reading, known)

    async def _compared(self, toolchain: Toolchain, reading: Reading, known: Baseline) -> Heard:
        def is_fast(found: Reading) -> bool:
            return not found.wrong and found.cpu_ms <= self.most_drift * known.cpu_ms

        if not is_fast(reading):
            reading = await self._until(is_fast, toolchain, alone=True)
        if reading.wrong:
            return self._wrong(toolchain, reading)
        name, times = toolchain.language.slug, reading.cpu_ms / known.cpu_ms
        self.observer.pace(name, times)
        if is_fast(reading):
            return Heard(Outcome.RIGHT)
        said = f"{name} takes {reading.cpu_ms} ms of CPU time, {times:.1f} times its {known.cpu_ms} ms"
        return Heard(Outcome.SLOW, said)

    @staticmethod
    def _wrong(toolchain: Toolchain, reading: Reading) -> Heard:
        return Heard(Outcome.WRONG, f"{toolchain.language.slug}: {reading.wrong}")

    async def _until(
        self, is_good: Callable[[Reading], bool], toolchain: Toolchain, *, alone: bool = False
    ) -> Reading:
        """What is good is believed at once; what is not, when it was not three times."""
        reading = await self._read(toolchain, alone=alone)
        for _ in range(_SECOND_OPINIONS):
            if is_good(reading):
                break
            reading = await self._read(toolchain, alone=True)
        return reading

    async def _read(self, toolchain: Toolchain, *, alone: bool) -> Reading:
        try:
            return await self.sing(toolchain, alone=alone)
        except CanaryFailedError as error:
            return Reading(f"it could not be judged: {error}", 0)


def _is_right(reading: Reading) -> bool:
    return not reading.wrong
