"""A setter's own program, compiled once for as many judgements as use it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.question.checker import ProgramChecker, SourceFile
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.checkers.conventions import (
    NEXT_PASS,
    WORK,
    WRITTEN,
    CasePaths,
    arguments_of,
    links_of,
)
from deepoj_judgement.commands.judge.ports import Programs, TestData, Toolchains
from deepoj_judgement.commands.judge.program import CompileFailed, Program
from deepoj_judgement.commands.judge.sandbox_port import Blob, Command, JudgeBox, Workspace
from deepoj_judgement.commands.judge.steps.check import Task
from deepoj_judgement.commands.judge.steps.compile import LIMITS as COMPILER_LIMITS
from deepoj_judgement.commands.judge.steps.compile import compile_source
from deepoj_judgement.commands.judge.steps.run_program import APP, command_of, linked
from deepoj_judgement.commands.judge.toolchain import Toolchain

LIMITS = Limits(cpu_ms=10_000, memory_kib=512 * 1024, output_kib=1024)
_REMOVE = ("/bin/rm", "-f")


@dataclass(frozen=True, slots=True)
class CheckerProgram:
    checker: ProgramChecker
    toolchain: Toolchain
    program: Program

    @property
    def limits(self) -> Limits:
        return self.checker.limits or LIMITS

    @property
    def copies(self) -> int:
        """How many programs it talks with."""
        return 1 if self.checker.communication is None else self.checker.communication.copies

    def command(self, task: Task, paths: CasePaths) -> Command:
        own = task.case.checker_arguments
        arguments = self.checker.arguments if own is None else own
        files = arguments_of(self.checker, paths)
        command = command_of(self.toolchain, self.program, self.limits, *files)
        linking = linked(command, links_of(self.checker, paths))
        return replace(linking, arguments=arguments, continued=task.run > 1)


@asynccontextmanager
async def prepared(
    workspace: Workspace, checker: ProgramChecker, toolchains: Toolchains, data: TestData, programs: Programs
) -> AsyncIterator[CheckerProgram | CompileFailed]:
    toolchain = toolchains.find(checker.language)
    async with built(workspace, checker.sources, toolchain, data, programs) as program:
        if isinstance(program, CompileFailed):
            yield program
        else:
            yield CheckerProgram(checker, toolchain, program)


@asynccontextmanager
async def built(
    workspace: Workspace,
    sources: tuple[SourceFile, ...],
    toolchain: Toolchain,
    data: TestData,
    programs: Programs,
) -> AsyncIterator[Program | CompileFailed]:
    async def make() -> Program | CompileFailed:
        async with data.borrow([source.content for source in sources]) as files:
            return await compile_source(workspace, toolchain, _contents(sources, files))

    async with programs.borrow(_made_of(sources, toolchain), make) as program:
        yield program


def _contents(sources: tuple[SourceFile, ...], files: Mapping[ContentHash, Blob]) -> dict[str, bytes]:
    return {source.name: files[source.content].path.read_bytes() for source in sources}


def _made_of(sources: tuple[SourceFile, ...], toolchain: Toolchain) -> ContentHash:
    parts = sorted(f"{source.content} {source.name}" for source in sources)
    return hash_of("\n".join((toolchain.language.slug, toolchain.identity, *parts)).encode())


async def lay_out(box: JudgeBox, task: Task, output: Blob | None = None) -> CasePaths:
    """Put the files of a case into a box; without an output its path is one that can be written."""
    directory = task.directory
    await box.put(f"{directory}/input", task.given)
    await box.put(f"{directory}/answer", task.answer)
    if output is not None:
        await box.put(f"{directory}/output", output)
    written = WORK + WRITTEN if output is None else f"{APP}{directory}/output"
    return CasePaths(f"{APP}{directory}/input", f"{APP}{directory}/answer", written)


async def forget_next_pass(box: JudgeBox) -> None:
    """The files of earlier runs stay, but for the one that asked for this run."""
    await box.run(Command(steps=((*_REMOVE, WORK + NEXT_PASS),), limits=COMPILER_LIMITS, continued=True))
