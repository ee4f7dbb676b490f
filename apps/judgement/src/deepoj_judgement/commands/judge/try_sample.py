"""Run a program on a sample as a submission would be: under the limits of a question, before its own checker.

All that is judged with is what everybody who sees the question reads in it; of what the checker finds only
the verdict is told. Nothing is kept.
"""

from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Final

from deepoj_domain.judgement.case_verdict import case_verdict
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import ProgramChecker
from deepoj_domain.question.limits import Limits
from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.commands.judge.ports import Observer, Programs, Specs, TestData, Toolchains
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.run import MOST_CPU_MS, MOST_MEMORY_KIB, Executed, find_chosen, shown
from deepoj_judgement.commands.judge.sandbox_port import RunRef, Sandbox, Workspace
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.steps.case_judges import CaseJudges
from deepoj_judgement.commands.judge.steps.check import Task
from deepoj_judgement.commands.judge.steps.compile import compile_source
from deepoj_judgement.commands.judge.steps.fetch import fetch_spec
from deepoj_judgement.commands.judge.steps.include import include
from deepoj_judgement.commands.judge.steps.run_cases import task_of
from deepoj_judgement.commands.judge.steps.run_program import Runner
from deepoj_judgement.commands.judge.toolchain import Toolchain

_UNTESTED: Final = "sample"


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOrder:
    ref: RunRef
    revision: RevisionRef
    language: LanguageSlug
    source: SourceCode
    given: bytes
    answer: bytes
    """What the question shows as the output: right, but perhaps one of many."""


@dataclass(frozen=True, slots=True)
class Tried:
    executed: Executed
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class NotTried:
    """What is shown as a sample is not what a program is given."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrySample:
    specs: Specs
    data: TestData
    programs: Programs
    toolchains: Toolchains
    sandbox: Sandbox
    observer: Observer

    async def __call__(self, order: SampleOrder) -> Tried | CompileFailed | NotTried:
        toolchain = find_chosen(self.toolchains, order.language)
        spec = await fetch_spec(self.specs, order.revision, order.language)
        case = _case_of(spec, order)
        if isinstance(case, NotTried):
            return case
        async with self.sandbox.workspace(order.ref) as workspace:
            source = await include(self.data, spec.form, toolchain.language, order.source)
            if isinstance(source, CompileFailed):
                return source
            program = await compile_source(workspace, toolchain, source.files, source.entry)
            if isinstance(program, CompileFailed):
                return program
            runner = Runner(toolchain, program, _bounded(spec.limits_for(toolchain.language)), self.observer)
            return await self._judged(workspace, spec, runner, case, order)

    async def _judged(
        self, workspace: Workspace, spec: JudgeSpec, runner: Runner, case: Case, order: SampleOrder
    ) -> Tried:
        async with AsyncExitStack() as held:
            task = await self._task(held, workspace, spec, runner.toolchain, case, order)
            judges = CaseJudges(self.toolchains, self.data, self.programs, self.observer, workspace, held)
            judged = await (await judges.of_program(spec, runner)).judge(task)
            word = None if judged.checked is None else judged.checked.word
            return Tried(shown(judged.ran), case_verdict(judged.ran.report.verdict, word))

    async def _task(
        self,
        held: AsyncExitStack,
        workspace: Workspace,
        spec: JudgeSpec,
        toolchain: Toolchain,
        case: Case,
        order: SampleOrder,
    ) -> Task:
        own = {hash_of(text) for text in (order.given, order.answer)}
        lent = await held.enter_async_context(self.data.borrow(set(case.contents) - own))
        data = {
            **lent,
            hash_of(order.given): await workspace.file("given", order.given),
            hash_of(order.answer): await workspace.file("answer", order.answer),
        }
        task = task_of(spec.suite.group_of(case), case, data)
        limits = spec.case_limits(toolchain.language, case)
        return replace(task, limits=None if limits is None else _bounded(limits))


def _case_of(spec: JudgeSpec, order: SampleOrder) -> Case | NotTried:
    """Return the sample among the tests that is shown, with all that belongs to it, or one of the texts."""
    if spec.form.answers:
        return NotTried("answers are submitted for this problem: there is no program to run")
    given, answer = hash_of(order.given), hash_of(order.answer)
    shown = (each for each in spec.suite.cases if each.is_sample and not each.of_source)
    known = next((each for each in shown if each.input == given), None)
    if known is not None:
        return known
    if isinstance(spec.checker, ProgramChecker) and spec.checker.interactive:
        return NotTried("programs talk with this problem: its samples show a talk, and no input")
    return Case(_UNTESTED, spec.suite.groups[0].name, given, answer, is_sample=True)


def _bounded(limits: Limits) -> Limits:
    """Whoever waits for a run does not wait for longer than for any other."""
    return replace(
        limits,
        cpu_ms=min(limits.cpu_ms, MOST_CPU_MS),
        memory_kib=min(limits.memory_kib, MOST_MEMORY_KIB),
    )
