"""Change the main solution a little, many times: tests that notice nothing may lack something."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.verdict import Verdict
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.setter.crew import Crew
from deepoj_judgement.commands.setter.events import MutantJudged, Note
from deepoj_judgement.commands.setter.judge_solution import JudgeSolution, Solution
from deepoj_judgement.commands.setter.mutants import Mutant, mutants
from deepoj_judgement.commands.setter.ports import Emit, PackageFiles
from deepoj_judgement.commands.setter.problem import Problem

_ABOUT = "strength"


@dataclass(frozen=True, slots=True)
class TryMutants:
    judge: JudgeSolution
    files: PackageFiles
    crew: Crew
    emit: Emit

    async def __call__(
        self, problem: Problem, solutions: Sequence[Solution], most: int, time_ms: int
    ) -> None:
        """Use the first of these right solutions whose language has rules."""
        for solution in solutions:
            text = self.files.blob(solution.program.main).path.read_bytes().decode(errors="replace")
            if made := mutants(text, solution.toolchain.language.slug, most):
                await self._judge(solution, made, problem.variant(time_ms=time_ms, run_all=False))
                return
        said = "no right submission is in a language that mutants can be made of: C, C++, Java, Python"
        self.emit(Note(_ABOUT, said))

    async def _judge(self, solution: Solution, made: Sequence[Mutant], spec: JudgeSpec) -> None:
        works = [partial(self.judge, _changed(solution, each), spec) for each in made]
        await self.crew.do_then(works, lambda at, judged: self._tell(solution, made[at], judged.result))

    def _tell(self, solution: Solution, mutant: Mutant, result: JudgeResult) -> None:
        if result.verdict is Verdict.COMPILE_ERROR:
            # Not even a program: the tests have nothing to notice.
            return
        failed = (case.case for case in result.cases if case.verdict not in {None, Verdict.ACCEPTED})
        self.emit(
            MutantJudged(
                of=solution.name,
                line=mutant.line,
                change=mutant.change,
                verdict=result.verdict,
                survived=result.verdict is Verdict.ACCEPTED,
                caught_by=next(failed, ""),
            )
        )


def _changed(solution: Solution, mutant: Mutant) -> Solution:
    return replace(solution, name=f"{solution.name}, line {mutant.line}", main_text=mutant.text)
