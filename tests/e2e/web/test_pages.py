"""Every page, for everybody: in both languages, light and dark, on a phone and a desk, in large letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.web.axe import Axe
from tests.e2e.web.conftest import DESK, Reader, new_reader
from tests.e2e.web.hands import go, settled, too_wide

if TYPE_CHECKING:
    from tests.e2e.conftest import System
    from tests.e2e.web.conftest import OpenBrowser, World


class Shown(NamedTuple):
    path: str
    """Names in braces are filled in from the world."""
    role: str = ""
    """Who looks; a guest when empty."""


# A page is proved by a line here; parts of one page do not follow each other.
PAGES = [
    Shown("/"),
    Shown("/run"),
    Shown("/run", "contestant"),
    Shown("/problems"),
    Shown("/problems", "contestant"),
    Shown("/problems/{problem}"),
    Shown("/problems/{problem}", "contestant"),
    Shown("/submissions"),
    Shown("/submissions", "contestant"),
    Shown("/submissions/{submission}", "contestant"),
    Shown("/submissions/{compile_error}", "contestant"),
    Shown("/problems/{problem}#submissions", "contestant"),
    Shown("/problems/{problem}#stats"),
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
    Shown("/admin/rejudges/{rejudge}", "judge"),
    Shown("/contests/{contest}/manage/rejudge?rejudge={rejudge}", "judge"),
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
PHONE = 360
Scheme = Literal["light", "dark"]
# What a scheme of colours can break; and what only a language and a width together can, by long words.
OF_COLOURS = ("color-contrast", "link-in-text-block")
OF_SIZES = ("scrollable-region-focusable", "target-size")
# Every language and every width is checked for everything, and each with dark colours too.
LOOKS: tuple[tuple[str, int, Scheme, tuple[str, ...]], ...] = (
    ("en", DESK, "light", ()), ("en", PHONE, "dark", OF_COLOURS + OF_SIZES),
    ("zh", DESK, "dark", OF_COLOURS + OF_SIZES), ("zh", PHONE, "light", ()),
)  # fmt: skip
# Half of what the site's tests take; with a group of its own it does not have to wait for the other half.
pytestmark = pytest.mark.xdist_group("pages")


class Onlooker(NamedTuple):
    reader: Reader
    axe: Axe


@pytest.fixture(scope="module")
def onlooker_of(browser: Browser, system: System) -> Iterator[Callable[[str], Onlooker]]:
    """Give somebody of a role, who goes from page to page without loading the site again."""

    @cache
    def open_one(role: str) -> Onlooker:
        reader = new_reader(browser, system.url, system.one(role) if role else None)
        opened.append(reader)
        settled(reader.open("/nowhere"))
        return Onlooker(reader, Axe(reader.page))

    opened: list[Reader] = []
    yield open_one
    for reader in opened:
        reader.context.close()
    assert not [each for reader in opened for each in reader.unexpected()]


@pytest.mark.parametrize(
    ("path", "role"),
    [*PAGES, *STAFF],
    ids=[f"{path} {role or 'guest'}" for path, role in (*PAGES, *STAFF)],
)
def test_a_page_is_accessible_and_fits_in_every_look(
    path: str, role: str, onlooker_of: Callable[[str], Onlooker], world: World, system: System
) -> None:
    reader, axe = onlooker_of(role)
    address, page = path.format_map(world), reader.page
    assert 'id="site"' in system.guest.http.get(address).text
    go(page, address)
    found = {}
    for locale, width, scheme, only in LOOKS:
        choose_language(page, locale)
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        assert not page.evaluate("document.getAnimations().length")
        look = f"{locale} {width} {scheme}"
        found[look] = too_wide(page) + axe.violations(*only)
        if width == DESK:
            found[f"{look} in large letters"] = in_large_letters(page)
    found["complaints"] = reader.unexpected()
    assert not {where: what for where, what in found.items() if what}


def test_the_site_speaks_the_language_of_the_browser(open_browser: OpenBrowser) -> None:
    page = open_browser(locale="zh-CN").open("/login")
    settled(page)
    assert page.locator("html").get_attribute("lang") == "zh"


def choose_language(page: Page, locale: str) -> None:
    if page.locator("html").get_attribute("lang") == locale:
        return
    # Even where nobody can: the board for a wall hides the foot of the page.
    page.locator("footer select", has=page.locator(f"[lang={locale}]")).select_option(locale, force=True)
    expect(page.locator("html")).to_have_attribute("lang", locale)
    settled(page)


def in_large_letters(page: Page) -> list[str]:
    """Look at it with letters twice as large, as a browser can be set to."""
    session = page.context.new_cdp_session(page)
    size = "() => parseFloat(getComputedStyle(document.querySelector('main h1')).fontSize)"
    before = page.evaluate(size)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    assert page.evaluate(size) == pytest.approx(2 * before)
    found = too_wide(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    session.detach()
    return found
