"""Run a program on an input of the caller's: no record, no verdict, nothing kept."""

from dataclasses import dataclass

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.limits import Limits
from deepoj_domain.submission.source import SourceCode
from deepoj_judgement.commands.ports import Observer, Toolchains
from deepoj_judgement.commands.running import Blob, Ran, RunRef, RunReport, Sandbox
from deepoj_judgement.commands.steps.compile import CompileFailed, compile_source
from deepoj_judgement.commands.steps.run_program import Runner

SHOWN_BYTES = 256 * 1024


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
        toolchain = self.toolchains.find(order.language)
        async with self.sandbox.workspace(order.ref) as workspace:
            program = await compile_source(workspace, toolchain, order.source.text.encode())
            if isinstance(program, CompileFailed):
                return program
            async with workspace.box() as box:
                for name, content in program.files.items():
                    await box.put(name, content, executable=True)
                limits = order.limits.scaled(toolchain.language.time, toolchain.language.memory)
                runner = Runner(box, toolchain, limits, self.observer)
                return _shown(await runner.run(await workspace.file("input", order.given)))


def _shown(ran: Ran) -> Executed:
    truncated = ran.report.stdout_truncated or ran.report.stderr_truncated
    return Executed(
        ran.report, _head(ran.stdout), _head(ran.stderr), truncated or ran.stdout.size > SHOWN_BYTES
    )


def _head(blob: Blob) -> bytes:
    with blob.open() as stream:
        return stream.read(SHOWN_BYTES)
