"""A new submission."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from msgspec import Meta

from deepoj_bff.queries.views.base import Body, IdField
from deepoj_bff.queries.views.language import LanguageSlug

SOURCE_LENGTH: Final = 1_000_000


class NewSubmission(Body, frozen=True, kw_only=True):
    question_id: IdField
    game_id: UUID | None = None
    language: LanguageSlug
    source: Annotated[
        str, Meta(min_length=1, max_length=SOURCE_LENGTH, examples=["print(sum(map(int, input().split())))"])
    ]
