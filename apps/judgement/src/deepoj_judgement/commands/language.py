"""A language as a row of a table, and what a machine has of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.limits import Factor
from deepoj_domain.submission.routing import Lane

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownExit:
    """An ending of a runtime whose cause is known from how it looks."""

    exit_code: int | None = None
    signal: int | None = None
    stderr_contains: str = ""

    def matches(self, exit_code: int, signal: int, stderr: bytes) -> bool:
        ended_so = signal == self.signal if self.signal is not None else exit_code == self.exit_code
        return ended_so and self.stderr_contains.encode() in stderr


class Entry(StrEnum):
    """What `{main}` stands for, and how it is found."""

    FILE = "file"
    JAVA_CLASS = "java_class"


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """`compile` holds programs run one after the other; without one the source itself is run.

    In an argv or environment, `{heap_mib}` becomes the memory limit, `{precompiled}` the directory of
    precompiled headers and `{main}` where the program begins; the word `{sources}` becomes the paths of all
    units. A program without a slash is looked up when the machine is examined.
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
    source_suffixes: tuple[str, ...] = ()
    """Which files of a source are units of it; empty: those that end like `source_name`."""
    entry: Entry = Entry.FILE
    compile: tuple[tuple[str, ...], ...] = ()
    artifacts: tuple[str, ...] = ()
    syntax: tuple[str, ...] = ()
    """Where nothing is compiled: looks for errors of syntax, and runs only when the program crashes."""
    precompile: tuple[str, ...] = ()
    """Makes a precompiled header, with source and target to be appended; empty when there is none."""
    environment: tuple[str, ...] = ()
    time_percent: int = 100
    memory_percent: int = 100
    processes: int = 32
    output_mib: int = 64
    memory_slack_mib: int = 0
    memory_exits: tuple[KnownExit, ...] = ()
    """How a runtime with its own heap cap ends when the heap is full: that is MLE, not RE."""
    pipe_exits: tuple[KnownExit, ...] = ()
    """How a runtime that ignores SIGPIPE ends when nobody reads its output any more."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        return self.source_suffixes or (self.source_name[self.source_name.rindex(".") :],)

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

    def compile_argv(
        self, step: tuple[str, ...], units: tuple[str, ...], main: str, memory_kib: int
    ) -> tuple[str, ...]:
        return self._argv(step, memory_kib, main, units)

    def run_argv(self, main: str, memory_kib: int) -> tuple[str, ...]:
        return self._argv(self.language.run, memory_kib, main)

    def environment(self, memory_kib: int) -> tuple[str, ...]:
        return tuple(self._filled(word, memory_kib) for word in self.language.environment)

    def _argv(
        self, template: tuple[str, ...], memory_kib: int, main: str, units: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        words: list[str] = []
        for word in template:
            if word == "{sources}":
                words += [f"/app/{name}" for name in units]
            else:
                words.append(self._filled(word, memory_kib).replace("{main}", main))
        return (self.programs.get(words[0], words[0]), *words[1:])

    def _filled(self, word: str, memory_kib: int) -> str:
        heap = str(max(1, memory_kib // 1024))
        return word.replace("{heap_mib}", heap).replace("{precompiled}", self.precompiled)
