"""What can be read without JavaScript, and what the site's script makes of it when there is one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.e2e.test_journey import contest_draft
from tests.e2e.web.conftest import PATIENCE_MS
from tests.e2e.web.hands import editor

if TYPE_CHECKING:
    from tests.e2e.conftest import Json, System
    from tests.e2e.web.conftest import OpenBrowser, World

HOSTILE = "</script><img src=x onerror=alert(1)>"
# Of the page, by area and way, as browsers count it.
MOST_SHIFT = 0.02
WATCH_SHIFTS = """
window.shifts = [];
const where = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
const told = ({ node, previousRect, currentRect }) =>
  `${(node?.outerHTML ?? node?.data ?? "").slice(0, 60)}: ${where(previousRect)} to ${where(currentRect)}`;
new PerformanceObserver((list) => list.getEntries().forEach((entry) =>
  shifts.push([entry.value, entry.sources.map(told)]))).observe({ type: "layout-shift", buffered: true });
"""
HELD_BACK = "without_script_hidden"


@pytest.fixture
def page(browser: Browser, system: System) -> Iterator[Page]:
    """A browser that runs no script."""
    context = browser.new_context(java_script_enabled=False, base_url=system.url, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def read(page: Page, path: str, has: str) -> None:
    """Open a page until its content is in it: a service that was slow leaves it to the script."""
    for _ in range(20):
        page.goto(path)
        if page.get_by_text(has).count():
            return
    raise AssertionError(f"{path} never has {has!r}:\n{page.inner_text('body')}")


def reasons(page: Page) -> str:
    """Return what the page says of what is not there."""
    shown = page.locator("noscript p")
    expect(shown.first).to_be_visible()
    return " ".join(shown.all_inner_texts())


def test_a_statement_is_read_from_the_list(page: Page, world: World) -> None:
    read(page, "/problems", "Solved / tried by")
    page.get_by_role("row").get_by_role("link", name="A + B").first.click()
    read(page, f"/problems/{world['problem']}", "Sample input 1")
    expect(page.locator(".statement")).to_be_visible()
    assert "submitting programs needs JavaScript" in reasons(page)
    assert "This is what a guest can read here without JavaScript" in reasons(page)


def test_the_start_and_the_contests_are_readable(page: Page, world: World) -> None:
    read(page, "/", "Start here:")
    read(page, "/contests", "participant")
    title = page.locator(f"a[href='/contests/{world['contest']}']").first
    expect(title).to_be_visible()
    read(page, f"/contests/{world['contest']}", "Schedule")


def test_the_first_rows_of_a_public_board_are_readable(page: Page, world: World) -> None:
    read(page, f"/contests/{world['contest']}/board", "Penalty")
    row = page.get_by_role("row").filter(has_text="Ada")
    expect(row.get_by_text("★+1")).to_be_visible()
    assert "These are the first 100 rows" in reasons(page)


@pytest.mark.parametrize("path", ["/login", "/submissions", "/setter", "/nothing/like/this"])
def test_the_rest_says_why_it_is_not_there(page: Page, path: str) -> None:
    page.goto(path)
    assert "it needs JavaScript" in reasons(page)


@pytest.fixture(scope="module")
def kept_back(system: System) -> Iterator[dict[str, Json]]:
    """Make what no guest may see: a hidden problem, a private contest, what was solved after the freeze."""
    problem = system.guest.get("/problems/aplusb")
    judge, ada = system.one("judge"), system.one("contestant")
    hidden = system.admin.get("/problems/brackets")
    system.admin.put(f"/problems/{hidden['id']}/published", {"enabled": False})
    private = judge.post(
        "/contests", {**contest_draft(problem), "title": HELD_BACK, "entry": {"private": True}}
    )
    draft = contest_draft(problem)
    schedule = {**draft["schedule"], "freezes_at": draft["schedule"]["starts_at"]}
    frozen = judge.post("/contests", {**draft, "title": HOSTILE, "schedule": schedule})
    ada.post(f"/contests/{frozen['id']}/participants", {"display_name": HOSTILE})
    ada.judged(ada.submit(problem["id"], contest_id=frozen["id"]))
    yield {"hidden": hidden, "private": private, "frozen": frozen}
    system.admin.put(f"/problems/{hidden['id']}/published", {"enabled": True})


def test_what_a_guest_may_not_see_is_in_no_page(
    page: Page, system: System, kept_back: dict[str, Json]
) -> None:
    read(page, f"/contests/{kept_back['frozen']['id']}/board", "Penalty")
    row = page.get_by_role("row").filter(has_text=HOSTILE)
    expect(row.get_by_text("?1")).to_be_visible()
    assert row.get_by_text("✓").count() + row.get_by_text("★").count() == 0
    read(page, "/problems", "Solved / tried by")
    for path in ("/", "/problems", "/problems?search=brackets", "/problems/brackets", "/contests"):
        text = httpx.get(system.url + path).text
        assert kept_back["hidden"]["title"] not in text
        assert HELD_BACK not in text
    for path in ("", "/board"):
        assert HELD_BACK not in httpx.get(f"{system.url}/contests/{kept_back['private']['id']}{path}").text


def test_no_name_becomes_part_of_a_page_that_the_server_made(
    page: Page, open_browser: OpenBrowser, kept_back: dict[str, Json]
) -> None:
    path = f"/contests/{kept_back['frozen']['id']}/board"
    read(page, path, "Penalty")
    assert page.locator("img").count() == 0
    with_script = open_browser().open(path)
    expect(with_script.get_by_role("row").filter(has_text=HOSTILE)).to_be_visible()
    assert with_script.locator("img").count() == 0


@pytest.mark.parametrize("path", ["/", "/problems", "/problems/aplusb"])
def test_the_script_takes_over_what_is_there_without_asking_again_or_moving_it(
    page: Page, open_browser: OpenBrowser, path: str
) -> None:
    read(page, path, "Deep-OJ")
    read(page, path, "API")
    reader = open_browser()
    reader.context.add_init_script(WATCH_SHIFTS)
    asked: list[str] = []
    reader.page.on("request", lambda request: note(asked, request))
    reader.open(path)
    expect(reader.page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
    if path == "/problems":
        expect(reader.page.get_by_role("searchbox")).to_be_visible()
    else:
        expect(editor(reader.page)).to_be_visible()
    assert asked == ["/api/site"]
    shifts = reader.page.evaluate("shifts")
    assert sum(shift for shift, _ in shifts) <= MOST_SHIFT, shifts
    assert reader.page.locator(".noscript, noscript").count() <= 1


def note(asked: list[str], request: Request) -> None:
    if "/api/" in request.url:
        asked.append("/api/" + request.url.partition("/api/")[2])


def test_a_language_that_was_chosen_before_is_never_seen_after_another(open_browser: OpenBrowser) -> None:
    reader = open_browser()
    reader.context.add_init_script("localStorage.setItem('deepoj.locale', '\"zh\"')")
    reader.context.add_init_script(
        """new MutationObserver(() => {
          const site = document.getElementById("site");
          const seen = site && getComputedStyle(site).visibility === "visible";
          if (seen && site.textContent.includes("Solved / tried by"))
            console.error("another language was seen");
        }).observe(document, { childList: true, subtree: true });"""
    )
    page = reader.open("/problems")
    expect(page.get_by_role("heading", name="题目")).to_be_visible()
