"""What the rendering process is asked and what it answers, a line of JSON each."""

from __future__ import annotations

import msgspec


class Job(msgspec.Struct, frozen=True):
    format: str
    text: str
    assets: dict[str, bool]
    """By name, whether it is an image."""


class Made(msgspec.Struct, frozen=True):
    html: str | None
    """None: it cannot be made, however often it is tried."""
    lost: list[str] = []
    """Pictures it names and has not got."""
    formulas: list[str] = []
    """Those that stay their source."""
