"""Answers that are sent while they are made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Final, TypeVar, cast

import msgspec
from litestar.response import Response, Stream

from deepoj_bff.inbound.http.errors import as_problem
from deepoj_bff.inbound.http.openapi.options import NDJSON
from deepoj_kit.grpc import RemoteError

T = TypeVar("T")
K = TypeVar("K")
_encode = msgspec.json.Encoder().encode
_BREAK: Final = b"\n"


async def first_of(items: AsyncIterator[T]) -> tuple[T | None, AsyncIterator[T]]:
    """Wait for the first, so that a refusal is raised before the answer has begun."""
    return await anext(items, None), items


async def ndjson(
    items: AsyncIterator[T],
    kind: type[K],  # noqa: ARG001 — what the answer is without lines, for the description of the API
    until: Callable[[T], bool] = lambda _: True,
) -> Response[K]:
    """Answer with a line for each item, from the first one for which `until` holds."""
    first = None
    async for first in items:
        if until(first):
            break

    async def body() -> AsyncIterator[bytes]:
        if first is not None:
            yield _encode(first) + _BREAK
        try:
            async for each in items:
                yield _encode(each) + _BREAK
        except RemoteError as error:
            failed: dict[str, Any] = {"error": as_problem(error)}
            yield _encode(failed) + _BREAK

    return cast("Response[K]", Stream(body(), media_type=NDJSON))
