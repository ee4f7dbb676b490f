"""Judge one submission, from the pinned revision and the source to a result."""

from collections.abc import Awaitable, Callable
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
from deepoj_domain.question.suite import Suite
from deepoj_domain.submission.route import Abilities
from deepoj_judgement.commands.judge.describe import Describe
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
from deepoj_judgement.commands.judge.program import CompileFailed, Source
from deepoj_judgement.commands.judge.sandbox_port import RunRef, Sandbox, Workspace
from deepoj_judgement.commands.judge.spec import JudgeSpec, require_able
from deepoj_judgement.commands.judge.steps.aggregate import aggregate_cases
from deepoj_judgement.commands.judge.steps.answers import read_answers
from deepoj_judgement.commands.judge.steps.case_judges import CaseJudges
from deepoj_judgement.commands.judge.steps.compile import compile_source, syntax_error
from deepoj_judgement.commands.judge.steps.fetch import fetch_data, fetch_spec
from deepoj_judgement.commands.judge.steps.grade import graded
from deepoj_judgement.commands.judge.steps.include import include
from deepoj_judgement.commands.judge.steps.judge_cache import recall, remember
from deepoj_judgement.commands.judge.steps.judge_case import CaseJudge
from deepoj_judgement.commands.judge.steps.run_cases import CaseRun, Tell, run_cases, untold
from deepoj_judgement.commands.judge.steps.run_program import Runner
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
    abilities: Callable[[], Abilities] | None = None
    """What this host has, where another one may have more."""
    slack: timedelta = timedelta(minutes=5)
    """How much longer than the time limits of all its cases a judgement may take."""
    describe: Describe | None = None
    """Says what each judgement was made of; None: nobody asks."""

    async def __call__(self, order: JudgeOrder) -> Judged:
        toolchain = self.toolchains.find(order.language)
        with self.observer.step("fetch_spec"):
            spec = await fetch_spec(self.specs, order.revision, order.language)
        if self.abilities is not None:
            require_able(spec, toolchain.language, self.abilities())
        key = JudgementKey(order.revision, order.language, self._identity(toolchain, spec), order.source.hash)
        with self.observer.step("judge_cache"):
            known = None if order.fresh else await recall(self.cache, key, self.observer)
        if known is not None:
            hit = self._kept(order, known, JudgeLogs(order.ref), from_cache=True)
            return self._described(hit, order, spec, toolchain)
        async with capped(spec, toolchain.language, self.slack):
            judge = self._judge_answers if spec.form.answers else self._judge
            judged = await judge(order, spec, toolchain)
        self.observer.judged(judged.result)
        # Whose logs they are is no part of what is the same the next time.
        result = replace(judged.result, log_prefix="")
        judgement_id, now = JudgementId(self.new_id()), self.clock()
        await remember(self.cache, judgement_id, key, result, now, instead=order.fresh)
        return self._described(judged, order, spec, toolchain)

    def _described(self, judged: Judged, order: JudgeOrder, spec: JudgeSpec, toolchain: Toolchain) -> Judged:
        if self.describe is not None and judged.logs is not None:
            checkers = self._checker_toolchains(spec)
            manifest = self.describe(order.revision, order.source, spec, toolchain, checkers)
            manifest = replace(manifest, from_cache=judged.from_cache)
            judged = replace(judged, logs=replace(judged.logs, manifest=manifest))
        return replace(judged, toolchain=toolchain.version)

    def _identity(self, toolchain: Toolchain, spec: JudgeSpec) -> str:
        """A checker program is judged by its toolchain too."""
        return " + ".join((toolchain.identity, *self._checker_toolchains(spec)))

    def _checker_toolchains(self, spec: JudgeSpec) -> tuple[str, ...]:
        return tuple(self.toolchains.find(each.language).identity for each in spec.programs)

    async def _judge(self, order: JudgeOrder, spec: JudgeSpec, toolchain: Toolchain) -> Judged:
        async with self.sandbox.workspace(order.ref) as workspace:
            with self.observer.step("compile"):
                source = await include(self.data, spec.form, toolchain.language, order.source)
                if isinstance(source, CompileFailed):
                    return self._not_compiled(order, source)
                program = await compile_source(workspace, toolchain, source.files, source.entry)
            if isinstance(program, CompileFailed):
                return self._not_compiled(order, program)
            program = replace(program, beside=source.beside)
            runner = Runner(toolchain, program, spec.limits_for(toolchain.language), self.observer)
            cases = await self._run_cases(
                workspace, spec, toolchain, lambda judges: judges.of_program(spec, runner), order.tell
            )
            if _crashed_at_once(spec.suite, cases):
                failed = await syntax_error(workspace, toolchain, source.files)
                if failed is not None:
                    return self._not_compiled(order, failed)
        return self._aggregated(order, spec, cases, program.log)

    async def _judge_answers(self, order: JudgeOrder, spec: JudgeSpec, toolchain: Toolchain) -> Judged:
        answers = read_answers(order.source, spec.suite)
        if isinstance(answers, CompileFailed):
            return self._not_compiled(order, answers)
        async with self.sandbox.workspace(order.ref) as workspace:
            cases = await self._run_cases(
                workspace, spec, toolchain, lambda judges: judges.of_answers(spec, answers), order.tell
            )
        return self._aggregated(order, spec, cases)

    async def _run_cases(
        self,
        workspace: Workspace,
        spec: JudgeSpec,
        toolchain: Toolchain,
        choose: Callable[[CaseJudges], Awaitable[CaseJudge]],
        tell: Tell,
    ) -> CaseRun:
        async with AsyncExitStack() as held:
            with self.observer.step("fetch_data"):
                data = await held.enter_async_context(fetch_data(self.data, spec.suite))
            judges = CaseJudges(self.toolchains, self.data, self.programs, self.observer, workspace, held)
            judge = await choose(judges)
            with self.observer.step("run_cases"):
                done = await run_cases(judge, spec, toolchain.language, data, tell, self.observer.part)
            if spec.grader is None:
                return done
            with self.observer.step("grade"):
                return await graded(done, spec.suite, await judges.grader(spec.grader))

    def _aggregated(self, order: JudgeOrder, spec: JudgeSpec, cases: CaseRun, log: bytes = b"") -> Judged:
        with self.observer.step("aggregate"):
            result = aggregate_cases(spec.suite, cases.results, cases.grades)
        return self._kept(order, result, JudgeLogs(order.ref, log, tuple(cases.logs)))

    def _not_compiled(self, order: JudgeOrder, failed: CompileFailed) -> Judged:
        result = JudgeResult.compile_error(failed.log.decode(errors="replace"))
        return self._kept(order, result, JudgeLogs(order.ref, failed.log))

    def _kept(
        self, order: JudgeOrder, result: JudgeResult, logs: JudgeLogs, *, from_cache: bool = False
    ) -> Judged:
        """A hit has logs of its own too: what it did not run it has not, but its result is there."""
        return Judged(replace(result, log_prefix=self.logs.prefix(order.ref)), logs, from_cache=from_cache)


def _crashed_at_once(suite: Suite, cases: CaseRun) -> bool:
    of_runs = (result for result, case in zip(cases.results, suite.cases, strict=True) if not case.of_source)
    first = next(of_runs, None)
    return first is not None and first.verdict is Verdict.RUNTIME_ERROR
