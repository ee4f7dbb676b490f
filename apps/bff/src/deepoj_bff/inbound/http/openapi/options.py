"""What a route says of itself in its `opt`, for the description."""

from __future__ import annotations

from typing import Final

NDJSON: Final = "application/x-ndjson"


def uploads(*media_types: str) -> dict[str, object]:
    """Return the `opt` of a route whose body is a file."""
    return {"uploads": media_types}


def downloads(*media_types: str) -> dict[str, object]:
    """Return the `opt` of a route that answers with a file."""
    return {"downloads": media_types}


def conditional() -> dict[str, object]:
    """Return the `opt` of a route that answers 304 to those who have its answer."""
    return {"conditional": True}


def lines() -> dict[str, object]:
    """Return the `opt` of a route that answers with lines of JSON when asked to."""
    return {"lines": True}


def events(*, ends: bool = False) -> dict[str, object]:
    """Return the `opt` of an event stream; `ends`: whoever has seen its last event is told so by 204."""
    return {"events": "ends" if ends else "goes on"}
