"""Contests, and one at a glance."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec

from deepoj_bff.inbound.http.pages.known import Parameter, address
from deepoj_bff.inbound.http.pages.markup import Child, Markup, element
from deepoj_bff.inbound.http.pages.page import (
    Asked,
    Render,
    Shown,
    moment,
    next_page,
    page,
    present_cursor,
    section,
    table,
    without_script,
)
from deepoj_bff.inbound.http.pages.words import Words
from deepoj_bff.queries.services import Page
from deepoj_bff.queries.views.contest import Contest, ContestDetail, Contests, ContestSummary, Schedule
from deepoj_domain.game.schedule import Phase

_CONTESTS: Final = msgspec.json.Decoder(Contests)
_DETAIL: Final = msgspec.json.Decoder(ContestDetail)
_RUNNING: Final = (Phase.RUNNING, Phase.FROZEN)
_COMING: Final = (Phase.BEFORE,)
_PAST: Final = (Phase.ENDED, Phase.FINALIZED)
_CARDS: Final = 50
_ROWS: Final = 30


async def read_contests(
    asked: Asked, phases: tuple[Phase, ...], size: int, search: str | None = None, cursor: str | None = None
) -> bytes:
    """Read a page of the contests that a guest may see, and keep it under the address that the site asks."""
    found = await asked.reads.contests.listed(phases, search, Page(size, cursor))
    query: list[Parameter] = [("phase", each) for each in phases]
    query += [("search", search), ("cursor", cursor), ("size", size)]
    return asked.known.keep(address("contests", query=query), found)


async def contests_page(asked: Asked) -> Render:
    search, cursor = asked.query.get("search") or None, present_cursor(asked.query)
    bodies = await asyncio.gather(
        read_contests(asked, _RUNNING, _CARDS, search),
        read_contests(asked, _COMING, _CARDS, search),
        read_contests(asked, _PAST, _ROWS, search, cursor),
    )

    def render() -> Shown:
        words, title = asked.words, asked.words("nav.contests")
        running, coming, past = (_CONTESTS.decode(body) for body in bodies)
        shown = [
            section(words("contests.running"), cards(words, running.games) or words("contests.none_running")),
            section(words("contests.coming"), cards(words, coming.games) or words("contests.none_coming")),
            section(words("contests.past"), _past(words, past.games) or words("contests.none_past")),
        ]
        return Shown(title, page(title, shown, next_page(words, asked.query, past.page.next_cursor)))

    return render


def decoded(body: bytes) -> list[ContestSummary]:
    return _CONTESTS.decode(body).games


def cards(words: Words, contests: list[ContestSummary]) -> Markup | None:
    def card(each: ContestSummary) -> Markup:
        facts = [
            moment(each.schedule.starts_at),
            element("span", _length(words, each.schedule)),
            element("span", words(f"format.{each.format}")),
            element("span", words("contests.people", n=each.participants)),
        ]
        return element(
            "li",
            element("a", each.title, href=f"/contests/{each.id}"),
            _phase(words, each),
            element("span", facts, class_="muted small row"),
            class_="card contest-card",
        )

    return element("ul", map(card, contests), class_="cards") if contests else None


def _past(words: Words, contests: list[ContestSummary]) -> Markup | None:
    columns = [
        (words("contests.title"), "wide"),
        (words("schedule.starts"), "narrow"),
        (words("schedule.length"), "narrow"),
        (words("contests.format"), "narrow"),
        (words("contests.takes_part"), "number"),
        (words("contest.board"), "narrow"),
    ]
    rows: list[list[Child]] = [
        [
            element("a", each.title, href=f"/contests/{each.id}"),
            moment(each.schedule.starts_at),
            _length(words, each.schedule),
            words(f"format.{each.format}"),
            each.participants,
            element(
                "a",
                words("contest.board"),
                href=f"/contests/{each.id}/board",
                aria_label=f"{words('contest.board')}: {each.title}",
            ),
        ]
        for each in contests
    ]
    return table(words("contests.past"), columns, rows) if contests else None


async def read_contest(asked: Asked, contest_id: UUID) -> bytes:
    found = await asked.reads.contests.one(contest_id)
    return asked.known.keep_part(address("contests", str(contest_id)), found)


def decoded_contest(body: bytes) -> Contest:
    return _DETAIL.decode(body).game


async def contest_page(asked: Asked) -> Render:
    body = await read_contest(asked, UUID(asked.part))

    def render() -> Shown:
        words, contest = asked.words, decoded_contest(body)
        described = element("p", contest.description, class_="contest-description")
        shown = [
            described if contest.description else None,
            _problems(words, contest),
            section(words("schedule.title"), _schedule(words, contest.schedule)),
            without_script(words, "without_script.contest"),
        ]
        return Shown(contest.title, headed(words, contest, element("div", shown, class_="page"), at=""))

    return render


def headed(words: Words, contest: Contest, body: Markup, *, at: str) -> Markup:
    """Return a page of a contest: its name, how far it is, and the ways between its pages."""
    base = f"/contests/{contest.id}"
    is_overview = not at
    name = (
        element("h1", contest.title)
        if is_overview
        else element("a", contest.title, class_="contest-title", href=base)
    )
    ways = [(base, words("contest.overview"))]
    if contest.phase is not Phase.BEFORE:
        ways.append((f"{base}/board", words("contest.board")))
    links = [
        element("li", element("a", text, href=href, aria_current="page" if href == base + at else None))
        for href, text in ways
    ]
    head = element(
        "header",
        element("div", name, _phase(words, contest), class_="row spread"),
        element("nav", element("ul", links, class_="nav-links"), aria_label=words("contest.parts")),
        class_="contest-head",
    )
    return element("div", head, body, class_="contest")


def _problems(words: Words, contest: Contest) -> Markup:
    if not contest.problems:
        later = "contest.problems_later" if contest.phase is Phase.BEFORE else "contest.problems_hidden"
        return element("p", words(later), class_="muted")
    columns = [(words("contest.label"), "narrow"), (words("problems.title"), "wide")]
    rows: list[list[Child]] = [
        [element("strong", each.label), words.title(each.title, each.titles) or each.label]
        for each in contest.problems
    ]
    return section(words("nav.problems"), table(words("nav.problems"), columns, rows))


def _schedule(words: Words, schedule: Schedule) -> Markup:
    facts = [
        (words("schedule.starts"), moment(schedule.starts_at)),
        (words("schedule.ends"), moment(schedule.ends_at)),
    ]
    if schedule.freezes_at is not None:
        facts.append((words("schedule.freezes"), moment(schedule.freezes_at)))
    return element(
        "dl",
        [element("div", element("dt", name), element("dd", value)) for name, value in facts],
        class_="facts",
    )


def _phase(words: Words, contest: ContestSummary) -> Markup:
    phase = contest.phase
    return element("span", element("span", words(f"phase.{phase}")), class_=f"phase phase-{phase}")


def _length(words: Words, schedule: Schedule) -> str:
    minutes = round((schedule.ends_at - schedule.starts_at) / timedelta(minutes=1))
    hours, rest = divmod(minutes, 60)
    parts = [words("schedule.hours", n=hours)] if hours else []
    if rest or not hours:
        parts.append(words("schedule.minutes", n=rest))
    return " ".join(parts)
