"""A solution that talks with an interactor, and is run once more on what that wrote: to decode, say."""

from dataclasses import dataclass, replace

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.sandbox_port import Blob
from deepoj_judgement.commands.judge.steps.check import CaseChecker, Task
from deepoj_judgement.commands.judge.steps.judge_case import CaseJudge, CaseJudged
from deepoj_judgement.commands.judge.steps.repeat import used_by_all


class Unchecked:
    """What it writes is looked at with the input of the first run, so not by who runs it again."""

    async def check(self, task: Task, output: Blob) -> Checked:
        del task, output
        return Checked(CheckerWord.RIGHT)


@dataclass(frozen=True, slots=True)
class ReadAgain:
    talk: CaseJudge
    again: CaseJudge
    checker: CaseChecker
    nothing: Blob

    async def judge(self, task: Task) -> CaseJudged:
        talked = await self.talk.judge(task)
        heard = talked.checked
        if heard is None or heard.word is not CheckerWord.RIGHT:
            return talked
        read = await self.again.judge(replace(task, given=heard.written or self.nothing))
        both = used_by_all(read, [talked.ran.report, read.ran.report])
        if read.checked is None:
            return replace(both, checker_log=talked.checker_log)
        checked = await self.checker.check(task, read.ran.stdout)
        return replace(both, checked=checked, checker_log=talked.checker_log + checked.log)
