"""What decides a verdict: cases, groups, checker and limits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deepoj_domain.kernel.language import LanguageSlug, language_slug
from deepoj_domain.question.limits import Allowance
from deepoj_domain.question.revision import Judging
from deepoj_packages.judge_data import (
    EMPTY,
    judged_checker,
    judged_form,
    judged_grader,
    judged_source_checker,
    judged_suite,
    judging_programs,
)
from deepoj_packages.languages import slugs_of
from deepoj_packages.spec import ProblemLimits, ProblemSpec, Program
from deepoj_question.outbound.packages.files import FileIndex

_KIB: Final = 1024
_MIB: Final = _KIB * _KIB


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
        spec, content = self._spec, self._files.of(self._spec.root)
        suite = judged_suite(spec, content)
        if any(EMPTY in {case.input, case.answer} for case in suite.cases):
            self._files.add(self._empty)
        return Judging(
            allowance=self._allowance(spec.limits),
            suite=suite,
            checker=judged_checker(spec, content, *map(_language, judging_programs(spec))),
            languages=_languages(spec),
            form=judged_form(spec, content),
            grader=judged_grader(spec, content, _language(spec.grader) if spec.grader else None),
            source_checker=judged_source_checker(
                spec, content, _language(spec.static_validator) if spec.static_validator else None
            ),
        )

    def _allowance(self, limits: ProblemLimits) -> Allowance:
        time_ms, memory_mib = limits.time_ms, limits.memory_mib
        if time_ms is None:
            time_ms = self._defaults.time_ms
            self.warnings.append(f"the package names no time limit: it is {time_ms} ms")
        return Allowance(
            time_ms=time_ms,
            memory_bytes=self._defaults.memory_bytes if memory_mib is None else memory_mib * _MIB,
            output_bytes=(limits.output_mib or 0) * _MIB,
            source_bytes=(limits.code_kib or 0) * _KIB,
        )


def _language(program: Program) -> LanguageSlug:
    return language_slug(slugs_of(program.language)[0])


def _languages(spec: ProblemSpec) -> frozenset[LanguageSlug] | None:
    if spec.languages is None:
        return None
    return frozenset(language_slug(slug) for code in spec.languages for slug in slugs_of(code))
