"""A solution that talks with an interactor or a manager, and who is to blame when the talk goes wrong."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from signal import SIGPIPE

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.kernel.score import NOTHING
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import MOST_DATA_BYTES, Limits
from deepoj_judgement.commands.judge.checkers.conventions import copies_of, leavings_of
from deepoj_judgement.commands.judge.checkers.outcome import Checked, broken
from deepoj_judgement.commands.judge.checkers.programs import read_ending
from deepoj_judgement.commands.judge.errors import PolicyViolationError
from deepoj_judgement.commands.judge.sandbox_port import (
    Blob,
    Command,
    Company,
    Ran,
    RunReport,
    Talkers,
    Workspace,
)
from deepoj_judgement.commands.judge.steps.check import CaseChecker, Task
from deepoj_judgement.commands.judge.steps.copies import as_one
from deepoj_judgement.commands.judge.steps.judge_case import (
    CaseJudge,
    CaseJudged,
    for_case,
    put_files,
    size_of_files,
)
from deepoj_judgement.commands.judge.steps.prepare_checker import (
    CheckerProgram,
    forget_next_pass,
    lay_out,
)
from deepoj_judgement.commands.judge.steps.reusable_box import ReusableBox
from deepoj_judgement.commands.judge.steps.run_program import Runner, ended_like, furnish
from deepoj_judgement.commands.judge.toolchain import MIB, Toolchain

IDLE_MS = 2000
"""Who talk may all do nothing for so long: then they wait for each other."""
# What an interactor reads besides its case and the solution: its program and its libraries.
_RUNTIME_BYTES = 32 * MIB


@asynccontextmanager
async def interacting(
    workspace: Workspace, runner: Runner, interactor: CheckerProgram, after: CaseChecker | None = None
) -> AsyncIterator[CaseJudge]:
    """`after` looks at what the interactor wrote."""

    async def move_in(company: Company) -> None:
        for box in company.members:
            await furnish(box, runner.program)
        await furnish(company.leader, interactor.program)

    nothing = await workspace.file("nothing", b"")
    async with ReusableBox(lambda: workspace.company(interactor.copies), move_in) as boxes:
        talk = _Interaction(runner, interactor, boxes, nothing)
        yield talk if after is None else _TalkAndCheck(talk, after, nothing)


@dataclass(frozen=True, slots=True)
class _Interaction:
    runner: Runner
    interactor: CheckerProgram
    boxes: ReusableBox[Company]
    nothing: Blob

    async def judge(self, task: Task) -> CaseJudged:
        again, runner = task.run > 1, self.runner.within(task.limits)
        size = task.given.size + task.answer.size + size_of_files(task)
        company = await self.boxes.with_space(size, same=again)
        for box in company.members:
            await put_files(box, task)
        asking = self.interactor.command(task, await lay_out(company.leader, task))
        if again:
            await forget_next_pass(company.leader)
        other: list[Ran] = []

        async def talk(solving: Command) -> Ran:
            # The interactor must outlast the solution, or a solution that waits for ever would be its fault.
            wall_ms = asking.limits.wall_ms + solving.limits.wall_ms
            output_bytes = max(asking.limits.output_bytes, MOST_DATA_BYTES)
            limits = replace(asking.limits, wall_ms=wall_ms, idle_ms=IDLE_MS, output_bytes=output_bytes)
            talkers = self._talkers(replace(asking, limits=limits), for_case(solving, task), task)
            heard, copies = await company.run(talkers, take=leavings_of(self.interactor.checker))
            other[:] = [heard]
            return as_one(copies, solving.limits.cpu_ms, lambda ran: hung_up(ran, runner.toolchain))

        try:
            ran = await runner.run(talk, again=not again)
        except PolicyViolationError as error:
            idle = RunReport(verdict=SandboxVerdict.OK, time_ms=0, memory_kib=0)
            checked = broken(f"the interactor cannot be started: {error.detail}")
            return CaseJudged(Ran(idle, self.nothing, self.nothing, {}), checked)
        (heard,) = other
        checked = read_ending(self.interactor.checker, heard, task.most, scored=task.scored)
        most = runner.limits.output_kib * 1024 * self.interactor.copies
        if flooded(ran.report, heard.report, task, most):
            report = replace(ran.report, verdict=SandboxVerdict.OUTPUT_LIMIT)
            return CaseJudged(replace(ran, report=report), None, checked.log)
        if heard.report.verdict is SandboxVerdict.OUTPUT_LIMIT:
            return _by_interactor(ran, checked)
        left = hung_up(heard, self.interactor.toolchain)
        if ran.report.verdict is SandboxVerdict.OK and left:
            checked = replace(checked, word=CheckerWord.WRONG, message="the solution left the conversation")
        if ran.report.verdict is SandboxVerdict.OK or hung_up(ran, runner.toolchain):
            return _by_interactor(ran, checked)
        # Whom nobody reads any more stumbles over the solution, whichever was seen to end first.
        ended = max(heard.report.ended, ran.report.ended + 1) if left else heard.report.ended
        return blame(ran, replace(heard.report, ended=ended), checked, runner.limits)

    def _talkers(self, asking: Command, solving: Command, task: Task) -> Talkers:
        how = self.interactor.checker.communication
        members = copies_of(solving, how)
        return Talkers(asking, members) if how is None else Talkers(asking, members, task.given, how.by_name)


@dataclass(frozen=True, slots=True)
class _TalkAndCheck:
    talk: CaseJudge
    checker: CaseChecker
    nothing: Blob

    async def judge(self, task: Task) -> CaseJudged:
        judged = await self.talk.judge(task)
        heard = judged.checked
        if heard is None or heard.word is not CheckerWord.RIGHT:
            return judged
        checked = await self.checker.check(task, heard.written or self.nothing)
        return replace(judged, checked=checked, checker_log=judged.checker_log + checked.log)


def flooded(solution: RunReport, interactor: RunReport, task: Task, most: int) -> bool:
    """Say whether the solution said more than it may: by count, or because an interactor drowned in it."""
    if solution.stdout_truncated:
        return True
    own = task.given.size + task.answer.size + _RUNTIME_BYTES
    said = interactor.read_bytes - own
    return interactor.verdict is SandboxVerdict.MEMORY_LIMIT and said > most


def hung_up(ran: Ran, toolchain: Toolchain) -> bool:
    """Say whether the program ended because nobody read what it wrote."""
    if ran.report.verdict is not SandboxVerdict.RUNTIME_ERROR:
        return False
    return ran.report.signal == SIGPIPE or ended_like(toolchain.language.pipe_exits, ran)


def _by_interactor(ran: Ran, checked: Checked) -> CaseJudged:
    """The run itself decides nothing any more."""
    return CaseJudged(
        replace(ran, report=replace(ran.report, verdict=SandboxVerdict.OK)), checked, checked.log
    )


def blame(ran: Ran, interactor: RunReport, checked: Checked, limits: Limits) -> CaseJudged:
    """The solution did not end well. Who ended first decides; the other often only stumbles over that.

    A solution that reached a limit or crashed before the interactor ended has its own verdict, whatever the
    interactor made of the silence. What happens to it after the interactor rejected changes nothing, but who
    is to have points must end well.
    """
    solution = ran.report
    kept_waiting = solution.wall_ms >= limits.wall_ms and 2 * interactor.time_ms > limits.wall_ms
    if kept_waiting or (_slept(solution) and _slept(interactor)):
        # The solution waited while the interactor computed, or slept even when nobody was left to wait for.
        return _by_interactor(ran, broken("the interactor used up the time", checked.log))
    earns = checked.word is CheckerWord.RIGHT or checked.share not in (None, NOTHING)
    if solution.ended < interactor.ended or earns:
        return CaseJudged(ran, None, checked.log)
    return _by_interactor(ran, checked)


def _slept(report: RunReport) -> bool:
    """Say whether it was stopped for that: then its time is that of the clock on the wall."""
    return report.verdict is SandboxVerdict.TIME_LIMIT and report.time_ms >= report.wall_ms
