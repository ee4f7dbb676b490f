"""The site in a real browser, on a system with the example problems.

A page must be as quiet as it is right: what a browser complains of fails the test that saw it.
"""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    StorageState,
    expect,
    sync_playwright,
)

from deepoj_kit.testing.chromium import FLAGS, INSTALL, find_chromium
from tests.e2e.conftest import CERTIFICATES, PASSWORD, running_system
from tests.e2e.test_journey import contest_draft

if TYPE_CHECKING:
    from deepoj_kit.testing.servers import Servers
    from tests.e2e.conftest import Json, Person, System

HERE = Path(__file__).parent
EXAMPLES = Path(__file__).parents[3] / "examples"
# As `deepoj up --demo` has it.
SETTINGS = {
    "registration": "open", "guest_accounts": "true", "demo": "true", "start_problem": "aplusb",
    # Whatever this machine has: operators are told of one that no worker has.
    "languages": "python3,c11,cpp17,cpp20,java17",
}  # fmt: skip
PATIENCE_MS = 60_000
DESK = 1280
# Pages of tests live for seconds: what else a browser does for those that are looked at for long costs more
# than it brings: the last of three compilers, several threads that paint, a process for that.
BRIEF = ("--js-flags=--no-opt", "--num-raster-threads=1", "--in-process-gpu")
expect.set_options(timeout=PATIENCE_MS)
# Before any script of the page: refusals of the page's own policy, Trusted Types among them, become errors.
WATCH = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} refused ${event.blockedURI} ${event.sample}`));
"""


@dataclass
class Reader:
    """Somebody before a browser of their own."""

    url: str
    context: BrowserContext
    page: Page
    expected: list[str] = field(default_factory=list)
    """Parts of complaints that the test provokes."""
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        self.page.goto(self.url + path)
        return self.page

    def another_tab(self) -> Page:
        return self.context.new_page()

    def unexpected(self) -> list[str]:
        """Return what the browser has complained of since this was last asked, and no test provoked."""
        complaints, self.complaints = self.complaints, []
        return [each for each in complaints if not any(part in each for part in self.expected)]

    def watch(self, page: Page) -> None:
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(f"{page.url}: {error}"))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "assert"}:
            self.complaints.append(f"{message.location['url']}: {message.text}")

    def note(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in {"data", "blob"} and f"{address.scheme}://{address.netloc}" != self.url:
            self.complaints.append(f"asked another host: {request.url}")


class SharedBrowser:
    def __init__(self) -> None:
        self._browser: Browser | None = None
        self._cleanup = ExitStack()

    def launched(self, chromium: str) -> Browser:
        if self._browser is None or not self._browser.is_connected():
            self.close()
            playwright = self._cleanup.enter_context(sync_playwright())
            self._browser = playwright.chromium.launch(executable_path=chromium, args=(*FLAGS, *BRIEF))
            self._cleanup.callback(self._browser.close)
        return self._browser

    def close(self) -> None:
        self._browser = None
        self._cleanup.close()


BROWSER = pytest.StashKey[SharedBrowser]()
World = dict[str, str]
Package = dict[str, bytes]
OpenBrowser = Callable[..., Reader]


@pytest.fixture(scope="session")
def chromium() -> str:
    found = find_chromium()
    if found is None:
        pytest.skip(f"needs a browser: {INSTALL}")
    return found


@pytest.fixture(scope="module")
def browser(chromium: str, pytestconfig: pytest.Config) -> Browser:
    """Give one to all tests here that follow each other; each opens contexts of its own in it."""
    return pytestconfig.stash.setdefault(BROWSER, SharedBrowser()).launched(chromium)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """While Playwright runs, no test with a loop of its own can: it ends before those elsewhere begin."""
    try:
        yield
    finally:
        if nextitem is None or not nextitem.path.is_relative_to(HERE):
            item.config.stash.setdefault(BROWSER, SharedBrowser()).close()


@pytest.fixture(scope="session")
def system(chromium: str, servers: Servers) -> Iterator[System]:
    assert chromium
    with running_system(servers, **SETTINGS) as system:
        for name in ("aplusb", "brackets", "circle"):
            load_example(system, name)
        yield system


@pytest.fixture(scope="session")
def world(system: System) -> World:
    """Make something for every page to show; return the names of it."""
    ada, judge = system.one("contestant"), system.one("judge")
    problem = system.guest.get("/problems/aplusb")
    contest = judge.post("/contests", contest_draft(problem))
    judge.post(f"/contests/{contest['id']}/broadcasts", {"text": "Welcome."})
    ada.post(f"/contests/{contest['id']}/participants", {"display_name": "Ada"})
    ada.post(f"/contests/{contest['id']}/clarifications", {"text": "Is zero a number?"})
    ada.judged(ada.submit(problem["id"], "print(3)\n", contest_id=contest["id"]))
    right = ada.judged(ada.submit(problem["id"], contest_id=contest["id"]))
    broken = ada.judged(ada.submit(problem["id"], "int main() { return }", "cpp17"))
    rejudge = judge.post(
        "/admin/rejudges", {"filter": {"contest_id": contest["id"]}, "reason": "A case was wrong."}
    )["rejudge_id"]
    system.eventually(lambda: judge.get(f"/admin/rejudges/{rejudge}")["judged"] == 2)
    return {
        "problem": "aplusb", "contest": contest["id"], "submission": right["id"],
        "compile_error": broken["id"], "contestant": ada.name, "rejudge": rejudge,
    }  # fmt: skip


@pytest.fixture
def open_browser(browser: Browser, system: System) -> Iterator[OpenBrowser]:
    """Give a function that opens a new browser for somebody, signed in when they have a name."""
    opened: list[Reader] = []

    def open_one(person: Person | None = None, url: str = system.url, locale: str = "en-GB") -> Reader:
        opened.append(new_reader(browser, url, person, locale))
        return opened[-1]

    yield open_one
    for reader in opened:
        reader.context.close()
    assert not [each for reader in opened for each in reader.unexpected()]


def new_reader(browser: Browser, url: str, person: Person | None, locale: str = "en-GB") -> Reader:
    """Give a browser whose owner wants no animation."""
    context = browser.new_context(
        locale=locale,
        color_scheme="light",
        viewport={"width": DESK, "height": 800},
        reduced_motion="reduce",
        storage_state=session_of(person, url) if person else None,
    )
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(WATCH)
    reader = Reader(url, context, context.new_page())
    reader.watch(reader.page)
    context.on("page", reader.watch)
    context.on("request", reader.note)
    return reader


def session_of(person: Person, url: str) -> StorageState:
    """Return what a browser holds after signing in: the cookies, and when they were made."""
    body = {"login": person.name, "password": PASSWORD, "transport": "cookie"}
    answer = httpx.post(f"{url}/api/auth/login", json=body, verify=CERTIFICATES)
    assert answer.status_code == 200, answer.text
    host = urlsplit(url).hostname or ""
    return {
        "cookies": [
            {
                "name": each.name, "value": each.value or "", "domain": host, "path": each.path,
                "expires": each.expires or -1, "httpOnly": True, "secure": False, "sameSite": "Strict",
            }
            for each in answer.cookies.jar
        ],
        "origins": [
            {
                "origin": url,
                "localStorage": [{"name": "deepoj.session", "value": str(int(time.time() * 1000))}],
            }
        ],
    }  # fmt: skip


def load_example(system: System, name: str) -> Json:
    """Import an example problem as a setter does, and publish it."""
    sent = {"content": packed(files_of(name)), "headers": {"content-type": "application/zip"}}
    done = system.admin.call("POST", "/problems/import", expect=201, params={"slug": name}, **sent)
    return system.admin.put(f"/problems/{done['problem']['id']}/published", {"enabled": True})


def files_of(example: str) -> Package:
    """Return the files of an example problem, by their paths in its package."""
    home = EXAMPLES / example
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file()
    }


def packed(files: Package) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        for name, content in files.items():
            target.writestr(name, content)
    return archive.getvalue()
