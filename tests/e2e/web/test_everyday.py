"""What people do every day: find a problem, see what differs, go by keys, look after their account."""

from __future__ import annotations

import json
import os
import re
import subprocess
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PASSWORD
from tests.e2e.test_journey import contest_draft
from tests.e2e.web.axe import Axe
from tests.e2e.web.conftest import load_example
from tests.e2e.web.hands import button, go, verdict, write
from tests.e2e.web.manner import ON_A_PHONE, hands_of

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System
    from tests.e2e.web.conftest import OpenBrowser

SLOW = "import time\ntime.sleep(0.4)\nprint(sum(map(int, input().split())))\n"
# Right for the samples of the problem summands, but not as they are shown; and with a zero digit.
OTHER = '#include <cstdio>\nint main() { int n; scanf("%d", &n); puts(n == 2 ? "1 1" : "9 2"); }\n'
ZERO = OTHER.replace("9 2", "10 1")
FOUR = '#include <cstdio>\nint main() { puts("4"); }\n'


@pytest.fixture
def ada(system: System) -> Person:
    return system.person()


def test_what_differs_is_shown_line_by_line_and_what_was_typed_survives_a_reload(
    open_browser: OpenBrowser, ada: Person
) -> None:
    page = open_browser(ada).open("/problems/aplusb")
    write(page, FOUR)
    button(page, "Run samples").click()
    difference = page.get_by_role("table", name="Expected and printed output, line by line")
    expect(difference.get_by_role("row").filter(has_text="differs:")).to_contain_text("4")
    page.reload()
    page.locator(".editor").hover()
    typed = page.locator(".cm-content")
    expect(typed).to_contain_text('puts("4")')
    language = page.locator(".workbench select").first
    language.select_option("python3")
    expect(typed).not_to_contain_text("puts")
    language.select_option("cpp17")
    expect(typed).to_contain_text('puts("4")')
    page.get_by_role("button", name="Use as input").first.click()
    button(page, "Run on this input").click()
    expect(page.get_by_label("Output")).to_have_text("4")
    button(page, "Submit").click()
    expect(verdict(page)).to_have_text("✗ Wrong answer")
    page.get_by_role("link", name="Details").click()
    page.get_by_role("button", name="sample/1").click()
    expect(difference.get_by_role("row").filter(has_text="differs:").first).to_contain_text("4")
    go(page, f"/u/{ada.name}")
    expect(page.get_by_role("img", name="1 submission in the last year")).to_be_visible()


def test_an_output_that_is_not_the_one_shown_is_right_if_the_problems_own_checker_says_so(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    load_example(system, "summands")
    hands = hands_of(open_browser, ada, ON_A_PHONE, "/problems/summands")
    second = hands.page.locator("button.trial").nth(1)
    for source, sign, told in (
        (OTHER, "✓", "The output differs from the one shown."),
        (ZERO, "✗", "Expected and printed output, line by line"),
    ):
        hands.write(source)
        hands.press(hands.button("Run samples"))
        expect(second).to_contain_text(sign)
        hands.press(second)
        expect(hands.page.locator(".console-outcome")).to_contain_text(hands.said(told))
    assert not Axe(hands.page).violations()
    assert not ada.get("/submissions", params={"user_id": ada.id})["items"]


def test_a_verdict_grows_case_by_case_and_each_language_has_its_beginning(
    open_browser: OpenBrowser, ada: Person
) -> None:
    page = open_browser(ada).open("/problems/aplusb")
    page.locator(".editor").hover()
    typed = page.locator(".cm-content")
    expect(typed).to_contain_text("int main()")
    page.locator(".workbench select").first.select_option("python3")
    expect(typed).not_to_contain_text("int main()")
    write(page, SLOW)
    button(page, "Submit").click()
    expect(verdict(page)).to_contain_text(re.compile("Case [1-7] of 7"))
    expect(page.locator(".live-verdict .case-sign:not(.case-waiting)")).not_to_have_count(0)
    expect(verdict(page)).to_have_text("✓ Accepted")


def test_problems_are_searched_chosen_and_sorted_and_the_address_says_so(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    ada.judged(ada.submit(system.guest.get("/problems/aplusb")["id"], "print(4)\n"))
    page = open_browser(ada).open("/problems?sort=oldest")
    rows = page.get_by_role("table", name="Problems").get_by_role("row")
    expect(rows.nth(1)).to_contain_text("A + B")
    expect(rows.nth(1)).to_contain_text("Tried")
    page.keyboard.press("/")
    page.keyboard.type("brack")
    expect(rows).to_have_count(1 + 1)
    assert "search=brack" in page.url
    page.get_by_placeholder("Search title or name").fill("")
    page.get_by_label("My state").select_option("tried")
    expect(rows).to_have_count(1 + 1)
    page.reload()
    expect(rows).to_have_count(1 + 1)
    page.get_by_role("link", name="arithmetic").first.click()
    expect(page.get_by_label("Tags")).to_have_value("arithmetic")


def test_keys_lead_anywhere_and_single_letters_can_be_turned_off(open_browser: OpenBrowser) -> None:
    page = open_browser().open("/settings/look")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("c")
    page.wait_for_url("**/contests")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Submit, in the editor")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search problems and pages").fill("aplusb")
    found = page.get_by_role("listbox").get_by_role("option", selected=True)
    expect(found).to_contain_text("aplusb")
    page.keyboard.press("Enter")
    page.wait_for_url("**/problems/aplusb")
    go(page, "/settings/look")
    page.get_by_label("Use shortcuts of single letters").uncheck()
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_tokens_are_shown_once_and_sessions_are_ended_from_the_settings(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    page = open_browser(ada).open("/settings/tokens")
    page.get_by_label("What it is for").fill("editor plugin")
    button(page, "Make token").click()
    expect(page.get_by_text("Copy it now: it is shown only once.")).to_be_visible()
    bearer = {"authorization": f"Bearer {page.locator('code.command').inner_text()}"}
    me = f"{system.url}/api/users/me"
    assert httpx.get(me, headers=bearer).json()["name"] == ada.name
    page.get_by_role("table").get_by_role("row").last.get_by_role("button").click()
    expect(page.get_by_text("No tokens yet")).to_be_visible()
    system.eventually(lambda: httpx.get(me, headers=bearer).status_code == httpx.codes.UNAUTHORIZED)
    go(page, "/settings/security")
    sessions = page.get_by_role("table", name="Where you are signed in").get_by_role("row")
    expect(sessions.filter(has_text="this one")).to_have_count(1)
    before = sessions.count()
    sessions.get_by_role("button", name="End").first.click()
    expect(sessions).to_have_count(before - 1)


def test_every_call_of_a_page_can_be_made_again_by_what_is_copied(
    open_browser: OpenBrowser, ada: Person
) -> None:
    name = 'Ada O\'Neil; $(id) `id` "&" \\'
    page = open_browser(ada).open("/settings/profile")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("Name that others see").fill(name)
    button(page, "Save").click()
    expect(page.locator(".account-name")).to_have_text(name)
    page.locator("footer").get_by_role("button", name="Calls of this page").click()
    calls = page.get_by_role("dialog", name="Calls of this page")
    change = calls.get_by_role("listitem").filter(has_text="PATCH /api/users/me")
    expect(change).to_contain_text("200")
    assert not Axe(page).violations()
    change.get_by_role("button", name="Copy as curl").click()
    expect(change.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    ada.call("PATCH", "/users/me", json={"display_name": ""})
    ran = subprocess.run(
        ["sh", "-c", f"{copied} --silent"], env={"TOKEN": ada.token, "PATH": os.environ["PATH"]},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(ran.stdout)["display_name"] == name
    assert ada.get("/users/me")["display_name"] == name
    assert "password" not in calls.inner_text()


def test_no_password_is_copied_with_a_call(open_browser: OpenBrowser, ada: Person) -> None:
    reader = open_browser()
    reader.expected.append("status of 401")
    page = reader.open("/login")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("Name or e-mail address").fill(ada.name)
    page.get_by_label("Password").fill("not this battery")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").get_by_role("button", name="Copy as curl").click()
    expect(page.get_by_role("alert").get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert ada.name in copied
    assert "battery" not in copied


def test_a_question_that_is_typed_when_the_session_has_ended_is_sent_after_signing_in(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    contest = system.one("judge").post("/contests", contest_draft(system.guest.get("/problems/aplusb")))
    ada.post(f"/contests/{contest['id']}/participants", {"display_name": "Ada"})
    reader = open_browser(ada)
    # The stream of the contest is refused to whom nobody knows any more.
    reader.expected += ("status of 401", "status of 403")
    page = reader.open(f"/contests/{contest['id']}/clarifications")
    page.get_by_label("Text").fill("May a be negative?")
    reader.context.clear_cookies()
    button(page, "Send").click()
    expect(page.get_by_text("Your session has ended").first).to_be_visible()
    page.get_by_role("link", name="Sign in").first.click()
    page.get_by_label("Name or e-mail address").fill(ada.name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**/contests/{contest['id']}/clarifications")
    expect(page.get_by_label("Text")).to_have_value("May a be negative?")
    button(page, "Send").click()
    expect(page.get_by_text("No answer yet")).to_be_visible()
