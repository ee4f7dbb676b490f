"""What people type is shown as they typed it and never becomes a part of the page.

The browser's complaints fail these tests too:
an attempt that the policy of the page has to stop is one too many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import TOKENS, problem_draft
from tests.e2e.web.hands import button, verdict, write

if TYPE_CHECKING:
    from tests.e2e.conftest import Json, Person, System
    from tests.e2e.web.conftest import OpenBrowser

HOSTILE = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>"
LINK = "[here](javascript:document.title='broken')"


def harmless(page: Page, *, shown: str = HOSTILE) -> None:
    expect(page.get_by_text(shown).first).to_be_visible()
    unbroken(page)


def unbroken(page: Page) -> None:
    assert page.locator("img[src=x], [onerror], main script, a[href^='javascript:']").count() == 0
    assert page.title() != "broken"


@pytest.fixture
def eve(system: System) -> Person:
    return system.person()


def test_names_and_what_people_say_of_themselves(
    system: System, open_browser: OpenBrowser, eve: Person
) -> None:
    name = HOSTILE[:60]
    eve.call("PATCH", "/users/me", json={"display_name": name, "bio": HOSTILE})
    page = open_browser(eve).open(f"/u/{eve.name}")
    harmless(page)
    harmless(page, shown=name)
    eve.submit(system.guest.get("/problems/aplusb")["id"])
    page.goto(f"{system.url}/submissions?whose=all")
    unbroken(page)


def test_what_a_compiler_says_and_a_program_prints(open_browser: OpenBrowser, eve: Person) -> None:
    page = open_browser(eve).open("/problems/aplusb")
    write(page, f"#error {HOSTILE}\n")
    button(page, "Submit").click()
    expect(verdict(page)).to_have_text("⚙ Compile error")
    harmless(page)
    page.get_by_role("link", name="Details").click()
    expect(page.get_by_role("heading", name="Life line")).to_be_visible()
    harmless(page)
    page.goto(page.url.split("/submissions")[0] + "/run")
    escaped = HOSTILE.replace('"', '\\"')
    write(page, f'#include <cstdio>\nint main() {{ puts("{escaped}"); fputs("{escaped}", stderr); }}\n')
    page.get_by_label("Input").fill(HOSTILE)
    button(page, "Run").click()
    expect(page.get_by_label("Standard error")).to_have_text(HOSTILE)
    expect(page.get_by_label("Output")).to_have_text(HOSTILE)
    unbroken(page)


@pytest.fixture
def hostile_problem(system: System) -> Json:
    setter = system.one("setter")
    case = (system.store(setter, HOSTILE), system.store(setter, HOSTILE))
    draft = problem_draft([case], TOKENS)
    draft["limits"] = {"time_ms": 2000, "memory_bytes": 256 << 20, "output_bytes": 1 << 16}
    text = f"Hello {HOSTILE} {LINK}\n\n$\\text{{{HOSTILE}}}$"
    draft["statements"] = [{"locale": "en", "title": HOSTILE[:80], "markdown": text}]
    draft["samples"] = [{"input": HOSTILE, "output": HOSTILE}]
    made = setter.post("/problems", draft)
    return setter.put(f"/problems/{made['id']}/published", {"enabled": True})


def test_what_a_setter_writes(system: System, open_browser: OpenBrowser, hostile_problem: Json) -> None:
    page = open_browser().open(f"/problems/{hostile_problem['slug']}")
    expect(page.get_by_role("heading", name=HOSTILE[:80])).to_be_visible()
    expect(page.get_by_text("Hello")).to_be_visible()
    harmless(page)
    page.goto(f"{system.url}/problems")
    expect(page.get_by_role("link", name=HOSTILE[:80])).to_be_visible()
    unbroken(page)
    page.goto(f"{system.url}/problems?search={HOSTILE}")
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    unbroken(page)
