from dataclasses import dataclass, replace

from deepoj_domain.kernel.errors import InvalidValueError

_FULL = 100


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
    """What one run may use. Wall time is the second, outer timeout: it catches programs that sleep."""

    cpu_ms: int
    wall_ms: int
    memory_kib: int
    output_kib: int

    def __post_init__(self) -> None:
        if min(self.cpu_ms, self.wall_ms, self.memory_kib, self.output_kib) < 1:
            raise InvalidValueError("limit_not_positive", "every limit is positive")
        if self.wall_ms < self.cpu_ms:
            raise InvalidValueError(
                "wall_below_cpu", "the wall time limit may not be below the CPU time limit"
            )

    def scaled(self, time: Factor, memory: Factor) -> "Limits":
        return replace(
            self,
            cpu_ms=time.of(self.cpu_ms),
            wall_ms=time.of(self.wall_ms),
            memory_kib=memory.of(self.memory_kib),
        )
