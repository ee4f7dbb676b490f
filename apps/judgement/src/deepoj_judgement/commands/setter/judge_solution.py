"""Judge one solution with the judging code of the service."""

from collections.abc import Callable
from dataclasses import dataclass, field

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.question.suite import Suite
from deepoj_judgement.commands.failing import SandboxFailedError
from deepoj_judgement.commands.judge import Judge, JudgeOrder
from deepoj_judgement.commands.language import Toolchain
from deepoj_judgement.commands.program import SourceTree
from deepoj_judgement.commands.running import RunRef
from deepoj_judgement.commands.setter.events import CaseRow, GroupRow, SolutionJudged, Working
from deepoj_judgement.commands.setter.failing import Reason, SetterFailedError
from deepoj_judgement.commands.setter.local import LocalSpecs, RunCounter
from deepoj_judgement.commands.setter.ports import Emit, PackageFiles
from deepoj_judgement.commands.spec import JudgeSpec
from deepoj_packages.judging import source_names
from deepoj_packages.spec import Program


@dataclass(frozen=True, slots=True)
class Solution:
    name: str
    program: Program
    toolchain: Toolchain


@dataclass(slots=True)
class JudgeSolution:
    judge: Judge
    specs: LocalSpecs
    files: PackageFiles
    runs: RunCounter
    emit: Emit
    _count: int = field(default=0, init=False)

    async def __call__(self, solution: Solution, spec: JudgeSpec) -> JudgeResult:
        self._count += 1
        self.runs.on_run = self._progress(solution.name, len(spec.suite.cases))
        order = JudgeOrder(
            ref=RunRef(f"solution-{self._count}", 1),
            revision=self.specs.add(spec),
            language=solution.toolchain.language.slug,
            source=self._source(solution.program),
            keep_logs=False,
        )
        try:
            return (await self.judge(order)).result
        except SandboxFailedError as error:
            raise SetterFailedError(Reason.SANDBOX, f"the sandbox failed: {error.detail}") from error

    def _source(self, program: Program) -> SourceTree:
        names = source_names(program).items()
        return SourceTree({name: self.files.blob(file).path.read_bytes() for name, file in names})

    def _progress(self, name: str, cases: int) -> Callable[[], None]:
        done = 0
        self.emit(Working(name, 0, cases))

        def run() -> None:
            nonlocal done
            # A case near the limit runs twice.
            done = min(done + 1, cases)
            self.emit(Working(name, done, cases))

        return run


def described(
    solution: Solution,
    spec: JudgeSpec,
    result: JudgeResult,
    expected: str = "",
    problems: tuple[str, ...] = (),
) -> SolutionJudged:
    language = solution.toolchain.language
    return SolutionJudged(
        name=solution.name,
        language=language.slug,
        verdict=result.verdict,
        score=str(result.score),
        full_score=str(spec.suite.full_score),
        time_ms=result.usage.time_ms,
        time_limit_ms=spec.limits_for(language).cpu_ms,
        memory_kib=result.usage.memory_kib,
        cases=tuple(_case_row(result, at) for at in range(len(result.cases))),
        groups=_group_rows(spec.suite, result),
        message=result.message,
        expected=expected,
        problems=problems,
    )


def _case_row(result: JudgeResult, at: int) -> CaseRow:
    case = result.cases[at]
    return CaseRow(
        name=case.case,
        verdict=case.verdict or "",
        time_ms=case.usage.time_ms,
        memory_kib=case.usage.memory_kib,
        message=case.message,
        exit_code=case.exit_code,
        signal=case.signal,
    )


def _group_rows(suite: Suite, result: JudgeResult) -> tuple[GroupRow, ...]:
    earned = {group.group: str(group.score) for group in result.groups}
    return tuple(
        GroupRow(name=group.name, score=earned.get(group.name, "0"), points=str(group.points))
        for group in suite.groups
    )
