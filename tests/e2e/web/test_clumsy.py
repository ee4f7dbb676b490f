"""Whoever hurries, pastes the wrong thing or has much of everything finds the site as it was."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import TOKENS, problem_draft
from tests.e2e.test_journey import contest_draft
from tests.e2e.web.axe import Axe
from tests.e2e.web.hands import ADDS, SUM, button, editor, go, too_wide, verdict, write
from tests.e2e.web.manner import ON_A_PHONE, hands_of

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System
    from tests.e2e.web.conftest import OpenBrowser

LATE = "**/assets/Contests-*.js"
CASES = 250
SHOWN = 200
SCREEN = 800
UNBROKEN = "W" * 90
PARTS = ("", "/board", "/tv", "/clarifications", "/manage/people", "/manage/questions")


@pytest.fixture
def ada(system: System) -> Person:
    return system.person()


def sent(person: Person) -> int:
    return len(person.get("/submissions", params={"user_id": person.id})["items"])


def test_a_submit_that_is_pressed_again_and_again_or_left_at_once_is_one_submission(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    page = open_browser(ada).open("/problems")
    page.get_by_role("link", name="A + B").first.click()
    write(page, SUM)
    button(page, "Submit").dblclick(delay=100)
    expect(verdict(page)).to_have_text("✓ Accepted")
    assert sent(ada) == 1
    # Other text: the same within half a second is taken for one that was pressed twice.
    write(page, f"{SUM}// Again.\n")
    for _ in range(3):
        page.keyboard.press("Control+Enter", delay=50)
    page.go_back()
    expect(page.get_by_role("table", name="Problems")).to_be_visible()
    system.eventually(lambda: sent(ada) == 2)
    page.go_forward()
    expect(editor(page)).to_contain_text(ADDS)
    expect(verdict(page)).to_have_text("✓ Accepted")
    assert sent(ada) == 2


def test_who_goes_back_while_a_page_is_loaded_stays_there(open_browser: OpenBrowser) -> None:
    page, held = open_browser().open("/problems"), list[Route]()
    page.wait_for_load_state("networkidle")
    page.route(LATE, lambda route: held.append(route))  # noqa: PLW0108 — Playwright marks what it is given
    with page.expect_request(LATE):
        page.get_by_role("link", name="Contests").first.click()
    page.wait_for_url("**/contests")
    # Nothing is painted from now on, as on a busy machine.
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.evaluate("history.back()")
    page.wait_for_url("**/problems")
    held[0].continue_()
    page.evaluate("(name) => import(name)", held[0].request.url)
    page.clock.run_for(1000)
    expect(page.get_by_role("table", name="Problems")).to_be_visible()


def test_who_goes_back_before_a_page_that_was_loaded_again_is_alive_goes_back(
    open_browser: OpenBrowser,
) -> None:
    page, held = open_browser().open("/problems"), list[Route]()
    expect(page.get_by_role("table", name="Problems")).to_be_visible()
    page.get_by_role("link", name="Contests").click()
    expect(page.get_by_role("heading", name="Contests")).to_be_visible()
    page.route(LATE, lambda route: held.append(route))  # noqa: PLW0108 — Playwright marks what it is given
    # What the site begins with: by then it has read where the reader is.
    with page.expect_request("**/api/site"), page.expect_request(LATE):
        page.reload(wait_until="commit")
    page.evaluate("history.back()")
    page.wait_for_url("**/problems", wait_until="commit")
    for each in held:
        each.continue_()
    expect(page.get_by_role("table", name="Problems")).to_be_visible()


@pytest.mark.parametrize(
    ("pasted", "told"),
    [
        ("\x7fELF\x02\x01\x00\x00", "The source contains a NUL character. Is it a text?"),
        ("#" * 200_000, "The source is larger than this problem allows."),
    ],
    ids=["a program", "a large file"],
)
def test_what_is_pasted_by_mistake_is_refused_in_the_readers_language_and_stays(
    open_browser: OpenBrowser, ada: Person, pasted: str, told: str
) -> None:
    hands = hands_of(open_browser, ada, ON_A_PHONE, "/problems/aplusb")
    hands.reader.expected.append("status of 400")
    hands.write(pasted)
    hands.press(hands.button("Submit"))
    expect(hands.page.get_by_role("alert").get_by_text(hands.said(told))).to_be_visible()
    assert not too_wide(hands.page)
    assert sent(ada) == 0
    expect(editor(hands.page)).to_contain_text(pasted[:4])


def test_a_name_without_a_blank_in_it_makes_no_page_wider(system: System, open_browser: OpenBrowser) -> None:
    setter = system.one("setter")
    draft = problem_draft([(system.store(setter, "1 2\n"), system.store(setter, "3\n"))], TOKENS)
    draft["limits"] = {"time_ms": 2000, "memory_bytes": 256 << 20, "output_bytes": 1 << 16}
    draft["statements"] = [{"locale": "en", "title": UNBROKEN, "markdown": UNBROKEN * 2}]
    problem = setter.post("/problems", draft)
    setter.put(f"/problems/{problem['id']}/published", {"enabled": True})
    person = system.person(name="x" * 32)
    judged = person.judged(person.submit(problem["id"]))
    contest = setter.post("/contests", contest_draft(problem) | {"title": UNBROKEN})
    person.post(f"/contests/{contest['id']}/participants", {"display_name": UNBROKEN[:64]})
    person.post(f"/contests/{contest['id']}/clarifications", {"text": UNBROKEN})
    page = open_browser(setter).open("/nowhere")
    addresses = [
        "/", "/contests", *(f"/contests/{contest['id']}{part}" for part in PARTS),
        f"/problems/{problem['slug']}", f"/submissions/{judged['id']}", f"/u/{person.name}",
    ]  # fmt: skip
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": SCREEN})
        for address in addresses:
            go(page, address)
            assert not too_wide(page), (width, address)
    go(page, f"/problems?search={UNBROKEN}")
    expect(page.get_by_role("link", name=UNBROKEN)).to_be_visible()
    assert is_whole(page)


def is_whole(page: Page) -> bool:
    """Tell whether every column of the table is in sight."""
    return bool(
        page.evaluate(
            "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(table)".replace(
                "table", "document.querySelector('.table-frame')"
            )
        )
    )


def test_what_stands_below_many_cases_is_not_far_away(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    setter = system.one("setter")
    problem = system.problem(setter, cases=[("1 2\n", "3\n")] * (CASES - 1) + [("2 2\n", "5\n")])
    judged = ada.judged(ada.submit(problem["id"], SUM, "cpp17"))
    page = open_browser(ada).open(f"/submissions/{judged['id']}")
    expect(page.get_by_role("table", name="Cases").get_by_role("row")).to_have_count(1 + CASES)
    strip = page.get_by_role("img", name=re.compile(f"of {CASES}"))
    expect(strip).to_contain_text(f"+{CASES - SHOWN}")
    below = page.get_by_role("heading", name="Life line").bounding_box()
    assert below is not None
    assert below["y"] < 2 * SCREEN
    assert not Axe(page).violations()
