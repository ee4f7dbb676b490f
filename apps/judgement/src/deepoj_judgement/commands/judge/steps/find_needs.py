"""What a judge host must have for a job, now that its revision is known."""

from deepoj_domain.submission.needs import Abilities, Needs
from deepoj_judgement.commands.judge.errors import UnableHostError
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_languages.language import Language


def require_able(spec: JudgeSpec, language: Language, abilities: Abilities) -> None:
    needs = _needs_of(spec, language)
    if not abilities.meet(needs):
        raise UnableHostError(needs, abilities)


def _needs_of(spec: JudgeSpec, language: Language) -> Needs:
    of_cases = (spec.case_limits(language, case) for case in spec.suite.cases)
    limits = (spec.limits_for(language), *(each for each in of_cases if each is not None))
    programs = (each.language for each in spec.programs)
    return Needs.of(language.slug, *programs, memory_kib=max(each.memory_kib for each in limits))
