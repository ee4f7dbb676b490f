"""Every page, for everybody: in both languages, light and dark, on a phone and a desk, in large letters."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.web.axe import Axe
from tests.e2e.web.conftest import Look

if TYPE_CHECKING:
    from tests.e2e.conftest import System
    from tests.e2e.web.conftest import OpenBrowser, World


class Shown(NamedTuple):
    path: str
    """Names in braces are filled in from the world."""
    role: str = ""
    """Who looks; a guest when empty."""


# A page is proved by a line here.
PAGES = [
    Shown("/"),
    Shown("/run"),
    Shown("/run", "contestant"),
    Shown("/problems"),
    Shown("/problems", "contestant"),
    Shown("/problems/{problem}"),
    Shown("/problems/{problem}", "contestant"),
    Shown("/problems/{problem}#submissions", "contestant"),
    Shown("/problems/{problem}#stats"),
    Shown("/submissions"),
    Shown("/submissions", "contestant"),
    Shown("/submissions/{submission}", "contestant"),
    Shown("/submissions/{compile_error}", "contestant"),
    Shown("/u/{contestant}"),
    Shown("/login"),
    Shown("/register"),
    Shown("/reset"),
    Shown("/settings/profile", "contestant"),
    Shown("/settings/security", "contestant"),
    Shown("/settings/tokens", "contestant"),
    Shown("/settings/look"),
    Shown("/contests"),
    Shown("/contests/{contest}"),
    Shown("/contests/{contest}", "contestant"),
    Shown("/contests/{contest}/A", "contestant"),
    Shown("/contests/{contest}/board", "contestant"),
    Shown("/contests/{contest}/tv"),
    Shown("/contests/{contest}/clarifications", "contestant"),
    Shown("/contests/{contest}/submissions", "contestant"),
    Shown("/no/such/page"),
]
# The pages of those who run things.
STAFF = [
    Shown("/contests/new", "judge"),
    *(
        Shown(f"/contests/{{contest}}/manage/{part}", "judge")
        for part in ("plan", "people", "questions", "rulings", "rejudge", "recompute", "audit", "finish")
    ),
    Shown("/setter", "admin"),
    Shown("/setter/import", "admin"),
    *(
        Shown(f"/setter/{{problem}}/{part}", "admin")
        for part in ("statement", "tests", "limits", "check", "revisions", "publish")
    ),
    *(
        Shown(f"/admin/{part}", "admin")
        for part in (
            "now",
            "queue",
            "workers",
            "dead",
            "rejudges",
            "users",
            "invitations",
            "audit",
            "limits",
        )
    ),
]
LOOKS = [*product(PAGES, ("en", "zh")), *product(STAFF, ("en",))]
PHONE, DESK = 360, 1280
# What a scheme of colours can break.
OF_COLOURS = ("color-contrast", "link-in-text-block")


@pytest.mark.parametrize(
    ("shown", "locale"),
    LOOKS,
    ids=[f"{shown.path} {shown.role or 'guest'} {locale}" for shown, locale in LOOKS],
)
def test_a_page_is_accessible_and_fits_in_every_look(
    shown: Shown, locale: str, system: System, world: World, open_browser: OpenBrowser
) -> None:
    reader = open_browser(system.one(shown.role) if shown.role else None, Look(locale))
    page = reader.open(shown.path.format_map(world))
    settled(page)
    assert page.locator("html").get_attribute("lang") == locale
    assert not page.evaluate("document.getAnimations().length")
    axe = Axe(page)
    found = {}
    for width in (DESK, PHONE):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme="light")
        found[f"{width} light"] = axe.violations()
        page.emulate_media(color_scheme="dark")
        found[f"{width} dark"] = axe.violations(*OF_COLOURS)
        found[f"{width} too wide"] = too_wide(page)
    page.set_viewport_size({"width": DESK, "height": 800})
    found["large letters too wide"] = in_large_letters(page)
    assert not {where: what for where, what in found.items() if what}


def settled(page: Page) -> None:
    """Wait until the page shows what it is about."""
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator("main .loading")).to_have_count(0)


def too_wide(page: Page) -> list[str]:
    """Name what makes the reader scroll sideways; what scrolls within itself does not."""
    found: list[str] = page.evaluate("""() => {
      const width = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= width) return [];
      const beyond = [...document.querySelectorAll("body *")]
        .filter((each) => each.getBoundingClientRect().right > width + 1);
      return ["the page scrolls sideways", ...beyond.slice(0, 5).map((each) => each.outerHTML.slice(0, 150))];
    }""")
    return found


def in_large_letters(page: Page) -> list[str]:
    """Look at it with letters twice as large, as a browser can be set to."""
    size = "() => parseFloat(getComputedStyle(document.querySelector('main h1')).fontSize)"
    before = page.evaluate(size)
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    assert page.evaluate(size) == pytest.approx(2 * before)
    return too_wide(page)
