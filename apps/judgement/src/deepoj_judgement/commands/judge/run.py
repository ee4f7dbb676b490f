"""Run a program on an input of the caller's: no record, no verdict, nothing kept."""

from dataclasses import dataclass

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.limits import Limits
from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.commands.judge.errors import UnknownLanguageError
from deepoj_judgement.commands.judge.ports import Observer, Toolchains
from deepoj_judgement.commands.judge.program import CompileFailed, files_of
from deepoj_judgement.commands.judge.sandbox_port import Blob, Ran, RunRef, RunReport, Sandbox
from deepoj_judgement.commands.judge.steps.compile import compile_source
from deepoj_judgement.commands.judge.steps.run_program import Runner, furnish
from deepoj_judgement.commands.judge.toolchain import Toolchain

SHOWN_BYTES = 256 * 1024
MOST_CPU_MS = 10_000
MOST_MEMORY_KIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrder:
    ref: RunRef
    language: LanguageSlug
    source: SourceCode
    given: bytes
    limits: Limits


@dataclass(frozen=True, slots=True)
class Executed:
    report: RunReport
    stdout: bytes
    stderr: bytes
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    toolchains: Toolchains
    sandbox: Sandbox
    observer: Observer

    async def __call__(self, order: RunOrder) -> Executed | CompileFailed:
        toolchain = find_chosen(self.toolchains, order.language)
        async with self.sandbox.workspace(order.ref) as workspace:
            files = files_of(order.source, toolchain.language.source_name)
            program = await compile_source(workspace, toolchain, files)
            if isinstance(program, CompileFailed):
                return program
            limits = order.limits.scaled(toolchain.language.time, toolchain.language.memory)
            runner = Runner(toolchain, program, limits, self.observer)
            given = await workspace.file("input", order.given)
            async with workspace.box() as box:
                await furnish(box, program)
                return shown(await runner.run(lambda command: box.run(command, stdin=given)))


def find_chosen(toolchains: Toolchains, language: LanguageSlug) -> Toolchain:
    """Return a toolchain that a caller may choose: what is in no table is for programs of packages."""
    if all(row.slug != language for row in toolchains.table()):
        raise UnknownLanguageError(language)
    return toolchains.find(language)


def shown(ran: Ran) -> Executed:
    truncated = ran.report.stdout_truncated or ran.report.stderr_truncated
    return Executed(
        ran.report, _head(ran.stdout), _head(ran.stderr), truncated or ran.stdout.size > SHOWN_BYTES
    )


def _head(blob: Blob) -> bytes:
    with blob.open() as stream:
        return stream.read(SHOWN_BYTES)
