"""A solution that talks with the setter's interactor, and who is to blame when the talk goes wrong."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from signal import SIGPIPE

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import MOST_DATA_BYTES, Limits
from deepoj_judgement.commands.judge.checkers.outcome import Checked, broken
from deepoj_judgement.commands.judge.checkers.programs import FEEDBACK, read_ending
from deepoj_judgement.commands.judge.errors import PolicyViolationError
from deepoj_judgement.commands.judge.sandbox_port import Blob, Command, Pair, Ran, RunReport, Workspace
from deepoj_judgement.commands.judge.steps.check import Task
from deepoj_judgement.commands.judge.steps.judge_case import CaseJudge, CaseJudged
from deepoj_judgement.commands.judge.steps.prepare_checker import CheckerProgram, lay_out
from deepoj_judgement.commands.judge.steps.reusable_box import ReusableBox
from deepoj_judgement.commands.judge.steps.run_program import Runner, ended_like, furnish
from deepoj_judgement.commands.judge.toolchain import MIB, Toolchain

# What an interactor reads besides its case and the solution: its program and its libraries.
_RUNTIME_BYTES = 32 * MIB


@asynccontextmanager
async def interacting(
    workspace: Workspace, runner: Runner, interactor: CheckerProgram
) -> AsyncIterator[CaseJudge]:
    async def move_in(pair: Pair) -> None:
        await furnish(pair.first, runner.program)
        await furnish(pair.second, interactor.program)

    nothing = await workspace.file("nothing", b"")
    async with ReusableBox(workspace.pair, move_in) as boxes:
        yield _Interaction(runner, interactor, boxes, nothing)


@dataclass(frozen=True, slots=True)
class _Interaction:
    runner: Runner
    interactor: CheckerProgram
    boxes: ReusableBox[Pair]
    nothing: Blob

    async def judge(self, task: Task) -> CaseJudged:
        pair = await self.boxes.with_space(task.given.size + task.answer.size)
        asking = self.interactor.command(task, await lay_out(pair.second, task))
        other: list[Ran] = []

        async def talk(solving: Command) -> Ran:
            # The interactor must outlast the solution, or a solution that waits for ever would be its fault.
            wall_ms = asking.limits.wall_ms + solving.limits.wall_ms
            output_bytes = max(asking.limits.output_bytes, MOST_DATA_BYTES)
            limits = replace(asking.limits, wall_ms=wall_ms, output_bytes=output_bytes)
            patient = replace(asking, limits=limits)
            feedback = FEEDBACK[self.interactor.checker.convention]
            ran, heard = await pair.run(solving, patient, take=feedback)
            other[:] = [heard]
            return ran

        try:
            ran = await self.runner.run(talk)
        except PolicyViolationError as error:
            idle = RunReport(verdict=SandboxVerdict.OK, time_ms=0, memory_kib=0)
            checked = broken(f"the interactor cannot be started: {error.detail}")
            return CaseJudged(Ran(idle, self.nothing, self.nothing, {}), checked)
        (heard,) = other
        checked = read_ending(self.interactor.checker, heard, task.most, scored=task.scored)
        if flooded(ran.report, heard.report, task, self.runner.limits):
            report = replace(ran.report, verdict=SandboxVerdict.OUTPUT_LIMIT)
            return CaseJudged(replace(ran, report=report), None, checked.log)
        if heard.report.verdict is SandboxVerdict.OUTPUT_LIMIT:
            return _by_interactor(ran, checked)
        if ran.report.verdict is SandboxVerdict.OK and hung_up(heard, self.interactor.toolchain):
            checked = replace(checked, word=CheckerWord.WRONG, message="the solution left the conversation")
        if ran.report.verdict is SandboxVerdict.OK or hung_up(ran, self.runner.toolchain):
            return _by_interactor(ran, checked)
        return blame(ran, heard.report, checked, self.runner.limits)


def flooded(solution: RunReport, interactor: RunReport, task: Task, limits: Limits) -> bool:
    """Say whether the solution said more than it may: by count, or because an interactor drowned in it."""
    if solution.stdout_truncated:
        return True
    own = task.given.size + task.answer.size + _RUNTIME_BYTES
    said = interactor.read_bytes - own
    return interactor.verdict is SandboxVerdict.MEMORY_LIMIT and said > limits.output_kib * 1024


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
    interactor made of the silence. What happens to it after the interactor rejected changes nothing.
    """
    solution = ran.report
    if solution.wall_ms >= limits.wall_ms and 2 * interactor.time_ms > limits.wall_ms:
        # The solution waited while the interactor computed, or slept.
        return _by_interactor(ran, broken("the interactor used up the time", checked.log))
    if solution.ended_first or checked.word is CheckerWord.RIGHT:
        return CaseJudged(ran, None, checked.log)
    return _by_interactor(ran, checked)
