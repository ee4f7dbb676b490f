"""Somebody who has never been here gets a verdict within a minute."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

from tests.e2e.web.hands import SUM, button, editor, link, tab_to, verdict, write

if TYPE_CHECKING:
    from tests.e2e.web.conftest import OpenBrowser

A_MINUTE = 60.0
COUNT = """
window.clicks = 0;
window.fields = new Set();
addEventListener("click", (event) => (window.clicks += event.isTrusted), true);
addEventListener("input", (event) => window.fields.add(event.composedPath()[0]), true);
"""


def samples_pass(page: Page) -> None:
    expect(page.get_by_role("button", name="Sample 1 AC")).to_be_visible()


def test_a_newcomer_has_a_verdict_within_a_minute_four_clicks_and_two_fields(
    open_browser: OpenBrowser,
) -> None:
    reader = open_browser()
    reader.context.add_init_script(COUNT)
    began = time.monotonic()
    page = reader.open("/")
    write(page, SUM)
    button(page, "Run samples").click()
    button(page, "Go on as a guest").click()
    samples_pass(page)
    button(page, "Submit").click()
    expect(verdict(page)).to_have_text("✓ Accepted")
    assert time.monotonic() - began < A_MINUTE
    assert page.evaluate("window.clicks") <= 4
    assert page.evaluate("window.fields.size") <= 2
    page.get_by_role("link", name="Details").click()
    expect(page.get_by_role("heading", name="Life line")).to_be_visible()


def test_a_newcomer_can_do_it_by_the_keyboard_alone(open_browser: OpenBrowser) -> None:
    page = open_browser().open("/")
    tab_to(page, editor(page))
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(SUM)
    page.keyboard.press("Control+'")
    tab_to(page, button(page, "Go on as a guest"))
    page.keyboard.press("Enter")
    samples_pass(page)
    tab_to(page, editor(page))
    page.keyboard.press("Control+Enter")
    expect(verdict(page)).to_have_text("✓ Accepted")
    page.keyboard.press("Escape")
    tab_to(page, page.get_by_role("link", name="Details"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Life line")).to_be_visible()


def test_what_a_newcomer_submits_before_signing_up_is_sent_afterwards_and_marked_as_solved(
    open_browser: OpenBrowser,
) -> None:
    page = open_browser().open("/problems/aplusb")
    write(page, SUM)
    button(page, "Submit").click()
    page.get_by_label("Name").fill("newcomer")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("dialog").get_by_role("button", name="Create account").click()
    expect(verdict(page)).to_have_text("✓ Accepted")
    link(page, "Problems").click()
    expect(page.get_by_role("row").filter(has=page.locator("a[href='/problems/aplusb']"))).to_contain_text(
        "Solved"
    )
