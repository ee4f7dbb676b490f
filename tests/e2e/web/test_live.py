"""The event stream of a browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from deepoj_kit.embedded.free_ports import LOOPBACK, hold_port
from tests.e2e.conftest import PATIENCE
from tests.e2e.web.hands import SUM, button, verdict, write

if TYPE_CHECKING:
    from tests.e2e.conftest import System
    from tests.e2e.web.conftest import OpenBrowser

# The tab that reads the stream tells the others; so does anybody hear who listens there.
LISTEN = """
window.heard = [];
window.connected = [];
new BroadcastChannel("deepoj-live").onmessage = ({ data }) => {
  if (data.kind === "frame") heard.push(data.frame);
  if (data.kind === "state") connected.push(data.connected);
};
"""


# What a browser may find instead of a server that is killed, gone or not ready yet.
RESTARTED = (
    "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_CONNECTION_CLOSED", "ERR_EMPTY_RESPONSE",
    "ERR_INCOMPLETE_CHUNKED_ENCODING", "status of 503",
)  # fmt: skip


@pytest.fixture
def listen() -> Iterator[str]:
    """Give an address that nobody else is given while no server of ours listens there."""
    with hold_port() as kept:
        yield f"{LOOPBACK}:{kept.getsockname()[1]}"


@contextmanager
def door(system: System, listen: str) -> Iterator[None]:
    service = system.start("deepoj_bff", system.settings, listen=listen)
    yield
    service.process.kill()


def test_the_stream_comes_back_after_a_restart_and_tells_nothing_twice(
    system: System, open_browser: OpenBrowser, listen: str
) -> None:
    ada, problem = system.person(), system.guest.get("/problems/aplusb")
    with door(system, listen):
        reader = open_browser(ada, url=f"http://{listen}")
        reader.expected += RESTARTED
        reader.context.add_init_script(LISTEN)
        page = reader.open("/problems/aplusb")
        write(page, SUM)
        button(page, "Submit").click()
        expect(verdict(page)).to_have_text("✓ Accepted")
    wait_until(page, "connected.at(-1) === false")
    missed = ada.judged(ada.submit(problem["id"], "print(3)\n"))
    with door(system, listen):
        wait_until(page, "connected.at(-1) === true")
        live = ada.submit(problem["id"])
        system.eventually(lambda: live in ends_told(page))
        told = ends_told(page)
        assert len(told) == len(set(told))
        page.goto(f"{reader.url}/submissions")
        expect(page.locator(f"a[href='/submissions/{missed['id']}']").first).to_be_visible()


def wait_until(page: Page, condition: str) -> None:
    """Wait longer than a browser does between two tries, which is most of a minute in the end."""
    deadline = time.monotonic() + 3 * PATIENCE
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, f"{condition} did not come true"
        page.wait_for_timeout(100)


def ends_told(page: Page) -> list[str]:
    """Return of which submissions the end was told, as often as it was."""
    told: list[str] = page.evaluate(
        "heard.filter(({ event, data }) => event === 'submission' && data.submission.status === 'finished')"
        ".map(({ data }) => data.submission.id)"
    )
    return told
