"""Programs that people send: to be judged, or to be run on an input of their own."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

import msgspec
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


INPUT_LENGTH: Final = 1_000_000


class ShownSample(Body, frozen=True, kw_only=True):
    """A sample of a problem, as the caller sees it."""

    question_id: IdField
    game_id: UUID | None = None
    number: Annotated[int, Meta(ge=1, le=1000, description="Of the samples of the problem, from 1.")]


class NewRun(Body, frozen=True, kw_only=True):
    language: LanguageSlug
    source: Annotated[str, Meta(min_length=1, max_length=SOURCE_LENGTH)]
    sample: Annotated[
        ShownSample | None,
        Meta(description="Instead of an input and limits: those of the problem, and its checker looks."),
    ] = None
    input: Annotated[str, Meta(max_length=INPUT_LENGTH)] = ""
    time_limit: Annotated[int, Meta(ge=1, le=10_000)] | None = msgspec.field(
        name="time_limit_ms", default=None
    )
    memory_limit_bytes: Annotated[int, Meta(ge=1 << 20, le=1 << 30)] | None = None
