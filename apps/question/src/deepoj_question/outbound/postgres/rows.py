"""From rows to values, and the parts of a revision as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from deepoj_domain.documents import Shape
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.checker import CHECKERS
from deepoj_domain.question.limits import Allowance
from deepoj_domain.question.listing import Level, Listing, QuestionSlug, Tag
from deepoj_domain.question.presentation import Presentation
from deepoj_domain.question.revision import Extra, Judging, RevisionContent
from deepoj_kit.documents import Document
from deepoj_kit.postgres.statements import selected
from deepoj_question.commands.draft import CheckedSuite
from deepoj_question.outbound.postgres.tables import QUESTIONS, REVISIONS
from deepoj_question.queries.views import Detail, LocalTitle, QuestionView

_READABLE: Final = ("presentation", "allowance", "languages")
READABLE: Final = selected(REVISIONS, "r", *_READABLE)
CONTENT: Final = selected(REVISIONS, "r", *_READABLE, "judging", "extras")
JUDGING: Final = selected(REVISIONS, "r", "allowance", "languages", "judging")


class QuestionRow(NamedTuple):
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


QUESTION: Final = selected(QUESTIONS, "q", *QuestionRow._fields)


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
        form=checked.form,
        grader=checked.grader,
        source_checker=checked.source_checker,
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


_TESTS: Final = Document(Shape("", CheckedSuite, {"checker": CHECKERS}), BrokenInvariantError)
_PRESENTATION: Final = msgspec.json.Decoder(Presentation)
_ALLOWANCE: Final = msgspec.json.Decoder(Allowance)
_TITLES: Final = msgspec.json.Decoder(tuple[LocalTitle, ...])
_EXTRAS: Final = msgspec.json.Decoder(tuple[Extra, ...])


def encode_tests(judging: Judging) -> str:
    return _TESTS.encode(CheckedSuite.of(judging)).decode()


def decode_tests(text: str) -> CheckedSuite:
    return _TESTS.decode(text)


def encode(part: Presentation | Allowance | tuple[Extra, ...]) -> str:
    return msgspec.json.encode(part).decode()


def decode_presentation(text: str) -> Presentation:
    return _PRESENTATION.decode(text)


def encode_titles(presentation: Presentation) -> str:
    titles = [LocalTitle(each.locale, each.title) for each in presentation.statements]
    return msgspec.json.encode(titles).decode()


def decode_titles(text: str) -> tuple[LocalTitle, ...]:
    return _TITLES.decode(text)


def decode_allowance(text: str) -> Allowance:
    return _ALLOWANCE.decode(text)


def decode_extras(text: str) -> tuple[Extra, ...]:
    return _EXTRAS.decode(text)
