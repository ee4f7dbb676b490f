"""Answers that were encoded before, and 304 for those who have them."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from litestar import Request
from litestar.enums import MediaType
from litestar.response import Response
from litestar.status_codes import HTTP_200_OK, HTTP_304_NOT_MODIFIED

from deepoj_bff.queries.cache import Encoded

T = TypeVar("T")
# A copy may be kept, but has to be asked about: what one may see depends on who one is.
CONTROL: Final = "private, no-cache"


def answer(
    request: Request[Any, Any, Any],
    cached: Encoded,
    kind: type[T],  # noqa: ARG001 — what the bytes are, for the description of the API
) -> Response[T]:
    headers = {"etag": cached.etag, "cache-control": CONTROL}
    given = request.headers.get("if-none-match")
    if given is not None and has_it(given, cached):
        found: Response[Any] = Response(None, status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    else:
        found = Response(cached.body, status_code=HTTP_200_OK, media_type=MediaType.JSON, headers=headers)
    return found


def has_it(if_none_match: str, cached: Encoded) -> bool:
    return cached.etag in if_none_match or if_none_match.strip() == "*"
