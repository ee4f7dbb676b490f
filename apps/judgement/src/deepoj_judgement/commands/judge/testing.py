"""The ports in memory, for tests of commands."""

import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from deepoj_domain.judgement.judgement import Judgement, JudgementKey
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.errors import (
    StoreFailedError,
    UnknownLanguageError,
    UnknownRevisionError,
)
from deepoj_judgement.commands.judge.ports import JudgeLogs
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.program import Program as CompiledProgram
from deepoj_judgement.commands.judge.sandbox_port import Blob, Command, Ran, RunRef, RunReport, Talkers
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_languages.language import Language

OK = RunReport(verdict=SandboxVerdict.OK, time_ms=5, memory_kib=1024)
Program = Callable[[Command, bytes], tuple[RunReport, bytes]]
"""Stands for whatever runs in a box: from command and input to report and output."""


@dataclass(frozen=True)
class TextBlob:
    path: Path

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    def open(self) -> BinaryIO:
        return self.path.open("rb")


class MemorySandbox:
    """Runs a function where a program would run."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.commands: list[Command] = []
        self.boxes = 0

    @asynccontextmanager
    async def workspace(self, ref: RunRef) -> AsyncIterator["MemoryWorkspace"]:  # noqa: ARG002
        with tempfile.TemporaryDirectory() as directory:
            yield MemoryWorkspace(self, Path(directory))


@dataclass
class MemoryWorkspace:
    sandbox: MemorySandbox
    directory: Path

    @asynccontextmanager
    async def box(self) -> AsyncIterator["MemoryWorkspace"]:
        self.sandbox.boxes += 1
        yield self

    @asynccontextmanager
    async def company(self, members: int) -> AsyncIterator["MemoryCompany"]:
        self.sandbox.boxes += 1 + members
        yield MemoryCompany(self, members)

    async def file(self, name: str, content: bytes) -> TextBlob:
        path = self.directory / name
        path.write_bytes(content)
        return TextBlob(path)

    async def put(self, name: str, content: Blob | bytes, *, executable: bool = False) -> None:
        pass

    async def run(self, command: Command, *, stdin: Blob | None = None, take: tuple[str, ...] = ()) -> Ran:
        self.sandbox.commands.append(command)
        given = b"" if stdin is None else stdin.path.read_bytes()
        report, output = self.sandbox.program(command, given)
        passed = report.verdict is SandboxVerdict.OK
        taken = {name: await self.file(f"taken-{name}", b"made") for name in take if passed}
        errors = b"" if passed else output
        return Ran(report, await self.file("stdout", output), await self.file("stderr", errors), taken)


@dataclass(frozen=True)
class MemoryCompany:
    """Functions that say how the talk ended."""

    workspace: MemoryWorkspace
    count: int

    @property
    def leader(self) -> MemoryWorkspace:
        return self.workspace

    @property
    def members(self) -> list[MemoryWorkspace]:
        return [self.workspace] * self.count

    async def run(self, talkers: Talkers, *, take: tuple[str, ...] = ()) -> tuple[Ran, list[Ran]]:
        members = [await self.workspace.run(command) for command in talkers.members]
        return await self.workspace.run(talkers.leader, stdin=talkers.stdin, take=take), members


@dataclass
class MemoryPrograms:
    kept: dict[ContentHash, CompiledProgram] = field(default_factory=dict)

    @asynccontextmanager
    async def borrow(
        self, made_of: ContentHash, make: Callable[[], Awaitable[CompiledProgram | CompileFailed]]
    ) -> AsyncIterator[CompiledProgram | CompileFailed]:
        if made_of not in self.kept:
            made = await make()
            if isinstance(made, CompileFailed):
                yield made
                return
            files = {name: _content(each) for name, each in made.files.items()}
            self.kept[made_of] = CompiledProgram(files, made.main, made.log)
        yield self.kept[made_of]


def _content(content: Blob | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.path.read_bytes()


class MemoryData:
    def __init__(self, *contents: bytes) -> None:
        self.contents: dict[ContentHash, bytes] = {hash_of(content): content for content in contents}
        self.borrowed = 0

    @asynccontextmanager
    async def borrow(self, hashes: Iterable[ContentHash]) -> AsyncIterator[Mapping[ContentHash, TextBlob]]:
        self.borrowed += 1
        with tempfile.TemporaryDirectory() as directory:
            files = {}
            for each in hashes:
                if each not in self.contents:
                    raise StoreFailedError(f"no {each}")
                files[each] = TextBlob(Path(directory) / each)
                files[each].path.write_bytes(self.contents[each])
            yield files


@dataclass
class MemoryJudgeCache:
    stored: dict[JudgementKey, JudgeResult] = field(default_factory=dict)
    available: bool = True

    async def find(self, key: JudgementKey) -> JudgeResult | None:
        self._check()
        return self.stored.get(key)

    async def store(self, judgement: Judgement, *, instead: bool = False) -> None:
        self._check()
        if instead or judgement.key not in self.stored:
            self.stored[judgement.key] = judgement.result

    def _check(self) -> None:
        if not self.available:
            raise StoreFailedError("the cache is away")


@dataclass(frozen=True)
class OneSpec:
    revision: RevisionRef
    spec: JudgeSpec

    async def get(self, revision: RevisionRef) -> JudgeSpec:
        if revision != self.revision:
            raise UnknownRevisionError(revision)
        return self.spec


@dataclass(frozen=True)
class SomeToolchains:
    toolchains: tuple[Toolchain, ...]

    def table(self) -> tuple[Language, ...]:
        return tuple(each.language for each in self.toolchains)

    def find(self, language: LanguageSlug) -> Toolchain:
        for each in self.toolchains:
            if each.language.slug == language:
                return each
        raise UnknownLanguageError(language)


@dataclass
class MemoryLogs:
    stored: list[tuple[JudgeLogs, JudgeResult]] = field(default_factory=list)

    def prefix(self, ref: RunRef) -> str:
        return f"{ref.job_id}/{ref.attempt_id}/"

    async def store(self, logs: JudgeLogs, result: JudgeResult) -> None:
        self.stored.append((logs, result))


@dataclass
class Notebook:
    """Writes down what is observed."""

    notes: list[tuple[str, ...]] = field(default_factory=list)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        self.notes.append(("step", name))
        yield

    @contextmanager
    def part(self, kind: str, name: str) -> Iterator[None]:
        self.notes.append((kind, name))
        yield

    def executed(self, report: RunReport) -> None:
        self.notes.append(("executed", report.verdict))

    def cache(self, *, hit: bool) -> None:
        self.notes.append(("cache", "hit" if hit else "miss"))

    def judged(self, result: JudgeResult) -> None:
        self.notes.append(("verdict", result.verdict))
