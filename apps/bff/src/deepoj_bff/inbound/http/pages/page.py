"""What every page with content is made from, and what it makes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, TypeVar
from urllib.parse import urlencode

from deepoj_bff.inbound.http.pages.known import Known
from deepoj_bff.inbound.http.pages.markup import Child, Markup, element
from deepoj_bff.inbound.http.pages.words import Words
from deepoj_bff.queries.boards import ReadBoards
from deepoj_bff.queries.cache import Encoded
from deepoj_bff.queries.catalogue import ReadCatalogue
from deepoj_bff.queries.contests import ReadContests
from deepoj_bff.queries.languages import ListLanguages
from deepoj_bff.queries.problems import ReadProblems
from deepoj_bff.queries.site import SiteTerms
from deepoj_kit.grpc import RemoteError

E = TypeVar("E", bound=StrEnum)
# For what a page can do without.
_BRIEF: Final = 0.1


@dataclass(frozen=True, slots=True)
class Reads:
    """The queries of the API. Pages read by them as a guest, and by nothing else."""

    terms: SiteTerms
    catalogue: ReadCatalogue
    problems: ReadProblems
    contests: ReadContests
    boards: ReadBoards
    languages: ListLanguages


@dataclass(frozen=True, slots=True)
class Asked:
    reads: Reads
    words: Words
    part: str = ""
    """What stands for the name in the address."""
    query: Mapping[str, str] = field(default_factory=dict)
    known: Known = field(default_factory=Known)


@dataclass(frozen=True, slots=True)
class Shown:
    title: str
    """Of the tab; empty: the site's own."""
    body: Markup


Render = Callable[[], Shown]


async def if_soon(where: str, answer: Awaitable[Encoded], known: Known) -> None:
    """Keep what the script can ask for itself, if it is here in a moment."""
    try:
        async with asyncio.timeout(_BRIEF):
            known.keep(where, await answer)
    except (TimeoutError, RemoteError):
        return


def moment(at: datetime) -> Markup:
    """Without a script nobody knows the reader's zone."""
    exact = at.astimezone(UTC)
    return element("time", f"{exact:%Y-%m-%d %H:%M} UTC", datetime=exact.isoformat())


def page(title: str, *children: Child) -> Markup:
    return element(
        "div", element("header", element("h1", title), class_="page-head"), children, class_="page"
    )


def section(title: Child, *children: Child) -> Markup:
    return element("section", element("h2", title), children, class_="stack")


def table(caption: str, columns: list[tuple[str, str]], rows: list[list[Child]]) -> Markup:
    """Columns are a title and a kind each."""
    head = [element("th", title, scope="col", class_=kind or None) for title, kind in columns]
    kinds = [kind or None for _, kind in columns]
    lines = [
        element("tr", [element("td", cell, class_=kind) for cell, kind in zip(row, kinds, strict=True)])
        for row in rows
    ]
    whole = element(
        "table",
        element("caption", caption, class_="visually-hidden"),
        element("thead", element("tr", head)),
        element("tbody", lines),
    )
    return element("div", whole, class_="table-frame", role="group", aria_label=caption, tabindex=0)


def next_page(words: Words, query: Mapping[str, str], cursor: str | None) -> Markup | None:
    """Return the way to the next page, for those whose browser runs no script."""
    if cursor is None:
        return None
    trail = "~".join(filter(None, (query.get("cursor", ""), cursor)))
    to = f"?{urlencode({**query, 'cursor': trail})}"
    return element(
        "nav", element("a", words("pagination.next"), class_="button", href=to), class_="pagination"
    )


def present_cursor(query: Mapping[str, str]) -> str | None:
    """Return the last of the cursors that led here."""
    return query.get("cursor", "").rpartition("~")[2] or None


def one_of(kind: type[E], text: str | None) -> E | None:
    """Return the one that an address names, if it is one of those that exist."""
    return next((each for each in kind if each.value == text), None)


def without_script(words: Words, key: str) -> Markup:
    return element("noscript", element("p", words(key), class_="muted"))
