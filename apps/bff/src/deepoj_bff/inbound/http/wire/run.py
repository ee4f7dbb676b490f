"""A run of one's own input."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import Body
from deepoj_bff.queries.views.language import LanguageSlug


class NewRun(Body, frozen=True, kw_only=True):
    language: LanguageSlug
    source: Annotated[str, Meta(min_length=1, max_length=1_000_000)]
    input: Annotated[str, Meta(max_length=1_000_000)] = ""
    time_limit: Annotated[int, Meta(ge=1, le=10_000)] | None = msgspec.field(
        name="time_limit_ms", default=None
    )
    memory_limit_bytes: Annotated[int, Meta(ge=1 << 20, le=1 << 30)] | None = None
