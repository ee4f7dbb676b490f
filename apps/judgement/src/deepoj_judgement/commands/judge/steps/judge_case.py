"""One case: its files and arguments, a run, and what is said about it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.submission_form import FileNames
from deepoj_judgement.commands.judge.checkers.conventions import WORK
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.sandbox_port import Blob, Command, JudgeBox, Ran, Workspace
from deepoj_judgement.commands.judge.steps.check import CaseChecker, Task
from deepoj_judgement.commands.judge.steps.reusable_box import ReusableBox
from deepoj_judgement.commands.judge.steps.run_program import APP, Runner, furnish, linked


@dataclass(frozen=True, slots=True)
class CaseJudged:
    ran: Ran
    checked: Checked | None
    """None when the run itself decides."""
    checker_log: bytes = b""


class CaseJudge(Protocol):
    async def judge(self, task: Task) -> CaseJudged: ...


@asynccontextmanager
async def running(
    workspace: Workspace, runner: Runner, files: FileNames, checker: CaseChecker
) -> AsyncIterator[CaseJudge]:
    nothing = await workspace.file("nothing", b"")
    async with ReusableBox(workspace.box, lambda box: furnish(box, runner.program)) as boxes:
        yield _RunAndCheck(boxes, runner, files, checker, nothing)


@dataclass(frozen=True, slots=True)
class _RunAndCheck:
    boxes: ReusableBox[JudgeBox]
    runner: Runner
    files: FileNames
    checker: CaseChecker
    nothing: Blob

    async def judge(self, task: Task) -> CaseJudged:
        box, runner = await self._box_with_files(task), self.runner.within(task.limits)
        links = {self.files.input: f"{APP}{task.directory}/input"} if self.files.input else {}
        stdin = None if self.files.input else task.given
        take = (self.files.output,) if self.files.output else ()

        async def execute(command: Command) -> Ran:
            return await box.run(linked(for_case(command, task), links), stdin=stdin, take=take)

        ran = self._with_output(await runner.run(execute), runner.limits.output_kib * 1024)
        if ran.report.verdict is not SandboxVerdict.OK:
            return CaseJudged(ran, None)
        checked = await self.checker.check(task, ran.stdout)
        return CaseJudged(ran, checked, checked.log)

    async def _box_with_files(self, task: Task) -> JudgeBox:
        size = size_of_files(task) + (task.given.size if self.files.input else 0)
        box = await self.boxes.with_space(size, same=task.run > 1)
        if self.files.input:
            await box.put(f"{task.directory}/input", task.given)
        await put_files(box, task)
        return box

    def _with_output(self, ran: Ran, most: int) -> Ran:
        """What is not in its file is nothing, nor is what only looks like a file."""
        if not self.files.output:
            return ran
        output = ran.taken.get(self.files.output, self.nothing)
        report = ran.report
        if report.verdict is SandboxVerdict.OK and output.size > most:
            report = replace(report, verdict=SandboxVerdict.OUTPUT_LIMIT)
        return replace(ran, stdout=output, report=report)


_LINK_ALL = ("/bin/cp", "-rs")


def size_of_files(task: Task) -> int:
    """Bytes that a box must have room for; in later runs on a case they are there."""
    return sum(blob.size for blob in task.files.values()) if task.run == 1 else 0


async def put_files(box: JudgeBox, task: Task) -> None:
    if task.run == 1:
        for name, blob in task.files.items():
            await box.put(f"{_directory(task)}/{name}", blob)


def for_case(command: Command, task: Task) -> Command:
    if task.files:
        links = (*_LINK_ALL, f"{APP}{_directory(task)}/.", WORK)
        command = replace(command, steps=(links, *command.steps))
    return replace(command, arguments=task.case.arguments) if task.case.arguments else command


def _directory(task: Task) -> str:
    return f"case/{hash_of(task.case.name.encode())[:32]}-files"
