"""One case: a run and what is said about it."""

from dataclasses import dataclass
from typing import Protocol

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.sandbox_port import Box, Ran
from deepoj_judgement.commands.judge.steps.check import CaseChecker, Task
from deepoj_judgement.commands.judge.steps.run_program import Runner


@dataclass(frozen=True, slots=True)
class CaseJudged:
    ran: Ran
    checked: Checked | None
    """None when the run itself decides."""
    checker_log: bytes = b""


class CaseJudge(Protocol):
    async def judge(self, task: Task) -> CaseJudged: ...


@dataclass(frozen=True, slots=True)
class RunAndCheck:
    box: Box
    runner: Runner
    checker: CaseChecker

    async def judge(self, task: Task) -> CaseJudged:
        ran = await self.runner.run(lambda command: self.box.run(command, stdin=task.given))
        if ran.report.verdict is not SandboxVerdict.OK:
            return CaseJudged(ran, None)
        checked = await self.checker.check(task, ran.stdout)
        return CaseJudged(ran, checked, checked.log)
