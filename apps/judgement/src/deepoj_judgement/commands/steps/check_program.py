"""A setter's own checker, run in a box of its own under limits of its own.

ICPC: `checker input answer feedback-directory < output`, 42 accepts and 43 rejects. testlib: `checker input
output answer`, 0 accepts, 1 rejects, 2 is a presentation error. Every other ending is a broken checker.
"""

from dataclasses import dataclass

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.checker import Convention, ProgramChecker
from deepoj_judgement.commands.checkers.outcome import Checked
from deepoj_judgement.commands.language import MIB, Toolchain
from deepoj_judgement.commands.ports import TestData, Toolchains
from deepoj_judgement.commands.running import Blob, Command, Ran, RunLimits, Workspace
from deepoj_judgement.commands.steps.check import CaseChecker
from deepoj_judgement.commands.steps.compile import CompileFailed, Program, compile_source

MEMORY_KIB = 512 * 1024
LIMITS = RunLimits(
    cpu_ms=10_000,
    wall_ms=20_000,
    memory_bytes=MEMORY_KIB * 1024,
    output_bytes=1 * MIB,
    error_bytes=1 * MIB,
    processes=32,
)
_WORDS = {
    Convention.ICPC: {42: CheckerWord.RIGHT, 43: CheckerWord.WRONG},
    Convention.TESTLIB: {0: CheckerWord.RIGHT, 1: CheckerWord.WRONG, 2: CheckerWord.BADLY_PRESENTED},
}
_MESSAGE_BYTES = 500


async def prepare_program(
    workspace: Workspace, checker: ProgramChecker, toolchains: Toolchains, data: TestData
) -> CaseChecker:
    if checker.interactive:
        return _Broken("interactive checkers are not supported")
    toolchain = toolchains.find(checker.language)
    (source_file,) = checker.sources
    async with data.borrow([source_file.content]) as files:
        with files[source_file.content].open() as source:
            program = await compile_source(workspace, toolchain, source.read())
    if isinstance(program, CompileFailed):
        return _Broken(
            "the checker does not compile: " + program.log[:_MESSAGE_BYTES].decode(errors="replace")
        )
    return _ProgramCheck(workspace, checker, toolchain, program)


@dataclass(frozen=True, slots=True)
class _Broken:
    message: str

    async def check(self, given: Blob, answer: Blob, output: Blob) -> Checked:  # noqa: ARG002 — nothing can be checked
        return Checked(CheckerWord.BROKEN, self.message)


@dataclass(frozen=True, slots=True)
class _ProgramCheck:
    workspace: Workspace
    checker: ProgramChecker
    toolchain: Toolchain
    program: Program

    async def check(self, given: Blob, answer: Blob, output: Blob) -> Checked:
        async with self.workspace.box() as box:
            for name, content in self.program.files.items():
                await box.put(name, content, executable=True)
            await box.put("case/input", given)
            await box.put("case/answer", answer)
            if self.checker.convention is Convention.TESTLIB:
                await box.put("case/output", output)
            ran = await box.run(self._command(), stdin=output)
            return _read(self.checker.convention, ran)

    def _command(self) -> Command:
        files = {
            Convention.ICPC: ("/app/case/input", "/app/case/answer", "/box/"),
            Convention.TESTLIB: ("/app/case/input", "/app/case/output", "/app/case/answer"),
        }[self.checker.convention]
        argv = self.toolchain.argv(self.toolchain.language.run, MEMORY_KIB)
        return Command(
            steps=((*argv, *files, *self.checker.arguments),),
            limits=LIMITS,
            environment=self.toolchain.environment(MEMORY_KIB),
        )


def _read(convention: Convention, ran: Ran) -> Checked:
    with ran.stderr.open() as errors:
        message = errors.read(_MESSAGE_BYTES).decode(errors="replace")
    report = ran.report
    ended = report.verdict in {SandboxVerdict.OK, SandboxVerdict.RUNTIME_ERROR} and not report.signal
    word = _WORDS[convention].get(report.exit_code) if ended else None
    if word is None:
        how = f"{report.verdict}, exit code {report.exit_code}, signal {report.signal}"
        return Checked(CheckerWord.BROKEN, f"the checker broke ({how}): {message}")
    return Checked(word, message)
