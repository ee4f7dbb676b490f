"""One load of a page by a browser that has nothing of it yet."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page

# Readers come from another site, so whatever they open begins in a process of its own. A tab that has shown
# nothing would lend its process to the static page, which has no policy of openers, and not to ours.
ELSEWHERE = "data:text/html,elsewhere"
SLOWED = 4
QUIET_MS = 1000
# Before any script of the page, so that nothing is missed.
WATCH = """
window.seen = { lcp: 0, blocked: 0, shift: 0 };
const watch = (type, each) =>
  new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
watch("largest-contentful-paint", (entry) => { seen.lcp = entry.startTime; });
watch("longtask", (entry) => { seen.blocked += entry.duration - 50; });
watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
"""
READ = """() => {
  const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const painted = performance.getEntriesByName("first-contentful-paint")[0].startTime;
  return {
    ...seen,
    before: loaded.filter((entry) => entry.responseEnd <= painted).length,
    requests: loaded.length,
    bytes: loaded.reduce((sum, entry) => sum + entry.transferSize, 0),
  };
}"""


@dataclass(frozen=True, slots=True)
class Load:
    lcp_ms: float
    work_ms: float
    blocked_ms: float
    shift: float
    before: float
    requests: float
    bytes: float


def load(browser: Browser, url: str) -> Load:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(ELSEWHERE)
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    # Processor time of the thread: what others do on the machine is not in it.
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(url)
    quiet(page)
    work = _work_ms(session)
    read: dict[str, Any] = page.evaluate(READ)
    context.close()
    return Load(
        read["lcp"], work, read["blocked"], read["shift"], read["before"], read["requests"], read["bytes"]
    )


def quiet(page: Page) -> None:
    """Wait until it shows what it is about and asks for nothing more."""
    page.locator("h1").first.wait_for()
    asked = -1
    while asked != (now := page.evaluate("performance.getEntriesByType('resource').length")):
        asked = now
        page.wait_for_timeout(QUIET_MS)


def medians(loads: Sequence[Load]) -> Load:
    return Load(*(statistics.median(getattr(each, field.name) for each in loads) for field in fields(Load)))


def _work_ms(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(each["value"]) * 1000 for each in metrics if each["name"] == "TaskDuration")
