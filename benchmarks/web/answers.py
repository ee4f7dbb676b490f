"""How soon a page answers who uses it, and what it loads for nothing."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Response

from benchmarks.web.load import SLOWED, quiet

TYPED = "12 34"
TEXT = ("text/", "application/json", "application/problem+json")
SMALL = 1000
# Every event that takes longer than the shortest that a browser tells of.
WATCH = """
window.slowest = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  if (entry.interactionId) slowest = Math.max(slowest, entry.duration);
})).observe({ type: "event", durationThreshold: 16, buffered: true });
"""


def measure_answers(browser: Browser, url: str) -> dict[str, float]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    numbers = {"inp": _slowest(context, url), **_waste(browser, url)}
    context.close()
    return numbers


def _slowest(context: BrowserContext, url: str) -> float:
    """Return how long (ms) the slowest of some clicks and keys waited for what it did to be seen."""
    context.add_init_script(WATCH)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.goto(url)
    quiet(page)
    page.locator("input[type=search], .editor textarea").first.click()
    quiet(page)
    page.keyboard.type(TYPED, delay=100)
    page.keyboard.press("Escape")
    page.locator("footer button").first.click()
    page.wait_for_timeout(500)
    return float(page.evaluate("window.slowest"))


def _waste(browser: Browser, url: str) -> dict[str, float]:
    """Return which share of the first load's scripts did not run, and texts that came uncompressed."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    plain: list[Response] = []
    page.on("response", lambda response: _note(plain, response))
    session = context.new_cdp_session(page)
    session.send("Profiler.enable")
    session.send("Profiler.startPreciseCoverage", {"callCount": False, "detailed": True})
    page.goto(url)
    quiet(page)
    share = _unused(session, page)
    context.close()
    return {"unused": round(share, 2), "plain": len(plain)}


def _note(plain: list[Response], response: Response) -> None:
    headers = response.headers
    is_text = headers.get("content-type", "").startswith(TEXT)
    if is_text and int(headers.get("content-length", "0")) > SMALL and "content-encoding" not in headers:
        plain.append(response)


def _unused(session: CDPSession, page: Page) -> float:
    found = session.send("Profiler.takePreciseCoverage")["result"]
    ours = [script for script in found if "/assets/" in script["url"]]
    sizes = [script["functions"][0]["ranges"][0]["endOffset"] for script in ours]
    if not sizes:
        raise RuntimeError(f"{page.url} has no script")
    return float(sum(map(_idle, ours, sizes)) / sum(sizes))


def _idle(script: dict[str, Any], size: int) -> int:
    """Count the characters whose innermost range did not run."""
    ran = bytearray(size)
    ranges = [each for function in script["functions"] for each in function["ranges"]]
    for each in sorted(ranges, key=lambda each: each["startOffset"] - each["endOffset"]):
        length = each["endOffset"] - each["startOffset"]
        ran[each["startOffset"] : each["endOffset"]] = bytes([each["count"] > 0]) * length
    return size - sum(ran)
