"""A language as a row of the table."""

from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.limits import Factor
from deepoj_domain.submission.route import Lane


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownExit:
    """An ending of a runtime whose cause is known from how it looks."""

    exit_code: int | None = None
    signal: int | None = None
    stderr_contains: str = ""

    def matches(self, exit_code: int, signal: int, stderr: bytes) -> bool:
        ended_so = signal == self.signal if self.signal is not None else exit_code == self.exit_code
        return ended_so and self.stderr_contains.encode() in stderr


class EntryPoint(StrEnum):
    """What `{main}` stands for, and how it is found."""

    FILE = "file"
    JAVA_CLASS = "java_class"
    SCRIPTS = "scripts"
    """A program says itself how it is built and run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """`compile` holds programs run one after the other; without one the source itself is run.

    In an argv or environment, `{heap_mib}` becomes the memory limit, `{stack_kib}` what a runtime may give
    its program of the stack limit, `{precompiled}` the directory of precompiled headers, `{main}` where the
    program begins; the word `{sources}` becomes the paths of all units. A program without a slash is looked
    up when the machine is examined.
    """

    slug: LanguageSlug
    name: str
    lane: Lane
    source_name: str
    run: tuple[str, ...]
    version: tuple[str, ...]
    package: str
    """The Debian packages that bring it."""
    template: str
    oldest: int = 0
    """The smallest major version that will do."""
    source_suffixes: tuple[str, ...] = ()
    """Which files of a source are units of it; empty: those that end like `source_name`."""
    code: str = ""
    """What problem packages call it; empty: by its slug."""
    entry: EntryPoint = EntryPoint.FILE
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
    """Where a problem does not limit them; threads count."""
    threads: int = 0
    """What the runtime itself may need: added to the limit of a problem."""
    memory_slack_mib: int = 0
    memory_exits: tuple[KnownExit, ...] = ()
    """How a runtime with its own heap cap ends when the heap is full: that is MLE, not RE."""
    pipe_exits: tuple[KnownExit, ...] = ()
    """How a runtime that ignores SIGPIPE ends when nobody reads its output any more."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        return self.source_suffixes or (self.source_name[self.source_name.rindex(".") :],)

    @property
    def package_code(self) -> str:
        return self.code or self.slug

    @property
    def time(self) -> Factor:
        return Factor(self.time_percent)

    @property
    def memory(self) -> Factor:
        return Factor(self.memory_percent)
