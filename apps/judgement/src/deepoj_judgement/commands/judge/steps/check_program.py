"""A setter's own checker, run in a box of its own under limits of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from deepoj_domain.question.checker import Convention
from deepoj_judgement.commands.judge.checkers.conventions import leavings_of
from deepoj_judgement.commands.judge.checkers.outcome import Checked, broken
from deepoj_judgement.commands.judge.checkers.programs import read_ending
from deepoj_judgement.commands.judge.errors import PolicyViolationError
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.sandbox_port import Blob, JudgeBox, Workspace
from deepoj_judgement.commands.judge.steps.check import CaseChecker, Task
from deepoj_judgement.commands.judge.steps.prepare_checker import (
    CheckerProgram,
    forget_next_pass,
    lay_out,
)
from deepoj_judgement.commands.judge.steps.reusable_box import ReusableBox
from deepoj_judgement.commands.judge.steps.run_program import furnish, run_in_time


@asynccontextmanager
async def checking(workspace: Workspace, program: CheckerProgram) -> AsyncIterator[CaseChecker]:
    async with ReusableBox(workspace.box, lambda box: furnish(box, program.program)) as boxes:
        yield _ProgramCheck(program, boxes)


@dataclass(frozen=True, slots=True)
class BrokenCheck:
    """Stands for a checker that cannot even start."""

    reason: str
    log: bytes = b""

    async def check(self, task: Task, output: Blob) -> Checked:  # noqa: ARG002 — nothing can be checked
        return broken(self.reason, self.log)


def does_not_compile(failed: CompileFailed) -> BrokenCheck:
    return BrokenCheck(f"the checker does not compile: {failed.log.decode(errors='replace')}", failed.log)


@dataclass(frozen=True, slots=True)
class _ProgramCheck:
    program: CheckerProgram
    boxes: ReusableBox[JudgeBox]

    async def check(self, task: Task, output: Blob) -> Checked:
        checker, again = self.program.checker, task.run > 1
        stdin, laid = (output, None) if checker.convention is Convention.ICPC else (None, output)
        size = task.given.size + task.answer.size + (laid.size if laid else 0)
        box = await self.boxes.with_space(size, same=again)
        command = self.program.command(task, await lay_out(box, task, laid))
        if again:
            await forget_next_pass(box)
        take = leavings_of(checker)
        try:
            # What an earlier run of a checker has left cannot be had back.
            run = box.run if again else partial(run_in_time, box)
            ran = await run(command, stdin=stdin, take=take)
        except PolicyViolationError as error:
            return broken(f"the checker cannot be started: {error.detail}")
        return read_ending(checker, ran, task.most, scored=task.scored)
