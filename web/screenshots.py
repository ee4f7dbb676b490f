"""Make the pictures of docs/screenshots from a running demo.

    ./deepoj up --demo                                  # in another terminal
    uv run web/screenshots.py http://127.0.0.1:8000

Needs Chromium.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from deepoj_kit.testing.chromium import FLAGS, INSTALL, find_chromium

DIRECTORY = Path(__file__).parents[1] / "docs" / "screenshots"
MOST_BYTES = 150_000
PATIENCE_MS = 60_000
SOLUTION = "a, b = map(int, input().split())\nprint(a + b)\n"
WRONG = "a, b = map(int, input().split())\nprint(a - b)\n"


def take(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    path = DIRECTORY / f"{name}.png"
    page.screenshot(path=path, animations="disabled")
    size = path.stat().st_size
    print(f"{path.name}: {size // 1000} kB")
    if size > MOST_BYTES:
        sys.exit(f"{path} is larger than {MOST_BYTES // 1000} kB: choose a quieter page")


def submit(page: Page, source: str, verdict: str) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(source)
    page.get_by_role("button", name="Run samples").click()
    guest = page.get_by_role("button", name="Go on as a guest")
    if page.get_by_role("dialog").is_visible():
        guest.click()
    expect(page.get_by_role("button", name="Sample 1")).to_be_visible()
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator(".live-outcome")).to_contain_text(verdict)


def pictures(browser: Browser, url: str) -> None:
    """Take them on the way of somebody who is here for the first time."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(url)
    page.locator(".cm-content").wait_for()
    take(page, "start")
    page.locator(".workbench select").select_option("python3")
    submit(page, WRONG, "Wrong answer")
    submit(page, SOLUTION, "Accepted")
    page.goto(f"{url}/problems/aplusb")
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".live-outcome")).to_contain_text("Accepted")
    take(page, "problem-dark")
    page.emulate_media(color_scheme="light")
    page.get_by_role("link", name="Details").click()
    expect(page.get_by_role("heading", name="Life line")).to_be_visible()
    take(page, "submission")
    page.goto(f"{url}/problems")
    page.locator("main table").wait_for()
    take(page, "problems")
    context.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("url", help="of a demo, such as http://127.0.0.1:8000")
    arguments = parser.parse_args()
    chromium = find_chromium()
    if chromium is None:
        sys.exit(f"needs a browser: {INSTALL}")
    DIRECTORY.mkdir(exist_ok=True)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        pictures(browser, arguments.url.rstrip("/"))
        browser.close()


if __name__ == "__main__":
    main()
