"""From rows to values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID

from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.listing import Level, Listing, QuestionSlug, Tag
from deepoj_domain.question.revision import Judging, RevisionContent
from deepoj_question.outbound.postgres.contents import (
    decode_allowance,
    decode_extras,
    decode_presentation,
    decode_tests,
    decode_titles,
)
from deepoj_question.queries.views import Detail, QuestionView

QUESTION: Final = """q.id, q.owner_id, q.enabled, q.slug, q.level, q.tags, q.title, q.revision, q.created_at,
q.updated_at, q.version, q.titles::text"""
READABLE: Final = "r.presentation::text, r.allowance::text, r.languages"
CONTENT: Final = f"{READABLE}, r.judging::text, r.extras::text"


JUDGING: Final = "r.allowance::text, r.languages, r.judging::text"


class QuestionRow(NamedTuple):
    """The columns in the order of `QUESTION`."""

    id: UUID
    owner_id: UUID
    enabled: bool
    slug: str
    level: str | None
    tags: list[str]
    title: str
    revision: int
    created_at: datetime
    updated_at: datetime
    version: int
    titles: str

    def view(self) -> QuestionView:
        return QuestionView(
            id=QuestionId(self.id),
            owner=AccountId(self.owner_id),
            enabled=self.enabled,
            listing=self.listing(),
            title=self.title,
            titles=decode_titles(self.titles),
            revision=self.revision,
            created_at=self.created_at.astimezone(UTC),
            updated_at=self.updated_at.astimezone(UTC),
            version=self.version,
        )

    def listing(self) -> Listing:
        return Listing(
            slug=QuestionSlug(self.slug),
            level=None if self.level is None else Level(self.level),
            tags=frozenset(map(Tag, self.tags)),
        )


def languages_of(names: Sequence[str] | None) -> frozenset[LanguageSlug] | None:
    return None if names is None else frozenset(map(LanguageSlug, names))


def detail(question: QuestionView, presentation: str, allowance: str, names: Sequence[str] | None) -> Detail:
    return Detail(
        question, decode_presentation(presentation), decode_allowance(allowance), languages_of(names)
    )


def judging(allowance: str, names: Sequence[str] | None, tests: str) -> Judging:
    checked = decode_tests(tests)
    return Judging(
        allowance=decode_allowance(allowance),
        suite=checked.suite,
        checker=checked.checker,
        languages=languages_of(names),
    )


def content(
    presentation: str, allowance: str, names: Sequence[str] | None, tests: str, extras: str
) -> RevisionContent:
    """From the columns in the order of `CONTENT`."""
    return RevisionContent(
        presentation=decode_presentation(presentation),
        judging=judging(allowance, names, tests),
        extras=decode_extras(extras),
    )
