"""Before anybody has made anything each page says so, and what to do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import running_system
from tests.e2e.web.axe import Axe
from tests.e2e.web.conftest import SETTINGS, new_reader
from tests.e2e.web.hands import go

if TYPE_CHECKING:
    from deepoj_kit.testing.servers import Servers
    from tests.e2e.conftest import System

# Where there is nothing, and what is said there.
FOR_READERS = {
    "/": ("There are no problems yet", "With deepoj up --demo there are examples at once."),
    "/problems": ("There are no problems yet", "A setter can import a package"),
    "/contests": ("Nothing is running at the moment.", "Nothing is planned yet.", "No contest is over yet"),
    "/submissions": ("No submissions yet", "All problems"),
    "/settings/tokens": ("No tokens yet",),
}
FOR_STAFF = {
    "/setter": ("No problems here yet", "Drop a package"),
    "/admin/now": ("Nothing waits", "Everything could be judged"),
    "/admin/dead": ("Everything could be judged",),
    "/admin/rejudges": ("Nothing was ever rejudged", "Choose above what is judged again."),
    "/admin/invitations": ("No invitations",),
}


@pytest.fixture(scope="module")
def new_system(chromium: str, servers: Servers) -> Iterator[System]:
    """Give one of this file's own: in the one that tests share there is something, whoever came first."""
    assert chromium
    with running_system(servers, **SETTINGS) as system:
        yield system


def test_pages_without_anything_to_show_say_so_and_what_to_do(browser: Browser, new_system: System) -> None:
    assert new_system.guest.get("/problems")["items"] == []
    for role, pages in (("contestant", FOR_READERS), ("admin", FOR_STAFF)):
        reader = new_reader(browser, new_system.url, new_system.one(role))
        # The problem that the start page would begin with.
        reader.expected.append("status of 404")
        page = reader.open("/nowhere")
        axe = Axe(page)
        for address, sentences in pages.items():
            go(page, address)
            says(page, *sentences)
            assert not axe.violations()
        assert not reader.unexpected()
        reader.context.close()


def test_the_first_admin_is_told_on_the_start_page_where_the_password_lies(
    browser: Browser, new_system: System
) -> None:
    made = new_system.mail.parent / "admin.json"
    reader = new_reader(browser, new_system.url, None)
    reader.expected.append("status of 404")
    page = reader.open("/")
    says(page, f"Name and password of the first admin are on the server, in {'/'.join(made.parts[-2:])}.")
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    first = json.loads(made.read_text())
    page.get_by_label("Name or e-mail address").fill(first["name"])
    page.get_by_label("Password").fill(first["password"])
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.locator(".account-name")).to_be_visible()
    go(page, "/admin/now")
    says(page, "Nothing is stuck.")
    assert not reader.unexpected()
    reader.context.close()


def says(page: Page, *sentences: str) -> None:
    for each in sentences:
        expect(page.get_by_role("main").get_by_text(each).first).to_be_visible()
