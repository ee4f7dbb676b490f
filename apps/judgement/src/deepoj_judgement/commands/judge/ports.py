"""What judging needs from outside. The sandbox has a file of its own: `sandbox_port.py`."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from deepoj_domain.judgement.judgement import Judgement, JudgementKey
from deepoj_domain.judgement.manifest import Manifest
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_judgement.commands.judge.program import CompileFailed, Program
from deepoj_judgement.commands.judge.sandbox_port import Blob, RunRef, RunReport
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_languages.language import Language


class Specs(Protocol):
    async def get(self, revision: RevisionRef) -> JudgeSpec:
        """Raise UnknownRevisionError or ServiceFailedError."""
        ...


class TestData(Protocol):
    def borrow(
        self, hashes: Iterable[ContentHash]
    ) -> AbstractAsyncContextManager[Mapping[ContentHash, Blob]]:
        """Lend checked files; none is evicted inside the block. Raise StoreFailedError."""
        ...


class Programs(Protocol):
    """Programs that are compiled once and used for many judgements, by what they are made of."""

    def borrow(
        self, made_of: ContentHash, make: Callable[[], Awaitable[Program | CompileFailed]]
    ) -> AbstractAsyncContextManager[Program | CompileFailed]:
        """Lend what was kept, else what `make` makes; a failure is not kept."""
        ...


class JudgeCache(Protocol):
    """Both raise StoreFailedError; a cache that is away costs time and no verdict."""

    async def find(self, key: JudgementKey) -> JudgeResult | None: ...

    async def store(self, judgement: Judgement, *, instead: bool = False) -> None:
        """Keep the first of two for the same key, or this one `instead`."""
        ...


class Toolchains(Protocol):
    def table(self) -> tuple[Language, ...]: ...

    def find(self, language: LanguageSlug) -> Toolchain:
        """Raise UnknownLanguageError or LanguageNotInstalledError."""
        ...


class Observer(Protocol):
    """Logs, spans and numbers; it never fails and never decides."""

    def step(self, name: str) -> AbstractContextManager[None]: ...

    def part(self, kind: str, name: str) -> AbstractContextManager[object]:
        """Begin a part of a step, such as a group or a checker's run, of which there may be thousands."""
        ...

    def executed(self, report: RunReport) -> None: ...

    def cache(self, *, hit: bool) -> None: ...

    def judged(self, result: JudgeResult) -> None: ...


@dataclass(frozen=True, slots=True)
class CaseLog:
    number: int
    stdout: bytes
    stderr: bytes
    report: RunReport
    checker: bytes = b""
    """What a checker program said."""


@dataclass(frozen=True, slots=True)
class JudgeLogs:
    """What is kept about one attempt, already cut to size."""

    ref: RunRef
    compile_log: bytes = b""
    cases: tuple[CaseLog, ...] = ()
    manifest: Manifest | None = None

    @property
    def size(self) -> int:
        parts = (part for case in self.cases for part in (case.stdout, case.stderr, case.checker))
        return len(self.compile_log) + sum(map(len, parts))


class LogStore(Protocol):
    def prefix(self, ref: RunRef) -> str: ...

    async def store(self, logs: JudgeLogs, result: JudgeResult) -> None:
        """Raise StoreFailedError."""
        ...
