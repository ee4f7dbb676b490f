"""Pages in the order of ids, which is the order of making; the cursor names the last row seen."""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId

DEFAULT_SIZE: Final = 50
MAX_SIZE: Final = 200


@dataclass(frozen=True, slots=True)
class PageRequest:
    size: int = DEFAULT_SIZE
    after: QuestionId | None = None


def page_request(size: int, cursor: str) -> PageRequest:
    if size > MAX_SIZE:
        raise InvalidValueError("page_too_large", f"a page has at most {MAX_SIZE} entries")
    return PageRequest(size or DEFAULT_SIZE, _decode(cursor) if cursor else None)


def cursor_of(last: QuestionId | None) -> str:
    return "" if last is None else urlsafe_b64encode(last.bytes).decode()


def _decode(cursor: str) -> QuestionId:
    try:
        return QuestionId(UUID(bytes=urlsafe_b64decode(cursor)))
    except (binascii.Error, ValueError) as error:
        raise InvalidValueError("cursor_malformed", "the cursor is not one that was given out") from error
