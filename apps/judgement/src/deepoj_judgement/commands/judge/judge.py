"""Judge one submission, from the pinned revision and the source to a result."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from deepoj_domain.judgement.judgement import JudgementKey
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.ids import JudgementId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.checker import Checker, ProgramChecker
from deepoj_judgement.commands.judge.ports import (
    JudgeCache,
    JudgeLogs,
    LogStore,
    Observer,
    Programs,
    Specs,
    TestData,
    Toolchains,
)
from deepoj_judgement.commands.judge.program import CompileFailed, Source, entry_of, files_of
from deepoj_judgement.commands.judge.sandbox_port import RunRef, Sandbox, Workspace
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.steps.aggregate import aggregate_cases
from deepoj_judgement.commands.judge.steps.check import CaseChecker, Comparison
from deepoj_judgement.commands.judge.steps.check_program import checking, does_not_compile
from deepoj_judgement.commands.judge.steps.compile import compile_source, syntax_error
from deepoj_judgement.commands.judge.steps.fetch_data import fetch_data
from deepoj_judgement.commands.judge.steps.fetch_spec import fetch_spec
from deepoj_judgement.commands.judge.steps.interact import interacting
from deepoj_judgement.commands.judge.steps.judge_cache import recall, remember
from deepoj_judgement.commands.judge.steps.judge_case import CaseJudge, RunAndCheck
from deepoj_judgement.commands.judge.steps.prepare_checker import prepared
from deepoj_judgement.commands.judge.steps.run_cases import CaseRun, Tell, run_cases, untold
from deepoj_judgement.commands.judge.steps.run_program import Runner, furnish
from deepoj_judgement.commands.judge.steps.time_cap import capped
from deepoj_judgement.commands.judge.toolchain import Toolchain


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOrder:
    ref: RunRef
    revision: RevisionRef
    language: LanguageSlug
    source: Source
    fresh: bool = False
    """Run it even if the result is known, and know the new one from then on."""
    tell: Tell = untold


@dataclass(frozen=True, slots=True)
class Judged:
    result: JudgeResult
    logs: JudgeLogs | None = None
    from_cache: bool = False
    toolchain: str = ""
    """The version of the language it was judged with."""


class JudgeOne(Protocol):
    async def __call__(self, order: JudgeOrder) -> Judged: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    specs: Specs
    data: TestData
    programs: Programs
    cache: JudgeCache
    toolchains: Toolchains
    sandbox: Sandbox
    logs: LogStore
    observer: Observer
    clock: Callable[[], datetime]
    new_id: Callable[[], UUID]
    slack: timedelta = timedelta(minutes=5)
    """How much longer than the time limits of all its cases a judgement may take."""

    async def __call__(self, order: JudgeOrder) -> Judged:
        toolchain = self.toolchains.find(order.language)
        with self.observer.step("fetch_spec"):
            spec = await fetch_spec(self.specs, order.revision, order.language)
        key = JudgementKey(
            order.revision, order.language, self._identity(toolchain, spec.checker), order.source.hash
        )
        with self.observer.step("judge_cache"):
            known = None if order.fresh else await recall(self.cache, key, self.observer)
        if known is not None:
            hit = self._kept(order, known, JudgeLogs(order.ref), from_cache=True)
            return replace(hit, toolchain=toolchain.version)
        async with capped(spec, spec.limits_for(toolchain.language), self.slack):
            judged = await self._judge(order, spec, toolchain)
        self.observer.judged(judged.result)
        # Whose logs they are is no part of what is the same the next time.
        result = replace(judged.result, log_prefix="")
        judgement_id, now = JudgementId(self.new_id()), self.clock()
        await remember(self.cache, judgement_id, key, result, now, instead=order.fresh)
        return replace(judged, toolchain=toolchain.version)

    def _identity(self, toolchain: Toolchain, checker: Checker) -> str:
        """A checker program is judged by its toolchain too."""
        if not isinstance(checker, ProgramChecker):
            return toolchain.identity
        return f"{toolchain.identity} + {self.toolchains.find(checker.language).identity}"

    async def _judge(self, order: JudgeOrder, spec: JudgeSpec, toolchain: Toolchain) -> Judged:
        async with self.sandbox.workspace(order.ref) as workspace:
            with self.observer.step("compile"):
                files = files_of(order.source, toolchain.language.source_name)
                program = await compile_source(workspace, toolchain, files, entry_of(order.source))
            if isinstance(program, CompileFailed):
                return self._not_compiled(order, program)
            runner = Runner(toolchain, program, spec.limits_for(toolchain.language), self.observer)
            cases = await self._run_cases(workspace, spec, runner, order.tell)
            if _crashed_at_once(cases):
                failed = await syntax_error(workspace, toolchain, files)
                if failed is not None:
                    return self._not_compiled(order, failed)
        with self.observer.step("aggregate"):
            result = aggregate_cases(spec.suite, cases.results)
        return self._kept(order, result, JudgeLogs(order.ref, program.log, tuple(cases.logs)))

    async def _run_cases(self, workspace: Workspace, spec: JudgeSpec, runner: Runner, tell: Tell) -> CaseRun:
        async with AsyncExitStack() as held:
            with self.observer.step("fetch_data"):
                data = await held.enter_async_context(fetch_data(self.data, spec.suite))
            judge = await self._case_judge(held, workspace, spec.checker, runner)
            with self.observer.step("run_cases"):
                return await run_cases(judge, spec.suite, data, tell)

    async def _case_judge(
        self, held: AsyncExitStack, workspace: Workspace, checker: Checker, runner: Runner
    ) -> CaseJudge:
        case_checker: CaseChecker
        if isinstance(checker, ProgramChecker):
            with self.observer.step("prepare_checker"):
                program = await held.enter_async_context(
                    prepared(workspace, checker, self.toolchains, self.data, self.programs)
                )
            if isinstance(program, CompileFailed):
                case_checker = does_not_compile(program)
            elif checker.interactive:
                return await held.enter_async_context(interacting(workspace, runner, program))
            else:
                case_checker = await held.enter_async_context(checking(workspace, program))
        else:
            case_checker = Comparison(checker)
        box = await held.enter_async_context(workspace.box())
        await furnish(box, runner.program)
        return RunAndCheck(box, runner, case_checker)

    def _not_compiled(self, order: JudgeOrder, failed: CompileFailed) -> Judged:
        result = JudgeResult.compile_error(failed.log.decode(errors="replace"))
        return self._kept(order, result, JudgeLogs(order.ref, failed.log))

    def _kept(
        self, order: JudgeOrder, result: JudgeResult, logs: JudgeLogs, *, from_cache: bool = False
    ) -> Judged:
        """A hit has logs of its own too: what it did not run it has not, but its result is there."""
        return Judged(replace(result, log_prefix=self.logs.prefix(order.ref)), logs, from_cache=from_cache)


def _crashed_at_once(cases: CaseRun) -> bool:
    return cases.results[0].verdict is Verdict.RUNTIME_ERROR
