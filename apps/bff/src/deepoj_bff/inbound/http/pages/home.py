"""The start: what runs, and a first problem."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec

from deepoj_bff.inbound.http.pages.contests import decoded, read_contests
from deepoj_bff.inbound.http.pages.known import address
from deepoj_bff.inbound.http.pages.markup import Markup, element
from deepoj_bff.inbound.http.pages.page import Asked, Render, Shown, moment, section, without_script
from deepoj_bff.inbound.http.pages.problem import Read, read_problem, samples, statement_text
from deepoj_bff.inbound.http.pages.words import Words
from deepoj_bff.queries.problems import ProblemSearch
from deepoj_bff.queries.services import Page
from deepoj_bff.queries.views.contest import ContestSummary
from deepoj_bff.queries.views.problem import Problems, ProblemSummary
from deepoj_domain.game.schedule import Phase

_PROBLEMS: Final = msgspec.json.Decoder(Problems)
_OPEN: Final = (Phase.RUNNING, Phase.FROZEN, Phase.BEFORE)
_CONTESTS: Final = 5
_NEWEST: Final = 10


async def home_page(asked: Asked) -> Render:
    start = asked.reads.terms.start_problem
    contests, first = await asyncio.gather(
        read_contests(asked, _OPEN, _CONTESTS),
        _newest(asked) if start is None else _start(asked, start),
    )

    def render() -> Shown:
        words = asked.words
        links = element("a", words("home.all_problems"), class_="button", href="/problems")
        head = [element("h1", asked.reads.terms.name), element("p", links, class_="page-aside")]
        running = [_open(words, each) for each in decoded(contests)]
        shown = [
            element("header", head, class_="page-head"),
            section(words("nav.contests"), element("ul", running, class_="cards")) if running else None,
            first(),
        ]
        return Shown("", element("div", shown, class_="page page-home"))

    return render


async def _start(asked: Asked, slug: str) -> Callable[[], Markup]:
    read: Read = await read_problem(asked, slug)

    def render() -> Markup:
        words = asked.words
        problem, statement = read()
        title = element("a", problem.title, href=f"/problems/{problem.slug}")
        text = [statement_text(words, problem, statement), samples(words, problem.samples[:1])]
        both = [
            element("div", text, class_="stack"),
            element("div", without_script(words, "without_script.solve")),
        ]
        return section([words("home.start_here"), " ", title], element("div", both, class_="start"))

    return render


async def _newest(asked: Asked) -> Callable[[], Markup]:
    found = await asked.reads.catalogue.page(ProblemSearch(page=Page(_NEWEST, None)), None, None)
    body = asked.known.keep(address("problems", query=[("size", _NEWEST)]), found)

    def render() -> Markup:
        words, listed = asked.words, _PROBLEMS.decode(body).items
        if not listed:
            return element("p", words("problems.none"))
        return section(
            words("home.newest"), element("ul", [_card(words, each) for each in listed], class_="cards")
        )

    return render


def _card(words: Words, problem: ProblemSummary) -> Markup:
    title = words.title(problem.title, problem.titles)
    return element("li", element("a", title, href=f"/problems/{problem.slug}"), class_="card")


def _open(words: Words, contest: ContestSummary) -> Markup:
    """Return a line as high as the one with a countdown that the script puts in its place."""
    schedule = contest.schedule
    told = (
        [words("schedule.starts"), " ", moment(schedule.starts_at)]
        if contest.phase is Phase.BEFORE
        else [words("schedule.ends"), " ", moment(schedule.ends_at)]
    )
    title = element("a", contest.title, href=f"/contests/{contest.id}")
    return element("li", title, element("span", told, class_="muted"), class_="card contest-card")
