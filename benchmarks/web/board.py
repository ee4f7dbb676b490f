"""A board of ten thousand people and twelve problems: how much of it exists, how it scrolls and how it lives.

The rows are made up and given to the site in the place of the contest's own; changes are told by another tab,
the way tabs tell each other what the one stream of a browser brings.
"""

from __future__ import annotations

import json
import random
import statistics
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from benchmarks.http.stage import Stage
from benchmarks.web.load import SLOWED
from benchmarks.web.static_page import serve

PEOPLE, PROBLEMS = 10_000, 12
LABELS = "ABCDEFGHIJKL"
SCROLLED_MS = 3000
EVENTS_A_SECOND, SECONDS = 200, 10
MOST = {"nodes": 3000.0, "longest_task": 50.0, "heap_growth_mb": 10.0}
LEAST = {"smooth": 0.95}
EMPTY = (
    b"<!doctype html><style>.board{height:600px;overflow:auto}p{height:400000px}</style>"
    b"<div class=board><p></p></div>"
)
# Scroll a little in each frame; how long each took.
SCROLL = """(ms) => new Promise((done) => {
  const board = document.querySelector(".board");
  const frames = [];
  let last = performance.now();
  const end = last + ms;
  const step = (now) => {
    frames.push(now - last);
    last = now;
    board.scrollTop += 60;
    if (now < end) requestAnimationFrame(step);
    else done(frames.slice(1));
  };
  requestAnimationFrame(step);
})"""
MARK = "followed"
# A tab that comes to the front is painted as a whole.
SHOWN = (
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
)
# Rows in the order in which they change, some of them each time.
TELL = """([rows, contest, perSecond, seconds]) => new Promise((done) => {
  const channel = new BroadcastChannel("deepoj-live");
  let sequence = 1;
  const tell = () => {
    for (let n = 0; n < perSecond / 20; n += 1) {
      const row = rows[sequence % rows.length];
      const data = { contest_id: contest, sequence: ++sequence, view: "public", row };
      channel.postMessage({ kind: "frame", frame: { id: null, event: "row", data } });
    }
    if (sequence >= perSecond * seconds) { clearInterval(timer); done(); }
  };
  const timer = setInterval(tell, 50);
})"""


def measure_board(browser: Browser, made: Stage) -> dict[str, float]:
    contest = _contest(made)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.route("**/scoreboard/compact?view=public", lambda route: route.fulfill(json=_whole()))
    page = _opened(context, f"http://127.0.0.1:{made.port}/contests/{contest}/board")
    nodes = page.evaluate("document.querySelectorAll('*').length")
    frames = page.evaluate(SCROLL, SCROLLED_MS)
    usual = _empty_frame(context)
    longest, growth = _followed(browser, context, page, contest)
    context.close()
    return {
        "nodes": nodes,
        "smooth": round(sum(each <= 2 * usual for each in frames) / len(frames), 3),
        "frames": len(frames),
        "longest_task": round(longest),
        "heap_growth_mb": round(growth / 1e6, 1),
    }


def over_board_budget(numbers: dict[str, float]) -> list[str]:
    over = [name for name, most in MOST.items() if numbers[name] > most]
    return over + [name for name, least in LEAST.items() if numbers[name] < least]


def _opened(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.goto(url)
    page.locator(f"[aria-rowcount='{PEOPLE + 1}']").wait_for()
    return page


def _empty_frame(context: BrowserContext) -> float:
    """Return the median frame of scrolling a page with nothing on it."""
    with serve(EMPTY) as url:
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        page.goto(url)
        frames: list[float] = page.evaluate(SCROLL, SCROLLED_MS)
        page.close()
    return statistics.median(frames)


def _followed(browser: Browser, context: BrowserContext, page: Page, contest: str) -> tuple[float, float]:
    """Tell the board of changes; return its longest task in ms, and by how many bytes its heap has grown."""
    teller = context.new_page()
    teller.goto(page.url.replace("/board", "/tv#tell"))
    page.bring_to_front()
    page.evaluate(SHOWN)
    session = context.new_cdp_session(page)
    before = _heap(session)
    browser.start_tracing(page=page, categories=["toplevel", "blink.user_timing"])
    page.evaluate("(name) => performance.mark(name)", MARK)
    changed = random.Random(1).sample(range(PEOPLE), 500)  # noqa: S311 — made up, and the same each time
    rows = [_told(person) for person in changed]
    teller.evaluate(TELL, [rows, contest, EVENTS_A_SECOND, SECONDS])
    longest = _longest_task(browser.stop_tracing())
    growth = _heap(session) - before
    teller.close()
    return longest, growth


def _longest_task(trace: bytes) -> float:
    """Return the processor time of the longest task of the thread that made the mark."""
    events = json.loads(trace)["traceEvents"]
    [thread] = {(each["pid"], each["tid"]) for each in events if each["name"] == MARK}
    tasks = (each for each in events if (each["pid"], each["tid"]) == thread and each["ph"] == "X")
    return max(float(each.get("tdur", 0)) for each in tasks) / 1000


def _heap(session: Any) -> float:  # noqa: ANN401 — Playwright does not name it
    session.send("HeapProfiler.collectGarbage")
    return float(session.send("Runtime.getHeapUsage")["usedSize"])


def _contest(made: Stage) -> str:
    now = datetime.now(UTC)
    schedule = {"starts_at": now - timedelta(hours=1), "ends_at": now + timedelta(hours=4)}
    draft = {
        "title": "Large",
        "format": "icpc",
        "schedule": {name: at.isoformat() for name, at in schedule.items()},
        "problems": [{"problem_id": made.problem()["id"], "label": "A"}],
        "entry": {},
    }
    return str(made.call("POST", "/contests", draft, made.admin())["id"])


def _person(number: int) -> str:
    return f"00000000-0000-7000-8000-{number:012x}"


def _cells(number: int) -> list[list[int | None]]:
    return [
        [number % 3, 0, 60_000 * (number % 300), 0, 0] if (number + at) % 2 else [] for at in range(PROBLEMS)
    ]


def _whole() -> object:
    rows = [
        [
            number + 1, _person(number), f"Team {number}", "official", 6, 6, 1_000_000, _key(number),
            _cells(number),
        ]
        for number in range(PEOPLE)
    ]  # fmt: skip
    return {
        "sequence": 1, "view": "public", "problems": list(LABELS), "columns": [], "cell_columns": [],
        "rows": rows,
    }  # fmt: skip


def _key(number: int) -> str:
    return f"7{number:06d}{_person(number)}"


def _told(number: int) -> object:
    """Return the row of somebody who has passed a hundred others."""
    cells = [
        {
            "label": label, "rejected": 1, "pending": 0, "solved": True, "solved_after_ms": 60_000,
            "first_to_solve": False, "score": 0,
        }
        for label in LABELS
    ]  # fmt: skip
    participant = {"user_id": _person(number), "display_name": f"Team {number}", "kind": "official"}
    key = f"7{max(0, number - 100):06d}{_person(number)}"
    return {
        "rank": 0, "participant": participant, "solved": 7, "score": 7, "penalty_ms": 1_000_000,
        "sort_key": key, "cells": cells,
    }  # fmt: skip
