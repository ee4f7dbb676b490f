"""What judging needs to know about one revision of a question."""

from dataclasses import dataclass

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.checker import Checker
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.suite import Suite
from deepoj_judgement.commands.language import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpec:
    suite: Suite
    limits: Limits
    checker: Checker
    languages: frozenset[LanguageSlug] | None = None
    """None allows every language."""
    language_limits: tuple[tuple[LanguageSlug, Limits], ...] = ()

    def allows(self, language: LanguageSlug) -> bool:
        return self.languages is None or language in self.languages

    def limits_for(self, language: Language) -> Limits:
        """The setter's own limits for a language replace the language's factors."""
        own = dict(self.language_limits).get(language.slug)
        return own or self.limits.scaled(language.time, language.memory)
