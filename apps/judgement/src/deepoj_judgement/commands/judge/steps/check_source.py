"""A setter's own program that looks at what was submitted, in a box of its own and beside a copy of it.

What it says lies in a directory that no file of the submission has the name of, so a submission cannot speak
for it.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.checkers.conventions import WORK, leavings_of
from deepoj_judgement.commands.judge.checkers.outcome import Checked, broken
from deepoj_judgement.commands.judge.checkers.programs import read_ending
from deepoj_judgement.commands.judge.errors import PolicyViolationError
from deepoj_judgement.commands.judge.sandbox_port import Blob, Command, JudgeBox, Ran, RunReport, Workspace
from deepoj_judgement.commands.judge.steps.check import CaseChecker, Task
from deepoj_judgement.commands.judge.steps.judge_case import CaseJudge, CaseJudged
from deepoj_judgement.commands.judge.steps.prepare_checker import CheckerProgram
from deepoj_judgement.commands.judge.steps.run_program import APP, Runner, command_of, furnish, run_in_time

_SUBMITTED: Final = "submitted/"
_FEEDBACK: Final = "feedback"
_NOT_RUN: Final = RunReport(verdict=SandboxVerdict.OK, time_ms=0, memory_kib=0)


@dataclass(frozen=True, slots=True)
class Submitted:
    """A submission as it was compiled, with what that made."""

    language: str
    """Its code in the formats of packages."""
    entry: str
    files: Mapping[str, Blob | bytes]

    @classmethod
    def of(cls, runner: Runner) -> "Submitted":
        program = runner.program
        files = {**program.files, **program.source}
        return cls(runner.toolchain.language.package_code, program.main, files)


@dataclass(frozen=True, slots=True)
class SourceOrOutput:
    """Cases about the source are decided without a run, by `of_source`."""

    others: CaseJudge
    of_source: CaseChecker
    nothing: Blob

    async def judge(self, task: Task) -> CaseJudged:
        if not task.case.of_source:
            return await self.others.judge(task)
        checked = await self.of_source.check(task, self.nothing)
        return CaseJudged(Ran(_NOT_RUN, self.nothing, self.nothing, {}), checked, checked.log)


@asynccontextmanager
async def checking_source(
    workspace: Workspace, program: CheckerProgram, submitted: Submitted
) -> AsyncIterator[CaseChecker]:
    async with workspace.box() as box:
        await furnish(box, program.program)
        for name, content in submitted.files.items():
            await box.put(_SUBMITTED + name, content)
        yield _SourceCheck(program, submitted, box, _free_name(submitted.files))


def _free_name(files: Mapping[str, object]) -> str:
    taken = {name.split("/")[0] for name in files}
    name = _FEEDBACK
    while name in taken:
        name += "_"
    return name


@dataclass(frozen=True, slots=True)
class _SourceCheck:
    program: CheckerProgram
    submitted: Submitted
    box: JudgeBox
    feedback: str

    async def check(self, task: Task, output: Blob) -> Checked:  # noqa: ARG002 — there is none
        checker, command = self.program.checker, self._command(task)
        take = tuple(f"{self.feedback}/{name}" for name in leavings_of(checker))
        try:
            ran = await run_in_time(self.box, command, take=take)
        except PolicyViolationError as error:
            return broken(f"the source checker cannot be started: {error.detail}")
        left = {name.removeprefix(f"{self.feedback}/"): blob for name, blob in ran.taken.items()}
        return read_ending(checker, replace(ran, taken=left), task.most, scored=task.scored)

    def _command(self, task: Task) -> Command:
        program, own = self.program, task.case.checker_arguments
        feedback = f"{WORK}{self.feedback}"
        command = command_of(program.toolchain, program.program, program.limits)
        laid = (("/bin/mkdir", feedback), ("/bin/cp", "-rs", f"{APP}{_SUBMITTED}.", WORK))
        more = program.checker.arguments if own is None else own
        told = (self.submitted.language, self.submitted.entry, f"{feedback}/", *more)
        return replace(command, steps=(*laid, *command.steps), arguments=told)
