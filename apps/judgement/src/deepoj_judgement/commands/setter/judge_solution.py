"""Judge one solution with the judging code of the service."""

from dataclasses import dataclass, field

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.suite import Suite
from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.commands.judge.errors import JudgingFailedError
from deepoj_judgement.commands.judge.judge import Judged, JudgeOne, JudgeOrder
from deepoj_judgement.commands.judge.program import Source, SourceTree
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.setter.events import CaseRow, GroupRow, SolutionJudged, Working
from deepoj_judgement.commands.setter.ports import Emit, PackageFiles
from deepoj_judgement.commands.setter.problem_variants import ProblemVariants
from deepoj_packages.judge_data import entry_name, source_names
from deepoj_packages.spec import Program

_STDERR_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Solution:
    name: str
    program: Program
    toolchain: Toolchain
    main_text: str | None = None
    """What its main file says instead of what lies there."""


@dataclass(slots=True)
class JudgeSolution:
    judge: JudgeOne
    specs: ProblemVariants
    files: PackageFiles
    emit: Emit
    _count: int = field(default=0, init=False)

    async def __call__(self, solution: Solution, spec: JudgeSpec) -> Judged:
        """Whatever one solution does, the others are judged: what cannot be is a system error of its own."""
        self._count += 1
        self.emit(Working(solution.name, 0, len(spec.suite.cases)))
        order = JudgeOrder(
            ref=RunRef(f"solution-{self._count}", 1),
            revision=self.specs.add(spec),
            language=solution.toolchain.language.slug,
            source=self._answers(solution.program) if spec.form.answers else self._source(solution),
            tell=lambda results, total: self.emit(Working(solution.name, len(results), total)),
        )
        try:
            return await self.judge(order)
        except JudgingFailedError as error:
            return Judged(JudgeResult.system_error(f"it could not be judged: {error.detail}"))

    def _source(self, solution: Solution) -> SourceTree:
        names, entry = source_names(solution.program).items(), entry_name(solution.program)
        contents = {name: self.files.blob(file).path.read_bytes() for name, file in names}
        if solution.main_text is not None:
            contents[entry] = solution.main_text.encode()
        return SourceTree(contents, entry)

    def _answers(self, program: Program) -> Source:
        """One file is the text that people send; several are named like their cases."""
        contents = {file: self.files.blob(file).path.read_bytes() for file in program.files}
        if len(contents) == 1:
            text = b"".join(contents.values()).decode(errors="replace")
            return SourceCode(text, hash_of(text.encode()))
        return SourceTree({str(file.relative_to(program.at)): each for file, each in contents.items()})


def described(
    solution: Solution,
    spec: JudgeSpec,
    judged: Judged,
    expected: str = "",
    problems: tuple[str, ...] = (),
) -> SolutionJudged:
    language, result, errors = solution.toolchain.language, judged.result, _errors(judged)
    return SolutionJudged(
        name=solution.name,
        language=language.slug,
        verdict=result.verdict,
        score=str(result.score),
        full_score=str(spec.suite.full_score),
        time_ms=result.usage.time_ms,
        time_limit_ms=spec.limits_for(language).cpu_ms,
        memory_kib=result.usage.memory_kib,
        cases=tuple(_case_row(result, at, errors.get(at, "")) for at in range(len(result.cases))),
        groups=_group_rows(spec.suite, result),
        message=result.message,
        expected=expected,
        problems=problems,
    )


def _errors(judged: Judged) -> dict[int, str]:
    """What was heard of the cases, by their place."""
    logs = judged.logs.cases if judged.logs else ()
    return {log.number - 1: log.stderr[-_STDERR_BYTES:].decode(errors="replace") for log in logs}


def _case_row(result: JudgeResult, at: int, stderr: str) -> CaseRow:
    case = result.cases[at]
    return CaseRow(
        name=case.case,
        verdict=case.verdict or "",
        time_ms=case.usage.time_ms,
        memory_kib=case.usage.memory_kib,
        message=case.message,
        exit_code=case.exit_code,
        signal=case.signal,
        stderr=stderr if case.verdict is Verdict.RUNTIME_ERROR else "",
    )


def _group_rows(suite: Suite, result: JudgeResult) -> tuple[GroupRow, ...]:
    earned = {group.group: str(group.score) for group in result.groups}
    return tuple(
        GroupRow(name=unit.name, score=earned.get(unit.name, "0"), points=str(unit.points))
        for unit in suite.units
    )
