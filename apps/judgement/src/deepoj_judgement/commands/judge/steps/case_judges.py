"""Who judges the cases of a submission: that depends on what is submitted, and on the checker."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

from deepoj_domain.question.checker import Checker, Grader, ProgramChecker
from deepoj_domain.question.submission_form import FileNames
from deepoj_judgement.commands.judge.ports import Observer, Programs, TestData, Toolchains
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.sandbox_port import Workspace
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.steps.answers import Answered
from deepoj_judgement.commands.judge.steps.check import All, CaseChecker, Comparison, Watched
from deepoj_judgement.commands.judge.steps.check_program import checking, does_not_compile
from deepoj_judgement.commands.judge.steps.check_source import SourceOrOutput, Submitted, checking_source
from deepoj_judgement.commands.judge.steps.grade import Ask, grading, unable
from deepoj_judgement.commands.judge.steps.interact import interacting
from deepoj_judgement.commands.judge.steps.judge_case import CaseJudge, running
from deepoj_judgement.commands.judge.steps.prepare_checker import CheckerProgram, built, prepared
from deepoj_judgement.commands.judge.steps.read_again import ReadAgain, Unchecked
from deepoj_judgement.commands.judge.steps.repeat import Repeated
from deepoj_judgement.commands.judge.steps.run_program import Runner


@dataclass(frozen=True, slots=True)
class CaseJudges:
    """Boxes and programs are held for as long as `held` is open."""

    toolchains: Toolchains
    data: TestData
    programs: Programs
    observer: Observer
    workspace: Workspace
    held: AsyncExitStack

    async def of_answers(self, spec: JudgeSpec, answers: Mapping[str, bytes]) -> CaseJudge:
        nothing = await self.workspace.file("nothing", b"")
        return Answered(answers, await self._checker(spec.checker), self.workspace.file, nothing)

    async def of_program(self, spec: JudgeSpec, runner: Runner) -> CaseJudge:
        judge = await self._of_output(spec, runner)
        if spec.source_checker is None:
            return judge
        by = await self._source_checker(spec.source_checker, Submitted.of(runner))
        return SourceOrOutput(judge, by, await self.workspace.file("nothing", b""))

    async def _source_checker(self, checker: ProgramChecker, submitted: Submitted) -> CaseChecker:
        program = await self._prepared(checker)
        if isinstance(program, CompileFailed):
            return does_not_compile(program)
        by = checking_source(self.workspace, program, submitted)
        return Watched(await self.held.enter_async_context(by), self.observer)

    async def _of_output(self, spec: JudgeSpec, runner: Runner) -> CaseJudge:
        checker = spec.checker
        passes = checker.passes if isinstance(checker, ProgramChecker) else 1
        judge = await self._of_talk(checker, runner) if isinstance(checker, ProgramChecker) else None
        if judge is not None and isinstance(checker, ProgramChecker) and checker.reads_again:
            return judge
        if judge is None:
            by = await self._checker(checker)
            once = running(self.workspace, runner, spec.form.file_names, by)
            judge = await self.held.enter_async_context(once)
        return judge if passes == 1 else Repeated(judge, passes, self.workspace.file)

    async def _of_talk(self, checker: ProgramChecker, runner: Runner) -> CaseJudge | None:
        """None when there is no talk: an interactor that does not compile is as broken as a checker."""
        program = await self._prepared(checker) if checker.interactive else None
        if not isinstance(program, CheckerProgram):
            return None
        after = None if checker.checker is None else await self._checker(checker.checker)
        if after is None or not checker.reads_again:
            return await self.held.enter_async_context(interacting(self.workspace, runner, program, after))
        return ReadAgain(
            await self.held.enter_async_context(interacting(self.workspace, runner, program)),
            await self.held.enter_async_context(running(self.workspace, runner, FileNames(), Unchecked())),
            after,
            await self.workspace.file("nothing", b""),
        )

    async def _checker(self, checker: Checker) -> CaseChecker:
        if not isinstance(checker, ProgramChecker):
            return Comparison(checker)
        if checker.also:
            return All([await self._checker(each) for each in (replace(checker, also=()), *checker.also)])
        program = await self._prepared(checker)
        if isinstance(program, CompileFailed):
            return does_not_compile(program)
        checker_run = await self.held.enter_async_context(checking(self.workspace, program))
        return Watched(checker_run, self.observer)

    async def grader(self, grader: Grader) -> Ask:
        toolchain = self.toolchains.find(grader.language)
        program = await self.held.enter_async_context(
            built(self.workspace, grader.sources, toolchain, self.data, self.programs)
        )
        if isinstance(program, CompileFailed):
            return unable(program)
        return await self.held.enter_async_context(grading(self.workspace, toolchain, program, grader.limits))

    async def _prepared(self, checker: ProgramChecker) -> CheckerProgram | CompileFailed:
        with self.observer.step("prepare_checker"):
            return await self.held.enter_async_context(
                prepared(self.workspace, checker, self.toolchains, self.data, self.programs)
            )
