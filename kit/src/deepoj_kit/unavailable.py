"""The one failure that is worth retrying, whichever store it comes from."""

from __future__ import annotations


class Unavailable(Exception):  # noqa: N818 — a state of the store, not a mistake of the caller
    """A store cannot serve now; nothing was changed for certain, and the same call may succeed later."""
