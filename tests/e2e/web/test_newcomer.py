"""Somebody who has never been here gets a verdict within a minute."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

from tests.e2e.web.hands import SUM, button, editor, link, tab_to, verdict, write
from tests.e2e.web.manner import ON_A_PHONE, hands_of

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
    # The driver clicks again when what it clicks is exchanged meanwhile; nobody else does.
    editor(page).hover()
    expect(page.locator(".cm-content")).to_be_visible()
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
    page.get_by_text("The same run again").click()
    expect(page.get_by_text("deepoj judge aplusb.zip")).to_be_visible()


def test_a_newcomer_can_do_it_by_the_keyboard_alone_on_a_phone_in_chinese(open_browser: OpenBrowser) -> None:
    hands = hands_of(open_browser, None, ON_A_PHONE, "/")
    page = hands.page
    tab_to(page, editor(page))
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(SUM)
    page.keyboard.press("Control+'")
    hands.press(hands.button("Go on as a guest"))
    expect(page.get_by_role("button", name=re.compile(f"{hands.words('Sample 1')} AC"))).to_be_visible()
    tab_to(page, editor(page))
    page.keyboard.press("Control+Enter")
    expect(verdict(page)).to_have_text(re.compile(f"✓ {hands.words('Accepted')}"))
    hands.press(hands.link("Details"))
    expect(page.get_by_role("heading", name=hands.named("Life line"))).to_be_visible()


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
    row = page.get_by_role("row").filter(has=page.locator("a[href='/problems/aplusb']"))
    expect(row).to_contain_text("Solved")
    expect(row.locator("svg")).to_be_visible()
