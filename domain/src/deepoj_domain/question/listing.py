"""How a question is found: its address, its level and its tags. Not part of a revision."""

from dataclasses import dataclass
from enum import StrEnum
from re import compile as pattern
from typing import Final, NewType

from deepoj_domain.kernel.errors import InvalidValueError

QuestionSlug = NewType("QuestionSlug", str)
Tag = NewType("Tag", str)

MOST_TAGS: Final = 20
MOST_SLUG: Final = 64
_SLUG: Final = pattern(r"[a-z0-9][a-z0-9-]{0,63}")
_OTHER: Final = pattern(r"[^a-z0-9]+")
_UUID: Final = pattern(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}")
_TAG: Final = pattern(r"\w[\w .+#'-]{0,38}[\w+#]|\w")


class Level(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


def question_slug(text: str) -> QuestionSlug:
    if not _SLUG.fullmatch(text):
        raise InvalidValueError(
            "slug_malformed", "a slug has 1 to 64 of the characters a-z 0-9 - and does not begin with -"
        )
    # An address may name a question by id or by slug; the two must not be mixed up.
    if _UUID.fullmatch(text):
        raise InvalidValueError("slug_malformed", "a slug must not look like an id")
    return QuestionSlug(text)


def slug_of(text: str) -> str:
    """Turn a title or the name of a directory into what may be a slug."""
    return _OTHER.sub("-", text.lower()).strip("-")[:MOST_SLUG]


def tag(text: str) -> Tag:
    """Tags differ by more than case, so that a search finds all that is meant."""
    folded = " ".join(text.lower().split())
    if not _TAG.fullmatch(folded):
        raise InvalidValueError(
            "tag_malformed", f"{text[:40]!r} is not a tag: 1 to 40 letters, digits, . + # ' -"
        )
    return Tag(folded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    slug: QuestionSlug
    level: Level | None = None
    tags: frozenset[Tag] = frozenset()

    def __post_init__(self) -> None:
        if len(self.tags) > MOST_TAGS:
            raise InvalidValueError("too_many_tags", f"a question has at most {MOST_TAGS} tags")
