from dataclasses import dataclass, replace
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError

MOST_DATA_BYTES: Final = 256 * 1024**2
"""The largest file of a case, and the most a run reads or prints: the same in every layer."""
_FULL = 100
_WALL_FACTOR, _WALL_SLACK_MS = 2, 1000


@dataclass(frozen=True, slots=True)
class Factor:
    """A language's allowance in whole percent, so that a scaled limit is exact: 150 is one and a half."""

    percent: int

    def __post_init__(self) -> None:
        if not 1 <= self.percent <= 100 * _FULL:
            raise InvalidValueError("factor_out_of_range", "a factor lies between 1 and 10000 percent")

    def of(self, amount: int) -> int:
        """Round up: a language never gets less than its share."""
        return -(-amount * self.percent // _FULL)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use."""

    cpu_ms: int
    memory_kib: int
    output_kib: int
    stack_kib: int = 0
    """0: as much as there is memory."""
    processes: int = 0
    """0: what the language allows."""

    def __post_init__(self) -> None:
        if min(self.cpu_ms, self.memory_kib, self.output_kib) < 1 or min(self.stack_kib, self.processes) < 0:
            raise InvalidValueError("limit_not_positive", "every limit is positive")
        if self.output_kib * 1024 > MOST_DATA_BYTES:
            most = f"a program prints at most {MOST_DATA_BYTES} bytes"
            raise InvalidValueError("output_limit_out_of_range", most)

    @property
    def wall_ms(self) -> int:
        """The second, outer timeout: it catches programs that sleep.

        It follows the CPU time, so nobody holds a core for long; twice that, because a program may have to
        share its core.
        """
        return _WALL_FACTOR * self.cpu_ms + _WALL_SLACK_MS

    def scaled(self, time: Factor, memory: Factor) -> "Limits":
        return replace(
            self,
            cpu_ms=time.of(self.cpu_ms),
            memory_kib=memory.of(self.memory_kib),
        )
