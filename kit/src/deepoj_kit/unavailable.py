"""The one failure that is worth retrying, whichever store it comes from."""

from __future__ import annotations


class Unavailable(Exception):  # noqa: N818 — a state of the store, not a mistake of the caller
    """A store cannot serve now. Whether the call took effect is unknown; repeated, it may succeed."""
