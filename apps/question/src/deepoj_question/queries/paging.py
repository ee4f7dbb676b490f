"""Pages of the catalogue; the cursor tells where the last row seen stands in the order."""

from __future__ import annotations

import binascii
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId

DEFAULT_SIZE: Final = 50
MAX_SIZE: Final = 200
_MOST_CURSOR: Final = 512


@dataclass(frozen=True, slots=True)
class Position:
    """`key` is what the rows are sorted by, before their ids; it was shown, so a cursor may hold it."""

    key: str
    id: QuestionId


@dataclass(frozen=True, slots=True)
class PageRequest:
    size: int = DEFAULT_SIZE
    after: Position | None = None


def page_request(size: int, cursor: str) -> PageRequest:
    if size > MAX_SIZE:
        raise InvalidValueError("page_too_large", f"a page has at most {MAX_SIZE} entries")
    return PageRequest(size or DEFAULT_SIZE, _decode(cursor) if cursor else None)


def cursor_of(last: Position | None) -> str:
    if last is None:
        return ""
    return urlsafe_b64encode(json.dumps([last.key, str(last.id)], ensure_ascii=False).encode()).decode()


def _decode(cursor: str) -> Position:
    malformed = InvalidValueError("cursor_malformed", "the cursor is not one that was given out")
    if len(cursor) > _MOST_CURSOR:
        raise malformed
    try:
        key, last = json.loads(urlsafe_b64decode(cursor))
        position = Position(str(key), QuestionId(UUID(last)))
    except (binascii.Error, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise malformed from error
    if "\0" in position.key or not position.key.isprintable():
        raise malformed
    return position
