"""What a judge host sends to join."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from deepoj_bff.queries.views.base import Body


class HostCredential(Body, frozen=True, kw_only=True):
    credential: Annotated[
        str, Meta(min_length=1, max_length=200, description="As `deepoj worker invite` showed it.")
    ]
