"""What queries read from, besides the other services."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from deepoj_bff.queries.encoded import Encoded

Load = Callable[[], Awaitable[bytes | None]]


class Cache(Protocol):
    async def get(self, key: str, load: Load, *, unsure: bool = False) -> Encoded:
        """Return the answer; `unsure` of its revision, only one of the last moments, and only from here."""
        ...

    def fresh(self, key: str) -> Encoded | None:
        """Return the answer if it is here, fresh, and one of something."""
        ...

    def drop(self, key: str) -> None:
        """Forget the answer, and the one on its way: it may be from before the change."""
        ...
