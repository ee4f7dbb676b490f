"""The event stream of a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

from deepoj_kit.embedded.free_ports import free_ports
from tests.e2e.web.hands import SUM, button, verdict, write

if TYPE_CHECKING:
    from deepoj_kit.testing.services import Service
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


def test_the_stream_comes_back_after_a_restart_and_tells_nothing_twice(
    system: System, open_browser: OpenBrowser
) -> None:
    listen = f"127.0.0.1:{free_ports(1)[0]}"
    door = start_door(system, listen)
    ada = system.person()
    reader = open_browser(ada, url=f"http://{listen}")
    reader.expected += ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET"]
    reader.context.add_init_script(LISTEN)
    page = reader.open("/problems/aplusb")
    write(page, SUM)
    button(page, "Submit").click()
    expect(verdict(page)).to_have_text("✓ Accepted")
    door.process.kill()
    system.eventually(lambda: page.evaluate("connected.at(-1) === false"))
    problem = system.guest.get("/problems/aplusb")
    missed = ada.judged(ada.submit(problem["id"], "print(3)\n"))
    start_door(system, listen)
    system.eventually(lambda: page.evaluate("connected.at(-1) === true"))
    live = ada.submit(problem["id"])
    system.eventually(lambda: live in ends_told(page))
    told = ends_told(page)
    assert len(told) == len(set(told))
    page.goto(f"{reader.url}/submissions")
    expect(page.locator(f"a[href='/submissions/{missed['id']}']").first).to_be_visible()


def ends_told(page: Page) -> list[str]:
    """Return of which submissions the end was told, as often as it was."""
    told: list[str] = page.evaluate(
        "heard.filter(({ event, data }) => event === 'submission' && data.submission.status === 'finished')"
        ".map(({ data }) => data.submission.id)"
    )
    return told


def start_door(system: System, listen: str) -> Service:
    return system.start("deepoj_bff", system.settings, listen=listen)
