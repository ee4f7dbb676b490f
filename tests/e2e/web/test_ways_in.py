"""The ways into a site that does not let everybody in: a code by mail, an invitation, none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

from playwright.sync_api import expect

from tests.e2e.conftest import PASSWORD
from tests.e2e.web.axe import Axe
from tests.e2e.web.manner import AT_A_DESK, ON_A_PHONE, Hands, hands_of

if TYPE_CHECKING:
    from tests.e2e.conftest import System
    from tests.e2e.web.conftest import OpenBrowser


@contextmanager
def site(system: System, way: str) -> Iterator[str]:
    """Give the address of the same site where one registers that way."""
    settings = system.settings | {"registration": way, "guest_accounts": "false"}
    user = system.start("deepoj_user", settings, listen=f"unix:{system.mail.parent}/{way}.sock")
    with system.another_door(user_address=user.address) as door:
        yield door.url
    user.process.stop()


def registers(hands: Hands, name: str) -> None:
    hands.fill("Name", name)
    hands.fill("Password", PASSWORD)


def sends(hands: Hands) -> None:
    hands.press(hands.page.get_by_role("main").get_by_role("button", name=hands.named("Create account")))


def is_in(hands: Hands, name: str) -> None:
    expect(hands.page.locator(".account-name")).to_have_text(name)
    hands.page.goto("about:blank")


def test_who_registers_by_mail_types_nothing_twice_when_the_code_was_wrong(
    system: System, open_browser: OpenBrowser
) -> None:
    name = f"post{uuid4().hex[:10]}"
    with site(system, "mail") as url:
        hands = hands_of(partial(open_browser, url=url), None, ON_A_PHONE, "/register")
        hands.reader.expected.append("status of 4")
        registers(hands, name)
        hands.fill("E-mail address", f"{name}@example.org")
        hands.press(hands.button("Send a code"))
        hands.sees("A code is on its way.")
        code = system.captcha(f"{name}@example.org")
        hands.fill("Code from the mail", "not-this-one")
        sends(hands)
        hands.sees("The code is wrong or no longer good.")
        expect(hands.field("Name")).to_have_value(name)
        assert not Axe(hands.page).violations()
        hands.fill("Code from the mail", code)
        sends(hands)
        is_in(hands, name)


def test_a_code_of_an_admin_lets_one_person_in_and_no_second(
    system: System, open_browser: OpenBrowser
) -> None:
    with site(system, "invitation") as url:
        staff = open_browser(system.one("admin"), url=url).open("/admin/invitations")
        note = f"Note {uuid4().hex[:8]}"
        staff.get_by_label("Note").fill(note)
        staff.get_by_role("main").get_by_role("button", name="Make code").click()
        made = staff.get_by_role("table").get_by_role("row").filter(has_text=note)
        code = made.locator("code").inner_text()
        staff.goto("about:blank")
        for name, is_let_in in ((f"first{uuid4().hex[:8]}", True), (f"second{uuid4().hex[:8]}", False)):
            hands = hands_of(partial(open_browser, url=url), None, AT_A_DESK, "/register")
            hands.reader.expected.append("status of 4")
            registers(hands, name)
            hands.fill("Invitation code", code)
            sends(hands)
            if is_let_in:
                is_in(hands, name)
            else:
                hands.sees("This invitation is unknown, used up or expired. Ask for another one.")
                hands.page.goto("about:blank")


def test_a_closed_site_says_whom_to_ask(system: System, open_browser: OpenBrowser) -> None:
    with site(system, "closed") as url:
        page = open_browser(url=url).open("/register")
        expect(page.get_by_text("New accounts are made by the people who run this site.")).to_be_visible()
        expect(page.get_by_label("Password")).to_have_count(0)
        page.goto("about:blank")
