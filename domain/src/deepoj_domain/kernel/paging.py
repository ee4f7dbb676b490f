"""Pages by position: the cursor names the last row that was shown, so rows added meanwhile shift nothing.

A cursor is text to everybody but the list that gave it out. That list reads the position in it, and refuses
one that it could not have given out.
"""

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Generic, TypeAlias, TypeVar
from uuid import UUID

from deepoj_domain.kernel.errors import InvalidValueError

T = TypeVar("T")
DEFAULT_SIZE: Final = 50
MAX_SIZE: Final = 500

Position: TypeAlias = tuple[str, ...]
"""What a list is sorted by, of one row, part by part."""


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
    return "" if position is None else urlsafe_b64encode(" ".join(position).encode()).decode()


def position_of(cursor: str) -> Position | None:
    if not cursor:
        return None
    try:
        return tuple(b64decode(cursor, b"-_", validate=True).decode().split(" "))
    except ValueError as error:
        raise malformed() from error


def at_id(key: UUID) -> Position:
    return (str(key),)


def id_at(position: Position) -> UUID:
    try:
        (key,) = position
        return UUID(key)
    except ValueError as error:
        raise malformed() from error


def at_moment(moment: datetime, key: UUID) -> Position:
    return moment.isoformat(), str(key)


def moment_at(position: Position) -> tuple[datetime, UUID]:
    """Return the moment, and the id that tells apart what has the same one."""
    try:
        moment, key = position
        return datetime.fromisoformat(moment).astimezone(UTC), UUID(key)
    except (ValueError, OverflowError) as error:
        raise malformed() from error


def at_text(text: str, key: UUID) -> Position:
    return text.encode().hex(), str(key)


def text_at(position: Position) -> tuple[str, UUID]:
    """Return the text, and the id that tells apart what has the same one."""
    try:
        encoded, key = position
        text = bytes.fromhex(encoded).decode()
        if "\0" in text:
            raise malformed()
        return text, UUID(key)
    except ValueError as error:
        raise malformed() from error


def malformed() -> InvalidValueError:
    return InvalidValueError("cursor_malformed", "the cursor is not one that was given out")
