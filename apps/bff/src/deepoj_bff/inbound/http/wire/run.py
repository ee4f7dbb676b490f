"""A run of one's own input."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from deepoj_bff.inbound.http.wire.submission import SOURCE_LENGTH
from deepoj_bff.queries.views.base import Body
from deepoj_bff.queries.views.language import LanguageSlug

INPUT_LENGTH: Final = 1_000_000


class NewRun(Body, frozen=True, kw_only=True):
    language: LanguageSlug
    source: Annotated[str, Meta(min_length=1, max_length=SOURCE_LENGTH)]
    input: Annotated[str, Meta(max_length=INPUT_LENGTH)] = ""
    time_limit: Annotated[int, Meta(ge=1, le=10_000)] | None = msgspec.field(
        name="time_limit_ms", default=None
    )
    memory_limit_bytes: Annotated[int, Meta(ge=1 << 20, le=1 << 30)] | None = None
