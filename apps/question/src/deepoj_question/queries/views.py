"""What is shown of questions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.paging import Page
from deepoj_domain.question.limits import Allowance
from deepoj_domain.question.listing import Listing, Tag
from deepoj_domain.question.presentation import Presentation
from deepoj_domain.question.question import Publication, Question


@dataclass(frozen=True, slots=True)
class LocalTitle:
    locale: str
    title: str


@dataclass(frozen=True, slots=True)
class TagCount:
    tag: Tag
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """As it stands in a list."""

    id: QuestionId
    owner: AccountId
    enabled: bool
    listing: Listing
    title: str
    titles: tuple[LocalTitle, ...]
    revision: int
    """The newest one, or the one that was asked for."""
    created_at: datetime
    updated_at: datetime
    version: int


@dataclass(frozen=True, slots=True)
class Detail:
    question: QuestionView
    presentation: Presentation
    allowance: Allowance
    languages: frozenset[LanguageSlug] | None


class RevisionPart(StrEnum):
    STATEMENT = "statement"
    """Statements, samples and the files beside them."""
    TESTS = "tests"
    CHECKER = "checker"
    LIMITS = "limits"
    LANGUAGES = "languages"
    EXTRAS = "extras"
    """What only setters use."""


@dataclass(frozen=True, slots=True)
class RevisionView:
    number: int
    made_by: AccountId
    made_at: datetime
    judge_hash: ContentHash
    changes: tuple[RevisionPart, ...] = ()
    """What differs from the revision before, if that was asked for."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One page of it, and the revision of the catalogue it belongs to."""

    page: Page[QuestionView]
    revision: int


def detail_of(question: Question) -> Detail:
    content = question.current.content
    view = QuestionView(
        id=question.id,
        owner=question.owner,
        enabled=question.publication is Publication.PUBLISHED,
        listing=question.listing,
        title=content.presentation.title,
        titles=tuple(LocalTitle(each.locale, each.title) for each in content.presentation.statements),
        revision=question.current.ref.number,
        created_at=question.created_at,
        updated_at=question.updated_at,
        version=question.version,
    )
    return Detail(view, content.presentation, content.judging.allowance, content.judging.languages)
