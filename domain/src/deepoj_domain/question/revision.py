from dataclasses import dataclass
from datetime import datetime

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.checker import Checker
from deepoj_domain.question.limits import Factor, Limits
from deepoj_domain.question.suite import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionContent:
    """Everything that can change what a contestant reads or which verdict they get."""

    title: str
    statement: ContentHash
    limits: Limits
    suite: Suite
    checker: Checker
    languages: frozenset[LanguageSlug] | None = None
    """None allows every language that is installed."""
    language_limits: tuple[tuple[LanguageSlug, Limits], ...] = ()
    """The setter's own limits for a language; they replace the language's factors."""

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise InvalidValueError("title_empty", "a question needs a title")
        if self.languages is not None and not self.languages:
            raise InvalidValueError("no_languages", "a question must allow at least one language")

    def allows(self, language: LanguageSlug) -> bool:
        return self.languages is None or language in self.languages

    def limits_for(self, language: LanguageSlug, time: Factor, memory: Factor) -> Limits:
        return dict(self.language_limits).get(language) or self.limits.scaled(time, memory)


@dataclass(frozen=True, slots=True)
class Revision:
    """Never changed once made; an edit makes the next number."""

    ref: RevisionRef
    content: RevisionContent
    created_at: datetime

    def __post_init__(self) -> None:
        require_utc(self.created_at)
