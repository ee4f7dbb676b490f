"""A setter's own program, compiled once for as many judgements as use it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.question.checker import Convention, ProgramChecker
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.ports import Programs, TestData, Toolchains
from deepoj_judgement.commands.judge.program import CompileFailed, Program
from deepoj_judgement.commands.judge.sandbox_port import Blob, Box, Command, Workspace
from deepoj_judgement.commands.judge.steps.check import Task
from deepoj_judgement.commands.judge.steps.compile import compile_source
from deepoj_judgement.commands.judge.steps.run_program import command_of
from deepoj_judgement.commands.judge.toolchain import Toolchain

LIMITS = Limits(cpu_ms=10_000, memory_kib=512 * 1024, output_kib=1024)
_APP = "/app/"


class CasePaths(NamedTuple):
    """Where a box has the files of a case."""

    given: str
    answer: str
    output: str


@dataclass(frozen=True, slots=True)
class CheckerProgram:
    checker: ProgramChecker
    toolchain: Toolchain
    program: Program

    @property
    def limits(self) -> Limits:
        return self.checker.limits or LIMITS

    def command(self, task: Task, paths: CasePaths) -> Command:
        """A checker and an interactor are called alike; to the one `output` is given, the other makes it."""
        files = {
            Convention.ICPC: (paths.given, paths.answer, "/box/"),
            Convention.TESTLIB: (paths.given, paths.output, paths.answer),
        }[self.checker.convention]
        own = task.case.checker_arguments
        arguments = self.checker.arguments if own is None else own
        return command_of(self.toolchain, self.program, self.limits, *files, *arguments)


@asynccontextmanager
async def prepared(
    workspace: Workspace, checker: ProgramChecker, toolchains: Toolchains, data: TestData, programs: Programs
) -> AsyncIterator[CheckerProgram | CompileFailed]:
    toolchain = toolchains.find(checker.language)

    async def make() -> Program | CompileFailed:
        async with data.borrow([source.content for source in checker.sources]) as files:
            return await compile_source(workspace, toolchain, _contents(checker, files))

    async with programs.borrow(_made_of(checker, toolchain), make) as program:
        if isinstance(program, CompileFailed):
            yield program
        else:
            yield CheckerProgram(checker, toolchain, program)


def _contents(checker: ProgramChecker, files: Mapping[ContentHash, Blob]) -> dict[str, bytes]:
    return {source.name: files[source.content].path.read_bytes() for source in checker.sources}


def _made_of(checker: ProgramChecker, toolchain: Toolchain) -> ContentHash:
    parts = sorted(f"{source.content} {source.name}" for source in checker.sources)
    return hash_of("\n".join((toolchain.language.slug, toolchain.identity, *parts)).encode())


async def lay_out(box: Box, task: Task, output: Blob | None = None) -> CasePaths:
    """Put the files of a case into a box; without an output its path is one that can be written."""
    directory = f"case/{hash_of(task.case.name.encode())[:32]}"
    await box.put(f"{directory}/input", task.given)
    await box.put(f"{directory}/answer", task.answer)
    if output is not None:
        await box.put(f"{directory}/output", output)
    written = "/box/output" if output is None else f"{_APP}{directory}/output"
    return CasePaths(f"{_APP}{directory}/input", f"{_APP}{directory}/answer", written)
