"""A contest as those who take part in it live it, without a reload."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.test_journey import contest_draft
from tests.e2e.web.hands import SUM, button, link, row, verdict, write

if TYPE_CHECKING:
    from tests.e2e.conftest import Json, Person, System
    from tests.e2e.web.conftest import OpenBrowser, Reader

HOUR = timedelta(hours=1)
SOON = timedelta(seconds=5)
SESAME = "open sesame"


@pytest.fixture(scope="module")
def judge(system: System) -> Person:
    return system.one("judge")


@pytest.fixture(scope="module")
def ada(system: System) -> Person:
    return system.person()


def draft(system: System, starts_in: timedelta, **entry: object) -> Json:
    """Plan a contest whose board freezes an hour after its start."""
    made = contest_draft(system.guest.get("/problems/aplusb"), starts_in)
    made["schedule"]["freezes_at"] = (datetime.now(UTC) + starts_in + HOUR).isoformat()
    made["entry"] |= entry
    return made


def test_a_contest_begins_is_solved_asked_about_and_ranked_without_a_reload(
    system: System, open_browser: OpenBrowser, ada: Person, judge: Person
) -> None:
    contest = judge.post("/contests", draft(system, HOUR, private=True) | {"password": SESAME})
    reader = open_browser(ada)
    page = reader.open(f"/contests/{contest['id']}")
    signs_up_by_password(page, reader)
    begins(page, system, judge, contest)
    link(page, "Board").click()
    expect(row(page, ada.name)).to_contain_text("0")
    link(page, "Overview").click()
    page.get_by_role("link", name="A + B").click()
    write(page, SUM)
    button(page, "Submit").click()
    expect(verdict(page)).to_have_text("✓ Accepted")
    link(page, "Board").click()
    expect(own_cell(page)).to_have_attribute("aria-label", "A: solved after 0 min, First to solve")
    somebody_else_moves(page, system, contest)
    looks_back(page)
    asks_and_hears(page, reader, judge, contest)


def signs_up_by_password(page: Page, reader: Reader) -> None:
    reader.expected.append("status of 404")
    page.get_by_label("Password of the contest").fill("open barley")
    button(page, "Sign up").click()
    expect(page.get_by_text("There is no such thing, or you may not know of it.")).to_have_count(2)
    page.get_by_label("Password of the contest").fill(SESAME)
    button(page, "Sign up").click()
    expect(page.get_by_text("You take part as")).to_be_visible()
    expect(page.get_by_text("The problems are shown when the contest starts.")).to_be_visible()
    expect(page.get_by_role("timer")).to_contain_text(":")


def begins(page: Page, system: System, judge: Person, contest: Json) -> None:
    """Have the start moved; whoever looks at the countdown sees it end."""
    version = judge.get(f"/contests/{contest['id']}")["contest"]["version"]
    judge.put(f"/contests/{contest['id']}", {"version": version, "draft": draft(system, SOON, private=True)})
    page.reload()
    expect(page.locator(".phase")).to_contain_text("Running")
    expect(page.get_by_text("The public board freezes at")).to_be_visible()


def own_cell(page: Page) -> Locator:
    return page.locator(".board-pinned .board-cell")


def somebody_else_moves(page: Page, system: System, contest: Json) -> None:
    bob = system.person()
    bob.post(f"/contests/{contest['id']}/participants", {"display_name": "Bob", "password": SESAME})
    bob.submit(contest["problems"][0]["problem_id"], contest_id=contest["id"])
    expect(row(page, "Bob").locator(".cell-solved")).to_be_visible()


def looks_back(page: Page) -> None:
    """Drag the board to the start of the contest, and return."""
    moment = page.get_by_role("slider", name="Moment of the contest")
    moment.focus()
    moment.press("Home")
    expect(page.get_by_text("What was judged later was pending then.")).to_be_visible()
    expect(own_cell(page)).to_have_attribute("aria-label", "A: not tried")
    button(page, "Back to now").click()
    expect(own_cell(page)).to_have_class("board-cell cell-first")


def asks_and_hears(page: Page, reader: Reader, judge: Person, contest: Json) -> None:
    """Ask on one page, and hear the answer on another and in another tab."""
    link(page, "Questions").click()
    page.get_by_label("Text").fill("May a be negative?")
    button(page, "Send").click()
    expect(page.get_by_text("No answer yet")).to_be_visible()
    link(page, "Overview").click()
    elsewhere = reader.another_tab()
    elsewhere.goto(f"{reader.url}/problems")
    expect(link(elsewhere, "A + B")).to_be_visible()
    path = f"/contests/{contest['id']}/clarifications"
    [asked] = judge.get(path)["items"]
    judge.put(f"{path}/{asked['id']}/answer", {"answer": "It may.", "public": True})
    for tab in (page, elsewhere):
        expect(tab.get_by_role("region", name="Notices")).to_contain_text("It may.")


def test_a_contest_that_is_over_is_taken_part_in_virtually(
    system: System, open_browser: OpenBrowser, ada: Person, judge: Person
) -> None:
    contest = judge.post("/contests", draft(system, -3 * HOUR, virtual_allowed=True))
    page = open_browser(ada).open(f"/contests/{contest['id']}")
    button(page, "Start now").click()
    expect(page.get_by_text("Your virtual run began")).to_be_visible()
    expect(page.get_by_label("My participation").get_by_role("timer")).to_contain_text("1:59:")
    link(page, "A").click()
    write(page, SUM)
    button(page, "Submit").click()
    expect(verdict(page)).to_have_text("✓ Accepted")
    link(page, "Board").click()
    expect(page.locator(".board-pinned")).to_contain_text("✓ 0")
    expect(page.locator(".board-pinned .board-rank")).to_contain_text("–")
