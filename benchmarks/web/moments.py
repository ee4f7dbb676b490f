"""How soon a verdict that has arrived is seen, and a page hears again after a restart of the front door."""

from __future__ import annotations

import time

from playwright.sync_api import Browser, BrowserContext, Page

from benchmarks.http.stage import Stage
from benchmarks.web.load import SLOWED
from deepoj_kit.embedded.free_ports import LOOPBACK

MOST = {"verdict": 150.0, "back": 3000.0}
AWAY_S = 3.0
WAIT_S = 60.0
SOURCE = "int main() {}\n"
# When the bytes of a final state came, when it was seen, and when a stream was opened.
HEAR = """
window.heard = { arrived: 0, seen: 0, open: 0 };
const decoder = new TextDecoder();
const { read } = ReadableStreamDefaultReader.prototype;
ReadableStreamDefaultReader.prototype.read = async function (...given) {
  const piece = await read.apply(this, given);
  const { value = "" } = piece;
  const text = typeof value === "string" ? value : decoder.decode(value);
  if (text.includes('"status":"finished"')) heard.arrived ||= performance.now();
  return piece;
};
new MutationObserver(() => {
  if (!heard.seen && /[✓✗]/.test(document.querySelector(".live-outcome")?.textContent))
    requestAnimationFrame(() => (heard.seen ||= performance.now()));
}).observe(document, { childList: true, subtree: true, characterData: true });
new BroadcastChannel("deepoj-live").onmessage = ({ data }) => {
  if (data.kind === "state") heard.open = data.connected ? Date.now() : 0;
};
"""


def measure_moments(browser: Browser, made: Stage, problem: str) -> dict[str, float]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(HEAR)
    page = _guest(context, f"http://127.0.0.1:{made.port}", problem)
    numbers = {"verdict": round(_verdict(page), 1), "back": round(_back(page, made), 1)}
    context.close()
    return numbers


def over_moments_budget(numbers: dict[str, float]) -> list[str]:
    return [name for name, most in MOST.items() if numbers[name] > most]


def _guest(context: BrowserContext, url: str, problem: str) -> Page:
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.goto(f"{url}/login")
    page.get_by_role("button", name="Go on as a guest").click()
    page.locator(".account-name").wait_for()
    page.goto(f"{url}/problems/{problem}")
    _wait(page, "window.heard.open")
    return page


def _verdict(page: Page) -> float:
    page.locator(".editor textarea, .cm-content").first.click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(SOURCE)
    page.get_by_role("button", name="Submit", exact=True).click()
    _wait(page, "window.heard.arrived && window.heard.seen")
    return float(page.evaluate("window.heard.seen - window.heard.arrived"))


def _back(page: Page, made: Stage) -> float:
    """Return how long (ms) after the front door was ready again the page heard it."""
    made.processes["bff"].process.kill()
    _wait(page, "!window.heard.open")
    time.sleep(AWAY_S)
    made.processes["bff"] = made.start("deepoj_bff", made.settings, listen=f"{LOOPBACK}:{made.port}")
    ready = time.time() * 1000
    _wait(page, "window.heard.open")
    return max(0.0, float(page.evaluate("window.heard.open")) - ready)


def _wait(page: Page, condition: str) -> None:
    """Look again and again: the policy of the page lets no text be waited for."""
    deadline = time.monotonic() + WAIT_S
    while not page.evaluate(condition):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{condition} did not come true")
        page.wait_for_timeout(20)
