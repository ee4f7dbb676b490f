"""What people do on a page, by the names that they read there."""

from __future__ import annotations

from base64 import b64encode

from playwright.sync_api import Locator, Page, expect

# Right for the problem aplusb, in the language that the editor begins with.
SUM = "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b; }\n"
WRONG = "int main() {}\n"
MOST_TABS = 80
CARRY = """([name, base64]) => {
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], name));
  return carried;
}"""


def editor(page: Page) -> Locator:
    """Find the editor, once it is more than a text area."""
    return page.locator(".cm-content")


def write(page: Page, source: str) -> None:
    """Replace what is in the editor."""
    editor(page).click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(source)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def link(page: Page, name: str) -> Locator:
    return page.get_by_role("link", name=name, exact=True)


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name, exact=True)


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
    """Go there by the Tab key alone."""
    expect(wanted).to_be_visible()
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if wanted.evaluate("(each) => each.getRootNode().activeElement === each"):
            return
    raise AssertionError(f"the Tab key does not lead to {wanted}")
