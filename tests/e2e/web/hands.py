"""What people do on a page, by the names that they read there."""

from __future__ import annotations

from base64 import b64encode

from playwright.sync_api import Locator, Page, expect

# Right for the problem aplusb, in the language that the editor begins with.
# Without streams: those take a compiler four times as long.
ADDS = 'printf("%lld", a + b)'
SUM = f'#include <cstdio>\nint main() {{ long long a, b; scanf("%lld %lld", &a, &b); {ADDS}; }}\n'
MOST_TABS = 80
CARRY = """([name, base64]) => {
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], name));
  return carried;
}"""

IS_BEFORE = """(wanted) => {
  const place = document.activeElement?.compareDocumentPosition(wanted.getRootNode().host ?? wanted);
  return Boolean(place & Node.DOCUMENT_POSITION_PRECEDING);
}"""
WHERE = """(wanted) => {
  if (wanted.getRootNode().activeElement === wanted) return "there";
  return document.activeElement?.shadowRoot ? "editor" : "elsewhere";
}"""


def editor(page: Page) -> Locator:
    """Find the editor: a text area, or more than that once somebody has turned to it."""
    return page.locator(".editor textarea, .cm-content").first


def write(page: Page, source: str) -> None:
    """Replace what is in the editor."""
    editor(page).click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(source)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def link(page: Page, name: str) -> Locator:
    return page.get_by_role("link", name=name, exact=True)


def row(page: Page, name: str) -> Locator:
    """Find somebody's row of the board, in its place."""
    return page.locator(".board-body").get_by_role("row").filter(has=page.locator(f"[title='{name}']"))


def drop(page: Page, name: str, content: bytes) -> None:
    """Drag a file from elsewhere to where the page takes one."""
    carried = page.evaluate_handle(CARRY, [name, b64encode(content).decode()])
    page.dispatch_event(".drop", "drop", {"dataTransfer": carried})


def verdict(page: Page) -> Locator:
    """Find what the page says of the last submission."""
    return page.locator(".live-outcome")


def tab_to(page: Page, wanted: Locator) -> None:
    """Go there by the Tab key alone, forwards or backwards."""
    expect(wanted).to_be_visible()
    expect(wanted).to_be_enabled()
    key = "Shift+Tab" if wanted.evaluate(IS_BEFORE) else "Tab"
    for _ in range(MOST_TABS):
        page.keyboard.press(key)
        # Looked for each time: what is read again may be drawn anew.
        where = wanted.evaluate(WHERE)
        if where == "there":
            return
        if where == "editor":
            # The Tab key indents in it, unless one leaves it so.
            page.keyboard.press("Escape")
    raise AssertionError(f"the Tab key does not lead to {wanted}")


def go(page: Page, address: str) -> None:
    """Go to another page of the site as the browser's own buttons do."""
    page.evaluate(
        """(address) => {
          for (const each of document.querySelectorAll("main > *")) each.dataset.left = "";
          history.pushState(null, "", address);
          dispatchEvent(new PopStateEvent("popstate"));
        }""",
        address,
    )
    expect(page.locator("main [data-left]")).to_have_count(0)
    settled(page)


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
