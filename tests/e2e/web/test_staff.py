"""A contest and its people, made and run without anything but the site."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.web.axe import Axe
from tests.e2e.web.hands import ADDS, SUM, button, editor, go, write
from tests.e2e.web.manner import AT_A_DESK, Hands, hands_of

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System
    from tests.e2e.web.conftest import OpenBrowser

TITLE = "Autumn contest"


@pytest.fixture
def ada(system: System) -> Person:
    return system.person()


def test_a_contest_is_planned_peopled_answered_and_ruled_on(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    hands = hands_of(open_browser, system.one("judge"), AT_A_DESK, "/contests/new")
    plans(hands)
    contest = hands.page.url.rpartition("/")[2]
    go(hands.page, f"/contests/{contest}/manage/people")
    signs_up_by_name(hands, ada)
    makes_accounts(hands, system)
    answers(hands, ada, contest)
    extends(hands, ada, contest)


def plans(hands: Hands) -> None:
    page, now = hands.page, datetime.now().astimezone()
    page.get_by_label("Contest", exact=True).fill(TITLE)
    page.get_by_label("Starts").fill((now - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M"))
    page.get_by_label("Ends").fill((now + timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M"))
    page.get_by_placeholder("Search a problem to add").fill("aplusb")
    page.get_by_role("button", name="+ A + B aplusb").click()
    hands.press(hands.button("Create contest"))
    expect(page.get_by_role("heading", name=TITLE)).to_be_visible()


def signs_up_by_name(hands: Hands, ada: Person) -> None:
    hands.page.get_by_text("Sign up accounts by their names").click()
    hands.page.get_by_label("Names").fill(f"{ada.name} nobody-{uuid4().hex[:8]}")
    hands.press(hands.button("Sign up 2"))
    hands.sees("1 signed up, 1 refused.")
    expect(hands.page.get_by_text("nobody has this name")).to_be_visible()
    expect(hands.table("People").get_by_role("row").filter(has_text=ada.name)).to_be_visible()


def makes_accounts(hands: Hands, system: System) -> None:
    """Try a list, make its accounts, and print what they sign in with."""
    page, name = hands.page, f"team{uuid4().hex[:8]}"
    page.get_by_text("Make accounts from a list").first.click()
    page.get_by_label("CSV").fill(f"name,display_name\n{name},Team One\nx!,Nobody\n")
    hands.press(hands.button("Try without doing it"))
    hands.sees("Would make 1 and refuse 1. Nothing has happened yet.")
    hands.press(hands.button("Make accounts and sign them up"))
    hands.sees("1 made, 1 refused. Passwords are shown only now.")
    slip_is_printed(page, system, name)


def slip_is_printed(page: Page, system: System, name: str) -> None:
    """On paper there are slips and nothing else, and one can sign in by what is on them."""
    slip = page.locator(".slips li").filter(has_text=name)
    expect(slip).to_contain_text(system.url)
    password = slip.locator("code").last.inner_text()
    page.emulate_media(media="print")
    expect(slip.get_by_text(password)).to_be_visible()
    for hidden in ("header.head", "footer", "main h1", "main form", "main table"):
        expect(page.locator(f"{hidden}:visible")).to_have_count(0)
    page.emulate_media(media="screen")
    assert system.log_in(name, password).id


def answers(hands: Hands, ada: Person, contest: str) -> None:
    """Answer with what was answered before: it is kept in the browser."""
    path = f"/contests/{contest}/clarifications"
    for text in ("May a be negative?", "May b be negative?"):
        ada.post(path, {"text": text})
    hands.press(hands.part("Questions"))
    first = hands.page.locator("form").filter(has=hands.page.get_by_label("Answer", exact=True)).first
    first.get_by_label("Answer", exact=True).fill("Both may.")
    first.get_by_role("button", name="Keep this answer").click()
    first.get_by_role("button", name="Send").click()
    expect(hands.page.get_by_role("button", name="Change the answer")).to_have_count(1)
    hands.page.reload()
    second = hands.page.locator("form").filter(has=hands.page.get_by_label("Answer", exact=True)).first
    second.get_by_label("Answers kept in this browser").select_option(label="Both may.")
    second.get_by_role("button", name="Send").click()
    expect(hands.page.get_by_role("button", name="Change the answer")).to_have_count(2)
    assert [each["answer"] for each in ada.get(path)["items"]] == ["Both may."] * 2


def extends(hands: Hands, ada: Person, contest: str) -> None:
    """See what a ruling does before it counts, and find it in the audit."""
    before = ada.get(f"/contests/{contest}")["contest"]["schedule"]["ends_at"]
    hands.press(hands.part("Rulings"))
    ruling = hands.page.get_by_role("form", name="Extend")
    ruling.get_by_label("Minutes").fill("30")
    ruling.get_by_label("Reason").fill("The power was out.")
    ruling.get_by_role("button", name="Show the effect").click()
    expect(ruling.get_by_text("Nothing on the board changes.")).to_be_visible()
    assert ada.get(f"/contests/{contest}")["contest"]["schedule"]["ends_at"] == before
    ruling.get_by_role("button", name="Make it count").click()
    hands.sees("Done. It is in the audit.")
    after = ada.get(f"/contests/{contest}")["contest"]["schedule"]["ends_at"]
    assert datetime.fromisoformat(after) - datetime.fromisoformat(before) == timedelta(minutes=30)
    hands.press(hands.part("Audit"))
    expect(hands.page.get_by_text("The power was out.").first).to_be_visible()


def test_accounts_come_from_a_list_with_slips_to_cut_out(system: System, open_browser: OpenBrowser) -> None:
    hands = hands_of(open_browser, system.one("admin"), AT_A_DESK, "/admin/users")
    page, name = hands.page, f"team{uuid4().hex[:8]}"
    page.get_by_text("Accounts from a list").first.click()
    page.get_by_label("List").fill(f"name\n{name}\nx!\n")
    hands.press(hands.button("Try, change nothing"))
    hands.sees("1 would be made, 1 refused.")
    hands.press(hands.button("Make 1 account"))
    hands.sees("1 was made, 1 refused.")
    slip_is_printed(page, system, name)
    go(page, "/admin/audit")
    made = hands.table("Audit log").get_by_role("row").filter(has_text="Account made by somebody else").first
    expect(made.get_by_role("link")).to_have_text([name, system.one("admin").name])


def test_an_account_is_renamed_and_deleted_whatever_is_typed_and_whoever_is_before_it(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    sent = ada.judged(ada.submit(system.guest.get("/problems/aplusb")["id"]))
    theirs = open_browser(ada)
    theirs.expected += ("status of 401", "status of 403")
    write(theirs.open("/problems/aplusb"), SUM)
    hands = hands_of(open_browser, system.one("admin"), AT_A_DESK, f"/admin/users?search={ada.name}")
    hands.reader.expected.append("status of 4")
    renames(hands, ada)
    late = replace(hands, page=hands.reader.another_tab())
    late.page.goto(hands.page.url)
    late.press(late.button(f"Change {ada.name}"))
    late.fill(f"To delete it, type {ada.name}", ada.name)
    deletes(hands, system, ada)
    late.press(late.button("Delete the account"))
    expect(late.page.get_by_role("alert")).to_contain_text("This account has been deleted.")
    # Names are kept for some seconds by whoever shows them.
    shown = f"/submissions/{sent['id']}"
    system.eventually(lambda: system.admin.get(shown)["submission"]["user_name"] != ada.name)
    go(hands.page, shown)
    hands.sees("deleted account")
    expect(hands.page.locator("main a[href^='/u/']")).to_have_count(0)
    button(theirs.page, "Submit").click()
    expect(theirs.page.get_by_text("Your session has ended").first).to_be_visible()
    theirs.page.reload()
    theirs.page.locator(".editor").hover()
    expect(editor(theirs.page)).to_contain_text(ADDS)


def renames(hands: Hands, ada: Person) -> None:
    """What would turn a line round, hide itself or be a command is refused or shown as it is."""
    hands.press(hands.button(f"Change {ada.name}"))
    dialog = hands.page.get_by_role("dialog")
    shown = dialog.get_by_label("Name that others see")
    for hostile in ("\u202enimda", "\u200b\u200b", "   "):
        shown.fill(hostile)
        hands.press(hands.button("Change the name"))
        expect(dialog.get_by_role("alert")).to_contain_text("A shown name is one line of at most 64")
        expect(shown).to_have_value(hostile)
    assert not Axe(hands.page).violations()
    name = "<img src=x onerror=alert(1)> Team & Co."
    shown.fill(name)
    hands.press(hands.button("Change the name"))
    expect(hands.table("Users").get_by_role("row").filter(has_text=ada.name)).to_contain_text(name)
    assert ada.get("/users/me")["display_name"] == name


def deletes(hands: Hands, system: System, ada: Person) -> None:
    hands.press(hands.button(f"Change {ada.name}"))
    for almost in ("", ada.name.upper(), f"{ada.name} "):
        hands.fill(f"To delete it, type {ada.name}", almost)
        expect(hands.button("Delete the account")).to_be_disabled()
    hands.fill(f"To delete it, type {ada.name}", ada.name)
    hands.press(hands.button("Delete the account"))
    expect(hands.table("Users").get_by_role("row").filter(has_text=ada.name)).to_have_count(0)
    system.guest.get(f"/users/by-name/{ada.name}", expect=404)
