"""Ask the output validator about outputs whose judgement is known: the package's examples and the samples."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import ProgramChecker
from deepoj_judgement.commands.judge.ports import Programs, TestData, Toolchains
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.sandbox_port import RunRef, Sandbox
from deepoj_judgement.commands.judge.steps.check import CaseChecker, Comparison, Task
from deepoj_judgement.commands.judge.steps.check_program import checking, does_not_compile
from deepoj_judgement.commands.judge.steps.prepare_checker import prepared
from deepoj_judgement.commands.setter.events import Finding, Severity
from deepoj_judgement.commands.setter.ports import Emit, PackageFiles
from deepoj_judgement.commands.setter.problem import Problem
from deepoj_packages.judge_data import shared_arguments
from deepoj_packages.spec import OutputExample, ProblemSpec

_ABOUT = "output validator"


@dataclass(frozen=True, slots=True)
class CheckOutputs:
    sandbox: Sandbox
    toolchains: Toolchains
    data: TestData
    programs: Programs
    files: PackageFiles
    emit: Emit

    async def __call__(self, problem: Problem) -> bool:
        if problem.package.interactive:
            return True
        ok = True
        async with self._checker(problem) as checker:
            for example in _examples(problem.package):
                checked = await checker.check(
                    self._task(problem.package, example), self.files.blob(example.output)
                )
                wanted = CheckerWord.RIGHT if example.valid else CheckerWord.WRONG
                if checked.word is not wanted:
                    ok = False
                    meant = "accepted" if example.valid else "rejected"
                    said = f": {checked.message}" if checked.message else ""
                    self._complain(f"{example.output} should be {meant}, and is {checked.word}{said}")
        return ok

    @asynccontextmanager
    async def _checker(self, problem: Problem) -> AsyncIterator[CaseChecker]:
        checker = problem.spec.checker
        if not isinstance(checker, ProgramChecker):
            yield Comparison(checker)
            return
        async with AsyncExitStack() as held:
            workspace = await held.enter_async_context(self.sandbox.workspace(RunRef("output-validator", 1)))
            program = await held.enter_async_context(
                prepared(workspace, checker, self.toolchains, self.data, self.programs)
            )
            if isinstance(program, CompileFailed):
                self._complain(does_not_compile(program).reason)
                yield does_not_compile(program)
            else:
                yield await held.enter_async_context(checking(workspace, program))

    def _task(self, package: ProblemSpec, example: OutputExample) -> Task:
        own = example.output_validator_args
        case = Case(
            name=example.name,
            group=example.name,
            input=self.files.content(example.input),
            answer=self.files.content(example.answer),
            checker_arguments=None if own == shared_arguments(package) else own,
        )
        return Task(case, self.files.blob(example.input), self.files.blob(example.answer), None, scored=False)

    def _complain(self, message: str) -> None:
        self.emit(Finding(Severity.ERROR, _ABOUT, message))


def _examples(package: ProblemSpec) -> list[OutputExample]:
    """A sample's shown output must be right too."""
    cases = {case.name: case for case in package.cases}
    shown: list[OutputExample] = []
    for sample in package.samples:
        case = cases.get(sample.name)
        if case and case.answer and sample.output and _is_checked(sample.output):
            shown.append(
                OutputExample(
                    name=sample.name,
                    input=case.input,
                    answer=case.answer,
                    output=sample.output,
                    valid=True,
                    output_validator_args=case.output_validator_args,
                )
            )
    return [*shown, *package.output_examples]


def _is_checked(output: PurePosixPath) -> bool:
    """The format lets `.ans.statement` show anything."""
    return not output.name.endswith(".statement")
