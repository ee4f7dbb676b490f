"""Pages by position: the cursor names the last row seen, so rows added meanwhile shift nothing."""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from deepoj_domain.kernel.errors import InvalidValueError

T = TypeVar("T")
DEFAULT_SIZE: Final = 50
MAX_SIZE: Final = 500


@dataclass(frozen=True, slots=True)
class PageRequest:
    size: int = DEFAULT_SIZE
    after: tuple[str, ...] | None = None
    """The parts of the last row's position; each query knows what its own mean."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    items: Sequence[T]
    next: tuple[str, ...] | None = None


def page_request(size: int, cursor: str, parts: int) -> PageRequest:
    """`parts`: of how many a position of this query consists."""
    if size > MAX_SIZE:
        raise InvalidValueError("page_too_large", f"a page has at most {MAX_SIZE} entries")
    return PageRequest(size or DEFAULT_SIZE, _decode(cursor, parts) if cursor else None)


def cursor_of(position: tuple[str, ...] | None) -> str:
    return "" if position is None else urlsafe_b64encode(" ".join(position).encode()).decode()


def malformed() -> InvalidValueError:
    return InvalidValueError("cursor_malformed", "the cursor is not one that was given out")


def _decode(cursor: str, parts: int) -> tuple[str, ...]:
    try:
        found = tuple(urlsafe_b64decode(cursor).decode().split(" "))
    except (binascii.Error, UnicodeDecodeError, ValueError) as error:
        raise malformed() from error
    if len(found) != parts:
        raise malformed()
    return found
