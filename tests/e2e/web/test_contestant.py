"""A contest as those who take part in it live it, without a reload."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.test_journey import contest_draft
from tests.e2e.web.axe import Axe
from tests.e2e.web.hands import SUM, button, link, row, tab_to, verdict, write
from tests.e2e.web.manner import ON_A_PHONE, Hands, hands_of

if TYPE_CHECKING:
    from tests.e2e.conftest import Json, Person, System
    from tests.e2e.web.conftest import OpenBrowser

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
    hands = hands_of(open_browser, ada, ON_A_PHONE, f"/contests/{contest['id']}")
    page = hands.page
    signs_up_by_password(hands)
    begins(hands, system, judge, contest)
    hands.press(hands.link("Board"))
    expect(row(page, ada.name)).to_contain_text("0")
    hands.press(hands.link("Overview"))
    hands.press(page.locator("main a[href$='/A']").first)
    hands.write(SUM)
    hands.press(hands.button("Submit"))
    expect(verdict(page)).to_have_text(re.compile(f"✓ {hands.words('Accepted')}"))
    hands.press(hands.link("Board"))
    solved = f"A: {hands.words('solved after 0 min')}, (?:{hands.words('First to solve')})"
    expect(own_cell(page)).to_have_attribute("aria-label", re.compile(solved))
    somebody_else_moves(page, system, contest)
    explains_the_rank(hands)
    looks_back(hands)
    asks_and_hears(hands, judge, contest)
    hears_what_came_between_two_pages(hands, judge, contest)


def signs_up_by_password(hands: Hands) -> None:
    hands.reader.expected.append("status of 404")
    hands.fill("Password of the contest", "open barley")
    assert not Axe(hands.page).violations()
    hands.press(hands.button("Sign up"))
    refused = hands.said("There is no such thing, or you may not know of it.")
    expect(hands.page.get_by_text(refused)).to_have_count(2)
    assert not Axe(hands.page).violations()
    hands.fill("Password of the contest", SESAME)
    hands.press(hands.button("Sign up"))
    hands.sees("You take part as")
    hands.sees("The problems are shown when the contest starts.")
    expect(hands.page.get_by_role("timer")).to_contain_text(":")


def begins(hands: Hands, system: System, judge: Person, contest: Json) -> None:
    """Have the start moved; whoever looks at the countdown sees it end."""
    version = judge.get(f"/contests/{contest['id']}")["contest"]["version"]
    judge.put(f"/contests/{contest['id']}", {"version": version, "draft": draft(system, SOON, private=True)})
    hands.page.reload()
    expect(hands.page.locator(".phase")).to_contain_text(hands.said("Running"))
    hands.sees("The public board freezes at")


def own_cell(page: Page) -> Locator:
    return page.locator(".board-pinned .board-cell")


def somebody_else_moves(page: Page, system: System, contest: Json) -> None:
    bob = system.person()
    bob.post(f"/contests/{contest['id']}/participants", {"display_name": "Bob", "password": SESAME})
    bob.submit(contest["problems"][0]["problem_id"], contest_id=contest["id"])
    expect(row(page, "Bob").locator(".cell-solved")).to_be_visible()


def explains_the_rank(hands: Hands) -> None:
    hands.press(hands.page.locator(".board-pinned .board-rank button"))
    dialog = hands.page.get_by_role("dialog")
    expect(dialog).to_contain_text(hands.said("Rank 1: nobody is better."))
    expect(dialog).to_contain_text(hands.said("Accepted: it counts"))
    hands.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def looks_back(hands: Hands) -> None:
    """Drag the board to the start of the contest, follow a link to that moment, and return."""
    page = hands.page
    moment = page.get_by_role("slider", name=hands.named("Moment of the contest"))
    tab_to(page, moment)
    moment.press("Home")
    hands.sees("What was judged later was pending then.")
    untried = re.compile(f"A: {hands.words('not tried')}")
    expect(own_cell(page)).to_have_attribute("aria-label", untried)
    linked = hands.reader.another_tab()
    linked.goto(page.url)
    expect(own_cell(linked)).to_have_attribute("aria-label", untried)
    linked.close()
    hands.press(hands.button("Play"))
    expect(own_cell(page)).to_have_class("board-cell cell-first")
    expect(hands.button("Play")).to_be_visible()
    moment.press("Home")
    hands.press(hands.button("Back to now"))
    expect(own_cell(page)).to_have_class("board-cell cell-first")


def asks_and_hears(hands: Hands, judge: Person, contest: Json) -> None:
    """Ask on one page, and hear the answer on another and in another tab."""
    page = hands.page
    hands.press(hands.link("Questions"))
    hands.fill("Text", "May a be negative?")
    hands.press(hands.button("Send"))
    hands.sees("No answer yet")
    hands.press(hands.link("Overview"))
    elsewhere = hands.reader.another_tab()
    elsewhere.goto(f"{hands.reader.url}/problems")
    expect(elsewhere.locator("a[href='/problems/aplusb']").first).to_be_visible()
    # The page is there before its script is, and hears nothing until it listens.
    for tab in (page, elsewhere):
        expect(tab.get_by_role("region", name=hands.named("Notices"))).to_be_attached()
    path = f"/contests/{contest['id']}/clarifications"
    [asked] = judge.get(path)["items"]
    judge.put(f"{path}/{asked['id']}/answer", {"answer": "It may.", "public": True})
    for tab in (page, elsewhere):
        expect(tab.get_by_role("region", name=hands.named("Notices"))).to_contain_text("It may.")
    elsewhere.close()


def hears_what_came_between_two_pages(hands: Hands, judge: Person, contest: Json) -> None:
    """Load another page; what was said before it listens is told there, and once."""
    page, said = hands.page, f"/contests/{contest['id']}/broadcasts"
    page.goto("about:blank")
    judge.post(said, {"text": "Ten more minutes."})
    page.goto(f"{hands.reader.url}/problems")
    notices = page.get_by_role("region", name=hands.named("Notices"))
    expect(notices).to_contain_text("Ten more minutes.")
    page.goto(f"{hands.reader.url}/problems/aplusb")
    judge.post(said, {"text": "Five more minutes."})
    expect(notices).to_contain_text("Five more minutes.")
    expect(notices).not_to_contain_text("Ten")


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
