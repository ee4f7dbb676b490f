"""The site in a browser, against a static page with the same text served in the same run.

    uv run python -m benchmarks.web                                 # all pages
    uv run python -m benchmarks.web /problems --rounds 15 --json

Each page is loaded by a browser that has nothing of it yet, comes from another site and whose processor is
slowed down fourfold; the site and the static page take turns, so that a busy machine slows both. Shown are
medians:

lcp       until the largest part of the page is there, to the static page
work      of the main thread until the page is quiet, in its processor time, to the static page
blocked   ms that tasks longer than 50 ms kept the page from answering
shift     how much of the page moved while it was loaded (CLS)
before    requests before anything is seen; requests and bytes are of the whole load
inp       ms that the slowest of some clicks and keys waited for what it did to be seen (one load)
unused    share of the scripts of the first load that did not run
plain     texts of more than a kilobyte that came uncompressed

`board` is a board of 10,000 people and 12 problems: elements that exist, the share of frames of a scroll that
take at most twice the median frame of scrolling an empty page, and during 200 changes a second for 10 s the
longest task (ms) and how much the heap has grown (MB).

`moments` is how many ms after its bytes a verdict is seen, and how many ms after the front door was killed
and is ready again a page hears of it.

What is over its budget has a mark. Needs root and Chromium.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Mapping

from playwright.sync_api import Browser, sync_playwright

from benchmarks.http.stage import LIMITS, Stage, stage
from benchmarks.web.answers import measure_answers
from benchmarks.web.board import measure_board, over_board_budget
from benchmarks.web.load import Load, load, medians
from benchmarks.web.moments import measure_moments, over_moments_budget
from benchmarks.web.static_page import serve, text_page
from deepoj_kit.testing.chromium import FLAGS, INSTALL, find_chromium

START = "sum"
PROBLEM = "/problems/:slug"
BOARD = "board"
MOMENTS = "moments"
PAGES = {"/": "/", "/problems": "/problems", PROBLEM: f"/problems/{START}"}
ALL = (*PAGES, BOARD, MOMENTS)
# The most of each; of the ratios by page.
BUDGET = {
    "work": 2.5,
    "blocked": 100.0,
    "shift": 0.02,
    "before": 6.0,
    "inp": 100.0,
    "unused": 0.35,
    "plain": 0.0,
}
LCP = {PROBLEM: 1.5}
ANY_LCP = 2.0


def measure(browser: Browser, url: str, rounds: int) -> dict[str, float]:
    with serve(text_page(browser, url)) as static:
        pairs = [(load(browser, url), load(browser, static)) for _ in range(rounds)]
    site, bare = medians([pair[0] for pair in pairs]), medians([pair[1] for pair in pairs])
    return _compared(site, bare) | measure_answers(browser, url)


def _compared(site: Load, bare: Load) -> dict[str, float]:
    return {
        "lcp": round(site.lcp_ms / bare.lcp_ms, 2), "work": round(site.work_ms / bare.work_ms, 2),
        "lcp_ms": round(site.lcp_ms), "static_lcp_ms": round(bare.lcp_ms), "blocked": round(site.blocked_ms),
        "shift": round(site.shift, 3), "before": site.before, "requests": site.requests, "bytes": site.bytes,
    }  # fmt: skip


def over_budget(page: str, numbers: Mapping[str, float]) -> list[str]:
    most = BUDGET | {"lcp": LCP.get(page, ANY_LCP)}
    return [name for name, limit in most.items() if numbers[name] > limit]


def measured(browser: Browser, made: Stage, page: str, rounds: int) -> tuple[dict[str, float], list[str]]:
    """Return the numbers of a page, and which of them are over their budget."""
    match page:
        case "board":
            numbers = measure_board(browser, made)
            return numbers, over_board_budget(numbers)
        case "moments":
            numbers = measure_moments(browser, made, START)
            return numbers, over_moments_budget(numbers)
        case _:
            numbers = measure(browser, f"http://127.0.0.1:{made.port}{PAGES[page]}", rounds)
            return numbers, over_budget(page, numbers)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=f"which ones ({' '.join(ALL)})")
    parser.add_argument("--rounds", type=int, default=7, help="loads of each page (7)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    if unknown := set(arguments.pages) - set(ALL):
        parser.error(f"no page {', '.join(unknown)}; there are {', '.join(ALL)}")
    return arguments


def main() -> int:
    arguments = parsed()
    logging.disable(logging.INFO)
    chromium = find_chromium()
    if chromium is None:
        sys.exit(f"needs a browser: {INSTALL}")
    found: dict[str, dict[str, float]] = {}
    limits = LIMITS | {"start_problem": START, "guest_accounts": "true", "registration": "open"}
    with stage("info", "1.0", limits) as made, made.judge(), sync_playwright() as playwright:
        made.problem(slug=START)
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for page in arguments.pages or ALL:
            numbers, over = measured(browser, made, page, arguments.rounds)
            found[page] = numbers | {"machine_load": round(os.getloadavg()[0], 1)}
            if not arguments.json:
                shown = (f"{key} {value}{'!' if key in over else ''}" for key, value in found[page].items())
                print(f"{page}: " + ", ".join(shown), flush=True)
        browser.close()
    if arguments.json:
        print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
