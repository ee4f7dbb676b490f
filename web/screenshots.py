"""Make the pictures of docs/screenshots from a running demo.

    ./deepoj up --demo                                  # in another terminal
    uv run web/screenshots.py http://127.0.0.1:8000 .deepoj/first-admin.json

The second is the file with the first admin's password that `up` names. Needs Chromium.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, expect, sync_playwright

from deepoj_kit.testing.chromium import FLAGS, INSTALL, find_chromium

DIRECTORY = Path(__file__).parents[1] / "docs" / "screenshots"
MOST_BYTES = 150_000
PATIENCE_MS = 60_000
SOLUTION = "a, b = map(int, input().split())\nprint(a + b)\n"
WRONG = "a, b = map(int, input().split())\nprint(a - b)\n"
TEAMS = ("Ada", "Blaise", "Charles", "Grace", "Hedy", "Kurt")


def take(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    path = DIRECTORY / f"{name}.png"
    page.screenshot(path=path, animations="disabled")
    size = path.stat().st_size
    print(f"{path.name}: {size // 1000} kB")
    if size > MOST_BYTES:
        sys.exit(f"{path} is larger than {MOST_BYTES // 1000} kB: choose a quieter page")


def submit(page: Page, source: str, verdict: str) -> None:
    page.locator(".editor").click()
    page.locator(".cm-content").wait_for()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(source)
    page.get_by_role("button", name="Run samples").click()
    if not page.locator(".account-name").count():
        page.get_by_role("button", name="Go on as a guest").click()
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
    page.locator(".editor").hover()
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
    expect(page.get_by_role("row").filter(has_text="A + B")).to_contain_text("Solved")
    take(page, "problems")
    context.close()


def staff_pictures(browser: Browser, url: str, first_admin: dict[str, str]) -> None:
    """Take them of a contest in which some have solved something, and of what its operator sees."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(f"{url}/login")
    page.get_by_label("Name or e-mail address").fill(first_admin["name"])
    page.get_by_label("Password").fill(first_admin["password"])
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.locator(".account-name").wait_for()
    contest = make_contest(url, first_admin)
    page.goto(f"{url}/contests/{contest}/board?view=public")
    expect(page.locator(".board-body .cell-solved, .board-body .cell-first")).to_have_count(len(TEAMS))
    take(page, "board")
    page.goto(f"{url}/admin/now")
    expect(page.get_by_text("Live: what is shown changes by itself.")).to_be_visible()
    expect(page.get_by_role("table", name="Workers")).to_contain_text("0 / 1")
    take(page, "operator")
    context.close()


def make_contest(url: str, first_admin: dict[str, str]) -> str:
    """Plan one that runs, and have every second team fail first."""
    given = {"login": first_admin["name"], "password": first_admin["password"]}
    admin = ask(url, "/auth/login", given)["tokens"]["access_token"]
    problem = httpx.get(f"{url}/api/problems/aplusb").raise_for_status().json()
    now = datetime.now(UTC)
    draft = {
        "title": "Autumn contest",
        "format": "icpc",
        "schedule": {
            "starts_at": (now - timedelta(minutes=40)).isoformat(),
            "ends_at": (now + timedelta(hours=2)).isoformat(),
        },
        "problems": [{"problem_id": problem["id"], "label": "A"}],
        "entry": {"during_contest": True},
    }
    contest = str(ask(url, "/contests", draft, admin)["id"])
    for number, team in enumerate(TEAMS):
        name = f"{team.lower()}{now:%H%M%S}"
        made = ask(url, "/users", {"name": name}, admin)
        session = ask(url, "/auth/login", {"login": name, "password": made["password"]})
        token = session["tokens"]["access_token"]
        ask(url, f"/contests/{contest}/participants", {"display_name": team}, token)
        for source in (WRONG, SOLUTION) if number % 2 else (SOLUTION,):
            sent = {"problem_id": problem["id"], "contest_id": contest, "language": "python3"}
            ask(url, "/submissions", sent | {"source": source}, token)
    return contest


def ask(url: str, path: str, body: object, token: str = "") -> Any:  # noqa: ANN401 — JSON
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return httpx.post(f"{url}/api{path}", json=body, headers=headers, timeout=30).raise_for_status().json()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("url", help="of a demo, such as http://127.0.0.1:8000")
    parser.add_argument("first_admin", type=Path, help="the file with the first admin's password")
    arguments = parser.parse_args()
    chromium = find_chromium()
    if chromium is None:
        sys.exit(f"needs a browser: {INSTALL}")
    DIRECTORY.mkdir(exist_ok=True)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        url = arguments.url.rstrip("/")
        pictures(browser, url)
        staff_pictures(browser, url, json.loads(arguments.first_admin.read_text()))
        browser.close()


if __name__ == "__main__":
    main()
