"""What a solution may use, as the setter wrote it. Judging derives the limits of a run from it."""

from dataclasses import dataclass
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.limits import MOST_DATA_BYTES

MOST_TIME_MS: Final = 10 * 60 * 1000
MOST_MEMORY: Final = 64 * 1024**3
LEAST_MEMORY: Final = 1024**2
LEAST_STACK: Final = 1024**2
MOST_SOURCE: Final = 1024**2
MOST_PROCESSES: Final = 1024
MOST_LANGUAGES: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageAllowance:
    """Replaces time and memory, and with them the language's factors; 0 keeps the common one."""

    language: LanguageSlug
    time_ms: int = 0
    memory_bytes: int = 0

    def __post_init__(self) -> None:
        _check("time_limit", self.time_ms, MOST_TIME_MS)
        if self.memory_bytes:
            _check("memory_limit", self.memory_bytes, MOST_MEMORY, LEAST_MEMORY)


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


def _check(name: str, value: int, most: int, least: int = 0) -> None:
    if not least <= value <= most:
        raise InvalidValueError(f"{name}_out_of_range", f"the {name.replace('_', ' ')} is {least} to {most}")
