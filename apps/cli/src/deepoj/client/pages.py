"""Lists that come in pages."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from deepoj.client.api import Api, Params
from deepoj.client.wire import PageInfo, Wire

T = TypeVar("T")

MOST_ON_A_PAGE: Final = 100


class Page(Wire, Generic[T], frozen=True):
    items: tuple[T, ...]
    page: PageInfo = PageInfo()


def listed(
    api: Api, path: str, kind: type[Page[T]], params: Params | None = None, *, limit: int | None = None
) -> list[T]:
    """Return the first `limit` items, or all."""
    found: list[T] = []
    cursor: str | None = None
    while limit is None or len(found) < limit:
        size = MOST_ON_A_PAGE if limit is None else min(limit - len(found), MOST_ON_A_PAGE)
        page = api.get(path, kind, {**(params or {}), "size": str(size), "cursor": cursor})
        found.extend(page.items)
        cursor = page.page.next_cursor
        if cursor is None:
            break
    return found[:limit]
