"""What a solution may use, as the setter wrote it, and the limits of one run that judging derives from it."""

from dataclasses import dataclass, replace
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug

MOST_DATA_BYTES: Final = 256 * 1024**2
"""The largest file of a case, and the most a run reads or prints: the same in every layer."""
MOST_TIME_MS: Final = 10 * 60 * 1000
MOST_MEMORY: Final = 64 * 1024**3
LEAST_MEMORY: Final = 1024**2
LEAST_STACK: Final = 1024**2
MOST_SOURCE: Final = 1024**2
MOST_PROCESSES: Final = 1024
MOST_LANGUAGES: Final = 100
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageAllowance:
    """Replaces time and memory, and with them the language's factors; 0 keeps the common one."""

    language: LanguageSlug
    time_ms: int = 0
    memory_bytes: int = 0

    def __post_init__(self) -> None:
        check_own_limits(self.time_ms, self.memory_bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """0 leaves output, stack, processes and source to the system's own limit."""

    time_ms: int
    memory_bytes: int
    output_bytes: int = 0
    stack_bytes: int = 0
    processes: int = 0
    source_bytes: int = 0
    per_language: tuple[LanguageAllowance, ...] = ()

    def __post_init__(self) -> None:
        _check("time_limit", self.time_ms, MOST_TIME_MS, 1)
        _check("memory_limit", self.memory_bytes, MOST_MEMORY, LEAST_MEMORY)
        _check("output_limit", self.output_bytes, MOST_DATA_BYTES)
        if self.stack_bytes:
            _check("stack_limit", self.stack_bytes, MOST_MEMORY, LEAST_STACK)
        _check("process_limit", self.processes, MOST_PROCESSES)
        _check("source_limit", self.source_bytes, MOST_SOURCE)
        if len({each.language for each in self.per_language}) < len(self.per_language):
            raise InvalidValueError("language_twice", "a language has limits of its own twice")
        if len(self.per_language) > MOST_LANGUAGES:
            raise InvalidValueError("too_many_languages", f"at most {MOST_LANGUAGES} languages have limits")


def check_own_limits(time_ms: int, memory_bytes: int) -> None:
    """0 is no limit of its own."""
    _check("time_limit", time_ms, MOST_TIME_MS)
    if memory_bytes:
        _check("memory_limit", memory_bytes, MOST_MEMORY, LEAST_MEMORY)


def _check(name: str, value: int, most: int, least: int = 0) -> None:
    if not least <= value <= most:
        raise InvalidValueError(f"{name}_out_of_range", f"the {name.replace('_', ' ')} is {least} to {most}")
