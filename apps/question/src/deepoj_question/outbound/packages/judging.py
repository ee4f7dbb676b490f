"""What decides a verdict: cases, groups, checker and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.allowance import Allowance
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import Checker, Convention, IcpcChecker, ProgramChecker, SourceFile
from deepoj_domain.question.group import Group, GroupScoring, OnReject
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.revision import Judging
from deepoj_domain.question.suite import StopPolicy, Suite
from deepoj_packages.languages import slugs_of
from deepoj_packages.spec import Case as PackageCase
from deepoj_packages.spec import DefaultValidator, OutputValidator, ProblemLimits, ProblemSpec, Program
from deepoj_packages.spec import Group as PackageGroup
from deepoj_packages.spec import GroupScoring as PackageScoring
from deepoj_question.outbound.packages.files import FileIndex

_KIB: Final = 1024
SCORING: Final[Mapping[PackageScoring, GroupScoring]] = {
    PackageScoring.PASS_FAIL: GroupScoring.ALL,
    PackageScoring.MIN: GroupScoring.MIN,
    PackageScoring.SUM: GroupScoring.SUM,
}
# What the format gives a validator that names only some of its limits.
_VALIDATION_SECONDS, _VALIDATION_MIB, _VALIDATION_OUTPUT_MIB = 60, 2048, 8


@dataclass(frozen=True, slots=True)
class Defaults:
    """For a package that leaves them to the judge."""

    time_ms: int
    memory_bytes: int


class JudgingReader:
    def __init__(self, spec: ProblemSpec, files: FileIndex, defaults: Defaults, empty: Path) -> None:
        """`empty` is an empty file, the answer of cases that have none."""
        self.warnings: list[str] = []
        self._spec = spec
        self._files = files
        self._defaults = defaults
        self._empty = empty

    def judging(self) -> Judging:
        spec = self._spec
        # Written once with the checker, and at the cases that differ.
        shared, _ = Counter(case.output_validator_args for case in spec.cases).most_common(1)[0]
        suite = Suite(
            tuple(_group(group) for group in spec.groups),
            tuple(self._case(case, shared) for case in spec.cases),
            StopPolicy.RUN_ALL if spec.runs_all else StopPolicy.FIRST_FAILURE,
        )
        languages = None
        if spec.languages is not None:
            languages = frozenset(language_slug(slug) for code in spec.languages for slug in slugs_of(code))
        return Judging(
            allowance=self._allowance(spec.limits),
            suite=suite,
            checker=self._checker(shared),
            languages=languages,
        )

    def _case(self, case: PackageCase, shared: tuple[str, ...]) -> Case:
        answer = self._empty if case.answer is None else self._spec.path(case.answer)
        own = case.output_validator_args
        return Case(
            name=case.name,
            group=case.group,
            input=self._files.add(self._spec.path(case.input)),
            answer=self._files.add(answer),
            points=Score.points(case.points),
            is_sample=case.is_sample,
            reject_points=Score.points(case.reject_points),
            checker_arguments=None if own == shared else own,
        )

    def _checker(self, arguments: tuple[str, ...]) -> Checker:
        match self._spec.validator:
            case DefaultValidator():
                return IcpcChecker.parse(arguments)
            case OutputValidator() as validator:
                program = validator.program
                # The file it begins with comes first.
                ordered = sorted(program.files, key=lambda file: (file != program.main, file))
                return ProgramChecker(
                    sources=tuple(self._source(program, file) for file in ordered),
                    language=language_slug(slugs_of(program.language)[0]),
                    convention=Convention.ICPC,
                    interactive=validator.interactive,
                    scores=validator.scores,
                    arguments=arguments,
                    limits=_validation_limits(self._spec.limits),
                )

    def _source(self, program: Program, file: PurePosixPath) -> SourceFile:
        name = file.name if file == program.at else str(file.relative_to(program.at))
        return SourceFile(name, self._files.add(self._spec.path(file)))

    def _allowance(self, limits: ProblemLimits) -> Allowance:
        time_ms, memory_mib = limits.time_ms, limits.memory_mib
        if time_ms is None:
            time_ms = self._defaults.time_ms
            self.warnings.append(f"the package names no time limit: it is {time_ms} ms")
        memory = self._defaults.memory_bytes if memory_mib is None else memory_mib * _KIB * _KIB
        return Allowance(
            time_ms=time_ms,
            memory_bytes=memory,
            output_bytes=(limits.output_mib or 0) * _KIB * _KIB,
            source_bytes=(limits.code_kib or 0) * _KIB,
        )


def _group(group: PackageGroup) -> Group:
    return Group(
        group.name,
        Score.points(group.points),
        SCORING[group.scoring],
        depends_on=group.depends_on,
        on_reject=OnReject.BREAK if group.breaks_on_reject else OnReject.CONTINUE,
        unbounded=group.unbounded,
    )


def _validation_limits(limits: ProblemLimits) -> Limits | None:
    given = (limits.validation_time_s, limits.validation_memory_mib, limits.validation_output_mib)
    if given == (None, None, None):
        return None
    cpu_ms = (limits.validation_time_s or _VALIDATION_SECONDS) * 1000
    return Limits(
        cpu_ms=cpu_ms,
        wall_ms=cpu_ms,
        memory_kib=(limits.validation_memory_mib or _VALIDATION_MIB) * _KIB,
        output_kib=(limits.validation_output_mib or _VALIDATION_OUTPUT_MIB) * _KIB,
    )
