"""`deepoj verify`: whether everything in a package is as it says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from deepoj_judgement.commands.setter.check_outputs import CheckOutputs
from deepoj_judgement.commands.setter.check_statements import CheckStatements
from deepoj_judgement.commands.setter.duplicate_tests import duplicate_tests
from deepoj_judgement.commands.setter.events import Cost, Finding, Note, Severity
from deepoj_judgement.commands.setter.expectations import must_be_right
from deepoj_judgement.commands.setter.narrow import narrowed
from deepoj_judgement.commands.setter.open_package import OpenPackage
from deepoj_judgement.commands.setter.ports import Emit, PackageFiles
from deepoj_judgement.commands.setter.problem import Problem
from deepoj_judgement.commands.setter.strength import strength_of
from deepoj_judgement.commands.setter.tally import Tally
from deepoj_judgement.commands.setter.try_mutants import TryMutants
from deepoj_judgement.commands.setter.try_submissions import Tried, TrySubmissions
from deepoj_judgement.commands.setter.validate_data import ValidateData
from deepoj_judgement.commands.setter.verify_options import EVERYTHING, Part, VerifyOptions
from deepoj_packages.data_checks import data_warnings
from deepoj_packages.spec import ProblemSpec, Submission


@dataclass(frozen=True, slots=True)
class VerifyPackage:
    open: OpenPackage
    validate_data: ValidateData
    check_outputs: CheckOutputs
    check_statements: CheckStatements
    try_submissions: TrySubmissions
    try_mutants: TryMutants
    files: PackageFiles
    tally: Tally
    seconds: Callable[[], float]
    emit: Emit

    async def __call__(self, package: ProblemSpec, options: VerifyOptions = EVERYTHING) -> bool:
        """Raise PackageRefusedError or SetterFailedError when it cannot even be tried."""
        begun, parts = self.seconds(), options.parts
        problem = await self.open(narrowed(package, options))
        for warning in package.warnings:
            self._warn("package", warning)
        ok = await self._data(problem, parts)
        if Part.STATEMENT in parts:
            await self.check_statements(package)
        tried = await self._submissions(problem, options)
        ok = ok and not any(each.event.problems for each in tried)
        self._cost(problem, tried, self.seconds() - begun)
        return ok

    async def _data(self, problem: Problem, parts: frozenset[Part]) -> bool:
        package, ok = problem.package, True
        if Part.VALIDATORS in parts:
            for warning in data_warnings(package):
                self._warn("package", warning)
            for file in package.unused:
                self._warn("package", f"nothing uses {file}")
            for finding in duplicate_tests(package, self.files.content):
                self.emit(finding)
                ok = ok and not _is_error(finding)
            ok = await self.validate_data(package) and ok
        if parts & {Part.VALIDATORS, Part.ANSWERS}:
            ok = await self.check_outputs(problem, parts) and ok
        return ok

    async def _submissions(self, problem: Problem, options: VerifyOptions) -> list[Tried]:
        parts, package = options.parts, problem.package
        chosen = _main(package) if Part.ANSWERS in parts else ()
        if Part.ANSWERS in parts and not chosen and not options.submissions:
            self._warn("answers", "no submission is said to be right, so nobody confirms them")
        if parts & {Part.SUBMISSIONS, Part.STRENGTH}:
            chosen = package.submissions
        tried, time_ms = await self.try_submissions(problem, chosen)
        if Part.STRENGTH in parts:
            self.emit(strength_of([each.event for each in tried], [case.name for case in package.cases]))
            if options.mutants:
                quick = sorted(_right(tried), key=lambda each: each.event.time_ms)
                solutions = [each.solution for each in quick]
                await self.try_mutants(problem, solutions, options.mutants, time_ms)
        return tried

    def _cost(self, problem: Problem, tried: Sequence[Tried], seconds: float) -> None:
        needs = {each.event.name: sum(case.time_ms for case in each.event.cases) for each in _right(tried)}
        dearest = max(needs, key=lambda name: needs[name], default="")
        files = [file for case in problem.package.cases for file in (case.input, case.answer) if file]
        self.emit(
            Cost(
                dearest=dearest,
                judging_ms=needs.get(dearest, 0),
                verifying_ms=self.tally.cpu_ms,
                seconds=round(seconds, 1),
                cases=len(problem.package.cases),
                data_bytes=sum(self.files.blob(file).size for file in files),
            )
        )

    def _warn(self, about: str, message: str) -> None:
        self.emit(Finding(Severity.WARNING, about, message))


def _is_error(event: Finding | Note) -> bool:
    return isinstance(event, Finding) and event.severity is Severity.ERROR


def _main(package: ProblemSpec) -> tuple[Submission, ...]:
    """The one the package calls its model, else the first that must be right."""
    right = [each for each in package.submissions if must_be_right(each.expectations)]
    return tuple(sorted(right, key=lambda each: not each.model_solution)[:1])


def _right(tried: Sequence[Tried]) -> list[Tried]:
    return [each for each in tried if must_be_right(each.submission.expectations) and not each.event.problems]
