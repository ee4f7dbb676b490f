"""Judge one submission, from the pinned revision and the source to a result."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from deepoj_domain.judgement.judgement import JudgementKey
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.ids import JudgementId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.checker import ProgramChecker
from deepoj_domain.submission.source import SourceCode
from deepoj_judgement.commands.language import Toolchain
from deepoj_judgement.commands.ports import (
    JudgeCache,
    JudgeLogs,
    LogStore,
    Observer,
    Specs,
    TestData,
    Toolchains,
)
from deepoj_judgement.commands.running import RunRef, Sandbox, Workspace
from deepoj_judgement.commands.spec import JudgeSpec
from deepoj_judgement.commands.steps.aggregate import aggregate_cases
from deepoj_judgement.commands.steps.check import CaseChecker, Comparison
from deepoj_judgement.commands.steps.check_program import prepare_program
from deepoj_judgement.commands.steps.compile import CompileFailed, Program, compile_source
from deepoj_judgement.commands.steps.fetch_data import fetch_data
from deepoj_judgement.commands.steps.fetch_spec import fetch_spec
from deepoj_judgement.commands.steps.judge_cache import recall, remember
from deepoj_judgement.commands.steps.run_cases import CaseRun, run_cases
from deepoj_judgement.commands.steps.run_program import Runner


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOrder:
    ref: RunRef
    revision: RevisionRef
    language: LanguageSlug
    source: SourceCode
    keep_logs: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    result: JudgeResult
    logs: JudgeLogs | None = None
    from_cache: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    specs: Specs
    data: TestData
    cache: JudgeCache
    toolchains: Toolchains
    sandbox: Sandbox
    logs: LogStore
    observer: Observer
    clock: Callable[[], datetime]
    new_id: Callable[[], UUID]

    async def __call__(self, order: JudgeOrder) -> Judged:
        toolchain = self.toolchains.find(order.language)
        with self.observer.step("fetch_spec"):
            spec = await fetch_spec(self.specs, order.revision, order.language)
        key = JudgementKey(order.revision, order.language, toolchain.identity, order.source.hash)
        with self.observer.step("judge_cache"):
            known = await recall(self.cache, key, self.observer)
        if known is not None:
            return Judged(known, from_cache=True)
        judged = await self._judge(order, spec, toolchain)
        self.observer.judged(judged.result)
        await remember(self.cache, JudgementId(self.new_id()), key, judged.result, self.clock())
        return judged

    async def _judge(self, order: JudgeOrder, spec: JudgeSpec, toolchain: Toolchain) -> Judged:
        async with self.sandbox.workspace(order.ref) as workspace:
            with self.observer.step("compile"):
                program = await compile_source(workspace, toolchain, order.source.text.encode())
            if isinstance(program, CompileFailed):
                result = JudgeResult.compile_error(program.log.decode(errors="replace"))
                return self._kept(order, result, program.log)
            cases = await self._run_cases(workspace, spec, toolchain, program)
        with self.observer.step("aggregate"):
            result = aggregate_cases(spec.suite, cases.results)
        return self._kept(order, result, program.log, cases)

    async def _run_cases(
        self, workspace: Workspace, spec: JudgeSpec, toolchain: Toolchain, program: Program
    ) -> CaseRun:
        async with AsyncExitStack() as held:
            with self.observer.step("fetch_data"):
                data = await held.enter_async_context(fetch_data(self.data, spec.suite))
            checker = await self._checker(workspace, spec)
            box = await held.enter_async_context(workspace.box())
            for name, content in program.files.items():
                await box.put(name, content, executable=True)
            runner = Runner(box, toolchain, spec.limits_for(toolchain.language), self.observer)
            with self.observer.step("run_cases"):
                return await run_cases(runner, checker, spec.suite, data)

    async def _checker(self, workspace: Workspace, spec: JudgeSpec) -> CaseChecker:
        if isinstance(spec.checker, ProgramChecker):
            return await prepare_program(workspace, spec.checker, self.toolchains, self.data)
        return Comparison(spec.checker)

    def _kept(
        self, order: JudgeOrder, result: JudgeResult, compile_log: bytes, cases: CaseRun | None = None
    ) -> Judged:
        if not order.keep_logs:
            return Judged(result)
        logs = JudgeLogs(order.ref, compile_log, tuple(cases.logs) if cases else ())
        return Judged(replace(result, log_prefix=self.logs.prefix(order.ref)), logs)
