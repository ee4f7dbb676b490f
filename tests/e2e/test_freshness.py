"""What is cached is never older than it may be."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.e2e.conftest import System

SLOW = "import time\ntime.sleep(1)\na, b = map(int, input().split())\nprint(a + b)\n"


def test_status_cache_freshness_under_5s(system: System) -> None:
    """The end is seen by polling too, as soon as its event has arrived, whoever polled just before."""
    ada = system.one("contestant")
    submission_id = ada.submit(system.problem(system.one("setter"))["id"], SLOW)
    path = f"/submissions/{submission_id}"
    polling = threading.Event()

    def keep_polling() -> None:
        poller = system.client(ada.token)
        while not polling.is_set():
            poller.get(f"/api{path}").raise_for_status()

    thread = threading.Thread(target=keep_polling)
    thread.start()
    try:
        assert ada.judged(submission_id)["status"] == "finished"
        # The stream is told by the same event that drops the cached status.
        assert ada.get(path)["submission"]["status"] == "finished"
    finally:
        polling.set()
        thread.join()
    assert 'deepoj_cache_total{cache="submission_status",outcome="hit"' in system.metrics()


def test_cache_revision_bump_invalidation(system: System) -> None:
    setter = system.one("setter")
    problem = system.problem(setter)
    path = f"/problems/{problem['id']}"
    first = system.guest.http.get(f"/api{path}")
    again = system.guest.http.get(f"/api{path}", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    draft = {key: problem[key] for key in ("slug", "level", "tags", "samples")}
    draft["statements"] = [{"locale": "en", "title": "Another title", "markdown": "Changed."}]
    setter.put(path, {"version": problem["version"], "draft": draft})
    for selector in (problem["id"], problem["slug"]):
        system.eventually(lambda: system.guest.get(f"/problems/{selector}")["title"] == "Another title")  # noqa: B023 — called at once
    changed = system.guest.http.get(f"/api{path}", headers={"if-none-match": first.headers["etag"]})
    assert changed.status_code == 200
    setter.put(f"{path}/published", {"enabled": False})
    system.eventually(lambda: system.guest.http.get(f"/api{path}").status_code == 404)
    assert setter.get(path)["enabled"] is False
