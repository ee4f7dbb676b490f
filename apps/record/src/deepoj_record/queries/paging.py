"""Pages by position: the cursor names the last row seen, so rows added meanwhile shift nothing."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Generic, TypeVar
from uuid import UUID

from deepoj_domain.kernel.errors import InvalidValueError

T = TypeVar("T")
DEFAULT_SIZE: Final = 50
MAX_SIZE: Final = 500


@dataclass(frozen=True, slots=True)
class Position:
    moment: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class PageRequest:
    size: int = DEFAULT_SIZE
    after: Position | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    items: Sequence[T]
    next: Position | None = None


def page_request(size: int, cursor: str) -> PageRequest:
    if size > MAX_SIZE:
        raise InvalidValueError("page_too_large", f"a page has at most {MAX_SIZE} entries")
    return PageRequest(size or DEFAULT_SIZE, position_of(cursor))


def paged(found: Sequence[T], page: PageRequest, position: Callable[[T], Position]) -> Page[T]:
    """Make a page of rows that were read with one more than asked for, to see whether there are more."""
    items = found[: page.size]
    return Page(items, position(items[-1]) if len(found) > page.size else None)


def cursor_of(position: Position | None) -> str:
    if position is None:
        return ""
    return urlsafe_b64encode(f"{position.moment.isoformat()} {position.id}".encode()).decode()


def position_of(cursor: str) -> Position | None:
    if not cursor:
        return None
    try:
        moment, _, key = urlsafe_b64decode(cursor).decode().partition(" ")
        return Position(datetime.fromisoformat(moment).astimezone(UTC), UUID(key))
    except (ValueError, OverflowError) as error:
        raise InvalidValueError("cursor_malformed", "the cursor is not one that was given out") from error
