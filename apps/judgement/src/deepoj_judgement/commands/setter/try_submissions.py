"""Judge example submissions, and see whether each does what its package says."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from deepoj_judgement.commands.judge.judge import Judged
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.setter.crew import Crew
from deepoj_judgement.commands.setter.errors import SetterFailedError
from deepoj_judgement.commands.setter.events import Finding, Severity, SolutionJudged, TimeLimit
from deepoj_judgement.commands.setter.expectations import differences, summary
from deepoj_judgement.commands.setter.judge_solution import JudgeSolution, Solution, described
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.ports import Emit
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
from deepoj_packages.spec import Submission

_LIMIT = "time limit"


@dataclass(frozen=True, slots=True)
class Tried:
    submission: Submission
    solution: Solution
    event: SolutionJudged
    measured: Measured


@dataclass(frozen=True, slots=True)
class TrySubmissions:
    judge: JudgeSolution
    choose: ChooseLanguage
    crew: Crew
    emit: Emit

    async def __call__(self, problem: Problem, submissions: Sequence[Submission]) -> tuple[list[Tried], int]:
        """Return what became of those that could be run, and the time limit they were judged by."""
        lower = [each for each in submissions if bounds_from_below(each.expectations)]
        others = [each for each in submissions if each not in lower]
        tried = await self._try_all(problem, lower, problem.time_ms)
        time_ms = self._time_limit(problem, [each.measured for each in tried])
        return tried + await self._try_all(problem, others, time_ms), time_ms

    async def _try_all(
        self, problem: Problem, submissions: Sequence[Submission], time_ms: int
    ) -> list[Tried]:
        chosen = [(each, solution) for each in submissions if (solution := self._solution(problem, each))]
        variants = [self._variant(problem, submission, time_ms) for submission, _ in chosen]
        return await self.crew.do_then(
            [partial(self.judge, pair[1], spec) for pair, spec in zip(chosen, variants, strict=True)],
            lambda at, judged: self._tried(problem, *chosen[at], time_ms, judged),
        )

    def _variant(self, problem: Problem, submission: Submission, time_ms: int) -> JudgeSpec:
        must_be_slow = bounds_from_above(submission.expectations)
        allowed = stretched_ms(time_ms, problem.package.limits) if must_be_slow else time_ms
        return problem.variant(time_ms=allowed, run_all=True)

    def _tried(
        self, problem: Problem, submission: Submission, solution: Solution, time_ms: int, judged: Judged
    ) -> Tried:
        spec, language = problem.variant(time_ms=time_ms, run_all=True), solution.toolchain.language
        limit_ms = spec.limits_for(language).cpu_ms
        if bounds_from_above(submission.expectations):
            if is_too_close(judged.result, limit_ms):
                allowed = stretched_ms(time_ms, problem.package.limits)
                self._warn(f"{submission.name} is too slow by little: it ends within {allowed} ms")
            judged = replace(judged, result=as_if_limited(spec.suite, judged.result, limit_ms))
        problems = differences(submission.expectations, judged.result)
        event = described(solution, spec, judged, summary(submission.expectations), problems)
        self.emit(event)
        used_ms = in_base_time(judged.result.usage.time_ms, language.time_percent)
        return Tried(submission, solution, event, Measured(solution.name, used_ms))

    def _solution(self, problem: Problem, submission: Submission) -> Solution | None:
        try:
            toolchain = self.choose(submission.program.language)
        except SetterFailedError as error:
            self.emit(Finding(Severity.WARNING, submission.name, f"it was not run: {error}"))
            return None
        if said := problem.not_allowed(toolchain.language.slug):
            self.emit(Finding(Severity.WARNING, submission.name, said))
        return Solution(submission.name, submission.program, toolchain)

    def _time_limit(self, problem: Problem, measured: Sequence[Measured]) -> int:
        """The package's, else what the slowest submissions that must be in time ask for."""
        limits = problem.package.limits
        if not measured:
            return problem.time_ms
        slowest = max(measured, key=lambda each: each.time_ms)
        suggested = suggested_ms(measured, limits)
        used_ms = suggested if limits.time_ms is None else limits.time_ms
        self.emit(
            TimeLimit(
                current_ms=limits.time_ms,
                suggested_ms=suggested,
                slowest_ms=slowest.time_ms,
                slowest=slowest.name,
                used_ms=used_ms,
                room_factor=str(limits.slowest_accepted_factor),
                clear_factor=str(limits.fastest_rejected_factor),
            )
        )
        if limits.time_ms is None:
            self._warn(f"the package has no time limit; its submissions suggest {suggested} ms")
        elif slowest.time_ms * limits.slowest_accepted_factor > limits.time_ms:
            factor = limits.slowest_accepted_factor
            self._warn(f"{slowest.name} needs {slowest.time_ms} ms; the package wants {factor} times that")
        return used_ms

    def _warn(self, message: str) -> None:
        self.emit(Finding(Severity.WARNING, _LIMIT, message))
