"""Whoever runs the judge is told what is stuck, and sets it going again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.test_journey import lose
from tests.e2e.web.hands import button, link

if TYPE_CHECKING:
    from tests.e2e.conftest import Json, Person, System
    from tests.e2e.web.conftest import OpenBrowser

# In a file of no other test: the worker must not have it on its disk.
GIVEN, ANSWER = "987654321 123456789\n", "1111111110\n"


@pytest.fixture
def ada(system: System) -> Person:
    return system.person()


@pytest.fixture
def dead(system: System, ada: Person) -> list[Json]:
    """Give submissions that could not be judged: a file of their problem is lost."""
    setter = system.one("setter")
    problem = system.problem(setter, cases=[(GIVEN, ANSWER)])
    lose(system, system.store(setter, GIVEN)["sha256"])
    return [ada.judged(each) for each in [ada.submit(problem["id"]) for _ in range(2)]]


def test_what_could_not_be_judged_is_told_in_a_sentence_and_judged_again_as_a_group(
    system: System, open_browser: OpenBrowser, ada: Person, dead: list[Json]
) -> None:
    assert [each["status"] for each in dead] == ["dead", "dead"]
    page = open_browser(system.one("admin")).open("/admin/now")
    banner = page.locator(".verdict-banner")
    expect(banner).to_contain_text("2 submissions could not be judged.")
    expect(banner).to_contain_text("Read the errors below, mend the cause, then replay the group.")
    link(page, "All of them").click()
    groups = page.get_by_role("table", name="Not judged").get_by_role("row")
    expect(groups).to_have_count(1 + 1)
    expect(groups.last).to_contain_text("python3")
    system.store(system.one("setter"), GIVEN)
    button(page, "Judge all again").click()
    expect(page.get_by_text("2 are being judged again, 0 refused.")).to_be_visible()
    expect(page.get_by_text("Everything could be judged").first).to_be_visible()
    again = system.admin.get("/admin/dead-letters")["items"]
    assert [ada.judged(each["replayed_as"])["result"]["verdict"] for each in again] == ["AC", "AC"]
    link(page, "Now").click()
    expect(banner).not_to_contain_text("could not be judged")
