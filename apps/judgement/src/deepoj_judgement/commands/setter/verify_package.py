"""`deepoj verify`: whether everything in a package is as it says."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from deepoj_judgement.commands.judge.judge import Judged
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.setter.check_outputs import CheckOutputs
from deepoj_judgement.commands.setter.errors import SetterFailedError
from deepoj_judgement.commands.setter.events import Finding, Severity, TimeLimit
from deepoj_judgement.commands.setter.expectations import differences, summary
from deepoj_judgement.commands.setter.judge_solution import JudgeSolution, Solution, described
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.open_package import OpenPackage
from deepoj_judgement.commands.setter.ports import Emit, Turn, at_once
from deepoj_judgement.commands.setter.problem import Problem
from deepoj_judgement.commands.setter.time_limit import (
    Measured,
    as_if_limited,
    bounds_from_above,
    bounds_from_below,
    in_base_time,
    is_too_close,
    stretched_ms,
    suggested_ms,
)
from deepoj_judgement.commands.setter.validate_data import ValidateData
from deepoj_packages.data_checks import data_warnings
from deepoj_packages.spec import ProblemSpec, Submission

_LIMIT = "time limit"


@dataclass(frozen=True, slots=True)
class VerifyPackage:
    open: OpenPackage
    validate_data: ValidateData
    check_outputs: CheckOutputs
    judge: JudgeSolution
    choose: ChooseLanguage
    emit: Emit
    turn: Turn = at_once

    async def __call__(self, package: ProblemSpec) -> bool:
        """Raise PackageRefusedError or SetterFailedError when it cannot even be tried."""
        problem = await self.open(package)
        for warning in (*package.warnings, *data_warnings(package)):
            self.emit(Finding(Severity.WARNING, "package", warning))
        for file in package.unused:
            self.emit(Finding(Severity.WARNING, "package", f"nothing uses {file}"))
        ok = await self.turn(lambda: self.validate_data(package))
        ok = await self.turn(lambda: self.check_outputs(problem)) and ok
        return await self._try_all(problem) and ok

    async def _try_all(self, problem: Problem) -> bool:
        ok = True
        lower = [each for each in problem.package.submissions if bounds_from_below(each.expectations)]
        others = [each for each in problem.package.submissions if each not in lower]
        measured: list[Measured] = []
        for submission in lower:
            ok = await self._try(problem, submission, problem.time_ms, measured) and ok
        time_ms = self._time_limit(problem, measured)
        for submission in others:
            ok = await self._try(problem, submission, time_ms, []) and ok
        return ok

    async def _try(
        self, problem: Problem, submission: Submission, time_ms: int, measured: list[Measured]
    ) -> bool:
        solution = self._solution(submission)
        if solution is None:
            return True
        if said := problem.not_allowed(solution.toolchain.language.slug):
            self.emit(Finding(Severity.WARNING, submission.name, said))
        must_be_slow = bounds_from_above(submission.expectations)
        allowed = stretched_ms(time_ms, problem.package.limits) if must_be_slow else time_ms
        variant = problem.variant(time_ms=allowed, run_all=True)
        judged = await self.turn(lambda: self.judge(solution, variant))
        ran = judged.result
        spec = problem.variant(time_ms=time_ms, run_all=True)
        limit_ms = spec.limits_for(solution.toolchain.language).cpu_ms
        result = as_if_limited(spec.suite, ran, limit_ms) if must_be_slow else ran
        if must_be_slow and is_too_close(ran, limit_ms):
            self._warn(f"{submission.name} is too slow by little: it ends within {allowed} ms")
        language = solution.toolchain.language
        measured.append(Measured(solution.name, in_base_time(result.usage.time_ms, language.time_percent)))
        return self._report(solution, submission, spec, replace(judged, result=result))

    def _solution(self, submission: Submission) -> Solution | None:
        try:
            toolchain = self.choose(submission.program.language)
        except SetterFailedError as error:
            self.emit(Finding(Severity.WARNING, submission.name, f"it was not run: {error}"))
            return None
        return Solution(submission.name, submission.program, toolchain)

    def _report(self, solution: Solution, submission: Submission, spec: JudgeSpec, judged: Judged) -> bool:
        problems = differences(submission.expectations, judged.result)
        self.emit(described(solution, spec, judged, summary(submission.expectations), problems))
        return not problems

    def _time_limit(self, problem: Problem, measured: Sequence[Measured]) -> int:
        """The package's, else what the slowest submissions that must be in time ask for."""
        limits = problem.package.limits
        if not measured:
            return problem.time_ms
        slowest = max(measured, key=lambda each: each.time_ms)
        suggested = suggested_ms(measured, limits)
        self.emit(
            TimeLimit(
                current_ms=limits.time_ms,
                suggested_ms=suggested,
                slowest_ms=slowest.time_ms,
                slowest=slowest.name,
            )
        )
        if limits.time_ms is None:
            self._warn(f"the package has no time limit; its submissions suggest {suggested} ms")
            return suggested
        if slowest.time_ms * limits.slowest_accepted_factor > limits.time_ms:
            factor = limits.slowest_accepted_factor
            self._warn(f"{slowest.name} needs {slowest.time_ms} ms; the package wants {factor} times that")
        return limits.time_ms

    def _warn(self, message: str) -> None:
        self.emit(Finding(Severity.WARNING, _LIMIT, message))
