"""The catalogue."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec

from deepoj_bff.inbound.http.pages.known import address
from deepoj_bff.inbound.http.pages.markup import Child, Markup, element
from deepoj_bff.inbound.http.pages.page import (
    Asked,
    Render,
    Shown,
    if_soon,
    next_page,
    one_of,
    page,
    present_cursor,
    table,
)
from deepoj_bff.inbound.http.pages.problem import level as level_name
from deepoj_bff.inbound.http.pages.problem import tags as tag_links
from deepoj_bff.inbound.http.pages.words import Words
from deepoj_bff.queries.problems import ProblemSearch, Sort
from deepoj_bff.queries.services import Page
from deepoj_bff.queries.views.problem import Problems, ProblemSummary
from deepoj_domain.question.listing import Level

_PROBLEMS: Final = msgspec.json.Decoder(Problems)
_SIZE: Final = 50


async def problems_page(asked: Asked) -> Render:
    query = asked.query
    search, tag, cursor = query.get("search") or None, query.get("tag") or None, present_cursor(query)
    level, sort = one_of(Level, query.get("level")), one_of(Sort, query.get("sort"))
    page_of = Page(_SIZE, cursor)
    wanted = ProblemSearch(search=search, tags=[tag] if tag else None, level=level, sort=sort, page=page_of)
    chosen = [("search", search), ("tag", tag), ("level", level), ("sort", sort)]
    where = address("problems", query=[*chosen, ("cursor", cursor), ("size", _SIZE)])
    found, _ = await asyncio.gather(
        asked.reads.catalogue.page(wanted, None, None),
        if_soon(address("problems", "tags"), asked.reads.problems.tags(), asked.known),
    )
    body = asked.known.keep(where, found)

    def render() -> Shown:
        words = asked.words
        listed = _PROBLEMS.decode(body)
        # Room for what the script puts there.
        filters = element("search", element("input", type="search", disabled=True), class_="filters")
        nothing = words("problems.none_found" if search or tag or level else "problems.none")
        shown = _table(words, listed.items) if listed.items else element("p", nothing)
        title = words("nav.problems")
        return Shown(
            title, page(title, filters, shown, next_page(words, asked.query, listed.page.next_cursor))
        )

    return render


def _table(words: Words, listed: list[ProblemSummary]) -> Markup:
    columns = [
        (words("problems.title"), "wide"),
        (words("problems.tags"), ""),
        (words("problems.level"), "narrow"),
        (words("problems.solved_by"), "number"),
    ]
    return table(words("nav.problems"), columns, [_row(words, each) for each in listed])


def _row(words: Words, problem: ProblemSummary) -> list[Child]:
    title = element("a", words.title(problem.title, problem.titles), href=f"/problems/{problem.slug}")
    people = f"{problem.accepted or 0} / {problem.attempted}" if problem.attempted else ""
    return [
        title,
        element("span", tag_links(problem.tags), class_="tags"),
        level_name(words, problem.level),
        people,
    ]
