"""A package as the judge sees it, and the variants a setter wants it judged in."""

from dataclasses import dataclass, replace

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.suite import StopPolicy
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.ports import PackageFiles
from deepoj_packages.judge_data import (
    judged_checker,
    judged_form,
    judged_grader,
    judged_languages,
    judged_limits,
    judged_source_checker,
    judged_suite,
    judging_programs,
)
from deepoj_packages.spec import ProblemSpec, Program

UNKNOWN_LIMIT_MS = 10_000
"""Without a time limit, programs get this much while one is looked for."""


@dataclass(frozen=True, slots=True)
class Problem:
    package: ProblemSpec
    spec: JudgeSpec
    """As the server would judge it."""

    def variant(self, *, time_ms: int, run_all: bool) -> JudgeSpec:
        suite = self.spec.suite
        if run_all:
            suite = replace(suite, stop=StopPolicy.RUN_ALL)
        return replace(self.spec, suite=suite, limits=replace(self.spec.limits, cpu_ms=time_ms))

    def not_allowed(self, language: LanguageSlug) -> str:
        """A warning for a solution that a server would refuse; empty when it would not."""
        allowed = judged_languages(self.package)
        if allowed is None or language in allowed:
            return ""
        return f"the package does not allow {language}, so a server would refuse it"

    @property
    def time_ms(self) -> int:
        return self.package.limits.time_ms or UNKNOWN_LIMIT_MS


def understand(package: ProblemSpec, files: PackageFiles, choose: ChooseLanguage) -> Problem:
    """Raise PackageRefusedError or SetterFailedError."""

    def slug_of(program: Program | None) -> LanguageSlug | None:
        return None if program is None else choose(program.language).language.slug

    languages = (choose(program.language).language.slug for program in judging_programs(package))
    spec = JudgeSpec(
        suite=judged_suite(package, files.content),
        limits=judged_limits(package.limits, package.limits.time_ms or UNKNOWN_LIMIT_MS),
        checker=judged_checker(package, files.content, *languages),
        form=judged_form(package, files.content),
        grader=judged_grader(package, files.content, slug_of(package.grader)),
        source_checker=judged_source_checker(package, files.content, slug_of(package.static_validator)),
    )
    return Problem(package, spec)
