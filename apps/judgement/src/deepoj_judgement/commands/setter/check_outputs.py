"""Ask the output validator about outputs whose judgement is known: examples, samples, answers and junk."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import ProgramChecker
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.ports import Programs, TestData, Toolchains
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.sandbox_port import RunRef, Sandbox
from deepoj_judgement.commands.judge.steps.check import CaseChecker, Comparison, Task
from deepoj_judgement.commands.judge.steps.check_program import checking, does_not_compile
from deepoj_judgement.commands.judge.steps.prepare_checker import prepared
from deepoj_judgement.commands.setter.crew import Crew
from deepoj_judgement.commands.setter.events import Finding, Severity, Working
from deepoj_judgement.commands.setter.output_questions import Question, examples, junk, own_answers
from deepoj_judgement.commands.setter.ports import Emit, PackageFiles
from deepoj_judgement.commands.setter.problem import Problem
from deepoj_judgement.commands.setter.run_validator import content_of
from deepoj_judgement.commands.setter.verify_options import Part
from deepoj_packages.judge_data import shared_arguments
from deepoj_packages.spec import ProblemSpec

OUTPUTS = "output validator"
_NAMED = 3
_SAID, _LOG = 500, 4000
_HEAD_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class CheckOutputs:
    sandbox: Sandbox
    toolchains: Toolchains
    data: TestData
    programs: Programs
    files: PackageFiles
    crew: Crew
    emit: Emit

    async def __call__(self, problem: Problem, parts: frozenset[Part]) -> bool:
        """Return whether it says of each what it should."""
        if problem.package.interactive or problem.package.passes > 1:
            return True
        questions = self._questions(problem, parts)
        told: set[str] = set()
        shares = self.crew.shares(questions)
        works = [partial(self._ask, problem, share, told, len(questions)) for share in shares]
        found: dict[str, Checked] = {}
        for share in await self.crew.do(works):
            if isinstance(share, CompileFailed):
                self._find(Severity.ERROR, does_not_compile(share).reason[:_LOG])
                return False
            found |= share
        ok = True
        for question in questions:
            ok = self._is_as_wanted(question, found[question.name]) and ok
        self._warn_of_junk_that_is_taken(questions, found)
        return ok

    def _questions(self, problem: Problem, parts: frozenset[Part]) -> list[Question]:
        package = problem.package
        asked = examples(package) if Part.VALIDATORS in parts else []
        if not isinstance(problem.spec.checker, ProgramChecker):
            # To our own ones each answer is equal to itself.
            return asked
        if Part.ANSWERS in parts:
            asked += own_answers(package)
        if Part.VALIDATORS in parts:
            asked += junk(package, self._head)
        return asked

    def _head(self, file: PurePosixPath) -> bytes:
        with self.files.blob(file).open() as content:
            return content.read(_HEAD_BYTES)

    async def _ask(
        self, problem: Problem, questions: Sequence[Question], told: set[str], total: int
    ) -> dict[str, Checked] | CompileFailed:
        said: dict[str, Checked] = {}
        async with AsyncExitStack() as held:
            workspace = await held.enter_async_context(self.sandbox.workspace(RunRef("output-validator", 1)))
            checker = await held.enter_async_context(self._checker(problem))
            if isinstance(checker, CompileFailed):
                return checker
            for question in questions:
                output = await content_of(question.output, self.files, workspace)
                said[question.name] = await checker.check(self._task(problem.package, question), output)
                told.add(question.name)
                self.emit(Working(OUTPUTS, len(told), total))
        return said

    @asynccontextmanager
    async def _checker(self, problem: Problem) -> AsyncIterator[CaseChecker | CompileFailed]:
        checker = problem.spec.checker
        if not isinstance(checker, ProgramChecker):
            yield Comparison(checker)
            return
        async with AsyncExitStack() as held:
            workspace = await held.enter_async_context(self.sandbox.workspace(RunRef("output-validator", 2)))
            program = await held.enter_async_context(
                prepared(workspace, checker, self.toolchains, self.data, self.programs)
            )
            if isinstance(program, CompileFailed):
                yield program
            else:
                yield await held.enter_async_context(checking(workspace, program))

    def _task(self, package: ProblemSpec, question: Question) -> Task:
        own = question.arguments
        case = Case(
            name=question.name,
            group=question.name,
            input=self.files.content(question.input),
            answer=self.files.content(question.answer),
            checker_arguments=None if own == shared_arguments(package) else own,
        )
        given, answer = self.files.blob(question.input), self.files.blob(question.answer)
        return Task(case, given, answer, None, scored=False)

    def _is_as_wanted(self, question: Question, checked: Checked) -> bool:
        said = f": {checked.message[:_SAID]}" if checked.message else ""
        if question.valid is None:
            if checked.word is CheckerWord.BROKEN:
                self._find(Severity.ERROR, f"{question.name}, and it breaks{said}")
            return checked.word is not CheckerWord.BROKEN
        if checked.word is (CheckerWord.RIGHT if question.valid else CheckerWord.WRONG):
            return True
        meant = "accepted" if question.valid else "rejected"
        self._find(Severity.ERROR, f"{question.name} should be {meant}, and is {checked.word}{said}")
        return False

    def _warn_of_junk_that_is_taken(self, questions: Sequence[Question], found: dict[str, Checked]) -> None:
        taken = [
            question.name
            for question in questions
            if question.valid is None and found[question.name].word is CheckerWord.RIGHT
        ]
        if taken:
            more = f" and {len(taken) - _NAMED} more" if len(taken) > _NAMED else ""
            self._find(Severity.WARNING, f"it accepts {', '.join(taken[:_NAMED])}{more}")

    def _find(self, severity: Severity, message: str) -> None:
        self.emit(Finding(severity, OUTPUTS, message))
