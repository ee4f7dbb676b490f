"""A language as a row of a table, and what a machine has of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.limits import Factor
from deepoj_domain.submission.routing import Lane

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryExit:
    """How a runtime with its own heap cap ends when the heap is full: that is MLE, not RE."""

    exit_code: int | None = None
    signal: int | None = None
    stderr_contains: str = ""

    def matches(self, exit_code: int, signal: int, stderr: bytes) -> bool:
        ended_so = signal == self.signal if self.signal is not None else exit_code == self.exit_code
        return ended_so and self.stderr_contains.encode() in stderr


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """`compile` holds programs run one after the other; without one the source itself is run.

    In an argv or environment, `{heap_mib}` becomes the memory limit and `{precompiled}` the directory of
    precompiled headers. A program without a slash is looked up when the machine is examined.
    """

    slug: LanguageSlug
    name: str
    lane: Lane
    source_name: str
    run: tuple[str, ...]
    version: tuple[str, ...]
    package: str
    """The Debian package that brings it."""
    template: str
    compile: tuple[tuple[str, ...], ...] = ()
    artifacts: tuple[str, ...] = ()
    precompile: tuple[str, ...] = ()
    """Makes a precompiled header, with source and target to be appended; empty when there is none."""
    environment: tuple[str, ...] = ()
    time_percent: int = 100
    memory_percent: int = 100
    processes: int = 32
    output_mib: int = 64
    memory_slack_mib: int = 0
    memory_exits: tuple[MemoryExit, ...] = ()

    @property
    def time(self) -> Factor:
        return Factor(self.time_percent)

    @property
    def memory(self) -> Factor:
        return Factor(self.memory_percent)


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A language this machine can run. `identity` is part of the judge cache's key."""

    language: Language
    version: str
    identity: str
    programs: Mapping[str, str] = field(default_factory=dict)
    precompiled: str = ""

    def argv(self, template: tuple[str, ...], memory_kib: int) -> tuple[str, ...]:
        program, *arguments = self._filled(template, memory_kib)
        return (self.programs.get(program, program), *arguments)

    def environment(self, memory_kib: int) -> tuple[str, ...]:
        return self._filled(self.language.environment, memory_kib)

    def _filled(self, words: tuple[str, ...], memory_kib: int) -> tuple[str, ...]:
        heap = str(max(1, memory_kib // 1024))
        return tuple(
            word.replace("{heap_mib}", heap).replace("{precompiled}", self.precompiled) for word in words
        )
