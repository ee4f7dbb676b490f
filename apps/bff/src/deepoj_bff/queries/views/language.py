"""Languages."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import View
from deepoj_domain.submission.route import Lane

LanguageSlug = Annotated[str, Meta(min_length=1, max_length=32, examples=["cpp17"])]


class Language(View, frozen=True, kw_only=True):
    slug: LanguageSlug
    name: Annotated[str, Meta(examples=["C++17"])]
    version: Annotated[str | None, Meta(description="Null when no worker has it.")]
    available: bool
    lane: Lane
    time_factor_milli: Annotated[
        int, Meta(description="Thousandths of the problem's limit.", examples=[1000])
    ]
    memory_factor_milli: int
    source_name: str
    template: Annotated[str, Meta(description="What an editor starts with.")]
    install_hint: Annotated[str, Meta(description="How an operator gets it.")]


class Languages(View, frozen=True, kw_only=True):
    languages: list[Language] = msgspec.field(name="items")
