"""Pages by id, which sorts by the time it was made: the cursor is the last one seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar
from uuid import UUID

from deepoj_domain.kernel.errors import InvalidValueError

T = TypeVar("T")
DEFAULT_SIZE: Final = 50
MAX_SIZE: Final = 500


@dataclass(frozen=True, slots=True)
class PageRequest:
    size: int = DEFAULT_SIZE
    after: UUID | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    items: Sequence[T]
    next_cursor: str = ""


def page_request(size: int, cursor: str) -> PageRequest:
    if size > MAX_SIZE:
        raise InvalidValueError("page_too_large", f"a page has at most {MAX_SIZE} entries")
    try:
        after = UUID(cursor) if cursor else None
    except ValueError:
        raise InvalidValueError("cursor_malformed", "the cursor is not one that was given out") from None
    return PageRequest(size or DEFAULT_SIZE, after)
