"""`deepoj judge`: solutions a setter names, each judged as the server would."""

from collections.abc import Sequence
from dataclasses import dataclass

from deepoj_domain.kernel.verdict import Verdict
from deepoj_judgement.commands.setter.events import Finding, Severity
from deepoj_judgement.commands.setter.judge_solution import JudgeSolution, Solution, described
from deepoj_judgement.commands.setter.ports import Emit
from deepoj_judgement.commands.setter.problem import UNKNOWN_LIMIT_MS, Problem


@dataclass(frozen=True, slots=True)
class JudgeSolutions:
    judge: JudgeSolution
    emit: Emit

    async def __call__(self, problem: Problem, solutions: Sequence[Solution], *, all_cases: bool) -> bool:
        """Return whether all of them were accepted."""
        if problem.package.limits.time_ms is None:
            said = f"the package has no time limit; {UNKNOWN_LIMIT_MS // 1000} seconds are allowed"
            self.emit(Finding(Severity.WARNING, "limits", said))
        spec = problem.variant(time_ms=problem.time_ms, run_all=all_cases)
        accepted = True
        for solution in solutions:
            if said := problem.not_allowed(solution.toolchain.language.slug):
                self.emit(Finding(Severity.WARNING, solution.name, said))
            judged = await self.judge(solution, spec)
            self.emit(described(solution, spec, judged))
            accepted = accepted and judged.result.verdict is Verdict.ACCEPTED
        return accepted
