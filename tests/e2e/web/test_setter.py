"""A problem from a dropped package to the public."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.web.conftest import files_of, packed
from tests.e2e.web.hands import button, drop, link

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System
    from tests.e2e.web.conftest import OpenBrowser, Package

SLUG, TITLE = "sum-of-two", "Sum of two"
# Few solutions: the judge runs each of them.
SOLUTIONS = ("sum.py", "signs.py")


@pytest.fixture(scope="module")
def files() -> Package:
    example = files_of("aplusb")
    renamed = example["problem.yaml"].replace(b"en: A + B", f"en: {TITLE}".encode())
    return {
        name: content
        for name, content in (example | {"problem.yaml": renamed}).items()
        if not name.startswith("submissions/") or name.endswith(SOLUTIONS)
    }


@pytest.fixture
def setter(system: System) -> Person:
    return system.one("setter")


def test_a_package_is_dropped_read_verified_and_published(
    system: System, open_browser: OpenBrowser, setter: Person, files: Package
) -> None:
    page = open_browser(setter).open("/setter/import")
    page.get_by_label("Name in the address").fill(SLUG)
    drop(page, "sum.zip", packed(files))
    expect(page.get_by_text("can be imported, as revision 1. Nothing is stored yet.")).to_be_visible()
    setter.get(f"/problems/{SLUG}", expect=404)
    button(page, "Import it").click()
    expect(page.get_by_text("is here, revision 1, hidden until you publish it.")).to_be_visible()
    link(page, "Look at it").click()
    expect(page.get_by_role("heading", name=TITLE, exact=True).first).to_be_visible()
    sees_the_tests(page)
    verifies(page)
    publishes(page, system)
    imports_a_new_statement(page, files)


def sees_the_tests(page: Page) -> None:
    link(page, "Tests").click()
    cases = page.get_by_role("table", name="Cases")
    expect(cases.get_by_role("row")).to_have_count(1 + 2 + 5)
    expect(cases.get_by_role("cell", name="04-largest")).to_be_visible()


def verifies(page: Page) -> None:
    """Have the judge run every solution, and be told of each."""
    link(page, "Verify").click()
    button(page, "Verify on the judge").click()
    expect(page.get_by_text("Everything is as the package says.")).to_be_visible()
    solutions = page.get_by_role("table", name="Solutions")
    for name in SOLUTIONS:
        expect(solutions.get_by_role("row").filter(has_text=name)).to_contain_text("✓ yes")


def publishes(page: Page, system: System) -> None:
    system.guest.get(f"/problems/{SLUG}", expect=404)
    link(page, "Publish").click()
    button(page, "Publish").click()
    expect(page.get_by_text("Everybody sees it and can submit.")).to_be_visible()
    assert system.guest.get(f"/problems/{SLUG}")["title"] == TITLE


def imports_a_new_statement(page: Page, files: Package) -> None:
    """Change what people read, and see that no verdict depends on it."""
    link(page, "Import again").click()
    expect(page.get_by_label("Import as")).to_have_value(SLUG)
    statement = "statement/problem.en.md"
    drop(page, "sum.zip", packed(files | {statement: files[statement] + b"\nNothing else.\n"}))
    expect(page.get_by_text("The statement in en changes.")).to_be_visible()
    button(page, "Store it as the new revision").click()
    expect(page.get_by_text("is at revision 2 now.")).to_be_visible()
    expect(page.get_by_text("Judged as before: no rejudge is needed")).to_be_visible()
