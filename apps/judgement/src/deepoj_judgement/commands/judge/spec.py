"""What judging needs to know about one revision of a question."""

from dataclasses import dataclass, field, replace
from typing import Final

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import Checker, Grader, ProgramChecker, all_programs
from deepoj_domain.question.limits import Allowance, Limits
from deepoj_domain.question.revision import Judging
from deepoj_domain.question.submission_form import SubmissionForm
from deepoj_domain.question.suite import Suite
from deepoj_domain.submission.route import Abilities, Needs
from deepoj_judgement.commands.judge.errors import UnableHostError
from deepoj_languages.language import Language

_KIB: Final = 1024
_DEFAULT_OUTPUT_KIB: Final = 16 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpec:
    suite: Suite
    limits: Limits
    checker: Checker
    languages: frozenset[LanguageSlug] | None = None
    """None allows every language."""
    language_limits: tuple[tuple[LanguageSlug, Limits], ...] = ()
    form: SubmissionForm = field(default=SubmissionForm())
    grader: Grader | None = None
    source_checker: ProgramChecker | None = None

    @property
    def programs(self) -> tuple[ProgramChecker | Grader, ...]:
        return all_programs(self.checker, self.grader, self.source_checker)

    def allows(self, language: LanguageSlug) -> bool:
        return self.languages is None or language in self.languages

    def limits_for(self, language: Language) -> Limits:
        """The setter's own limits for a language replace the language's factors."""
        own = dict(self.language_limits).get(language.slug)
        return own or self.limits.scaled(language.time, language.memory)

    def case_limits(self, language: Language, case: Case) -> Limits | None:
        """What a case has instead, with what the language gets more or less everywhere; None: the usual."""
        if not (case.time_ms or case.memory_bytes):
            return None
        usual, common = self.limits_for(language), self.limits
        time = -(-case.time_ms * usual.cpu_ms // common.cpu_ms)
        memory = -(-case.memory_bytes * usual.memory_kib // (common.memory_kib * _KIB))
        return replace(usual, cpu_ms=time or usual.cpu_ms, memory_kib=memory or usual.memory_kib)


def spec_of(judging: Judging) -> JudgeSpec:
    allowance = judging.allowance
    return JudgeSpec(
        suite=judging.suite,
        limits=_limits(allowance),
        checker=judging.checker,
        languages=judging.languages,
        language_limits=tuple(
            (own.language, _limits(allowance, own.time_ms, own.memory_bytes))
            for own in allowance.per_language
        ),
        form=judging.form,
        grader=judging.grader,
        source_checker=judging.source_checker,
    )


def _limits(allowance: Allowance, time_ms: int = 0, memory_bytes: int = 0) -> Limits:
    return Limits(
        cpu_ms=time_ms or allowance.time_ms,
        memory_kib=(memory_bytes or allowance.memory_bytes) // _KIB,
        output_kib=allowance.output_bytes // _KIB or _DEFAULT_OUTPUT_KIB,
        stack_kib=allowance.stack_bytes // _KIB,
        processes=allowance.processes,
    )


def require_able(spec: JudgeSpec, language: Language, abilities: Abilities) -> None:
    needs = _needs_of(spec, language)
    if not abilities.meet(needs):
        raise UnableHostError(needs, abilities)


def _needs_of(spec: JudgeSpec, language: Language) -> Needs:
    of_cases = (spec.case_limits(language, case) for case in spec.suite.cases)
    limits = (spec.limits_for(language), *(each for each in of_cases if each is not None))
    programs = (each.language for each in spec.programs)
    return Needs.of(language.slug, *programs, memory_kib=max(each.memory_kib for each in limits))
