"""What is cached is never older than it may be."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

    from tests.e2e.conftest import Door, System

# Long enough to be seen while it runs.
SLOW = "import time\ntime.sleep(0.3)\nprint(3)\n"
# Without events a door believes a problem for two seconds (`Lifetimes.negative`).
BELIEVED_WITHOUT_EVENTS = 2.0


def test_status_cache_freshness_under_5s(system: System, deaf_door: Door) -> None:
    """Whoever polls sees the end in time, even where no event tells of it."""
    ada, seen = system.person(), {}
    hits = deaf_door.lookups("submission_status", "hit")
    problem = system.problem(system.one("setter"), cases=[("1 2\n", "3\n")])
    submission_id = ada.submit(problem["id"], SLOW)
    with deaf_door.client(ada) as poller:

        def is_finished() -> bool:
            seen.update(poller.get(f"/api/submissions/{submission_id}").json()["submission"])
            return bool(seen["status"] == "finished")

        system.eventually(is_finished)
        assert datetime.now(UTC) - datetime.fromisoformat(seen["finished_at"]) < timedelta(seconds=5)
        # However slowly we ask: an answer may have been too old each time but the last.
        system.eventually(lambda: is_finished() and deaf_door.lookups("submission_status", "hit") > hits)


def test_a_status_is_new_as_soon_as_its_event_has_arrived(system: System) -> None:
    ada = system.one("contestant")
    submission_id = ada.submit(system.problem(system.one("setter"))["id"])
    told = []
    for event, _, data in ada.events(f"/submissions/{submission_id}/events"):
        # Whoever asked before the event has left an answer in the cache, which that event drops.
        shown = ada.get(f"/submissions/{submission_id}")["submission"]["status"]
        if event == "submission":
            told.append(data["submission"]["status"])
            assert told[-1] != "finished" or shown == "finished"
    assert len(told) > 1


def test_cache_revision_bump_invalidation(system: System, narrow_door: Door) -> None:
    """At both doors, of which the second takes its answer from what the first has shared."""
    setter = system.one("setter")
    problem = system.problem(setter)
    path = f"/problems/{problem['id']}"
    _stays_cached(system, path)
    first = system.guest.http.get(f"/api{path}")
    with narrow_door.client(system.guest) as other:
        shared = narrow_door.lookups("problem_item", "shared")
        assert other.get(f"/api{path}").json() == first.json()
        assert narrow_door.lookups("problem_item", "shared") == shared + 1
        draft = {key: problem[key] for key in ("slug", "level", "tags", "samples")}
        draft["statements"] = [{"locale": "en", "title": "Another title", "markdown": "Changed."}]
        setter.put(path, {"version": problem["version"], "draft": draft})
        for client in (system.guest.http, other):
            for selector in (problem["id"], problem["slug"]):
                system.eventually(lambda: _title(client, selector) == "Another title")  # noqa: B023 — called at once
        changed = system.guest.http.get(f"/api{path}", headers={"if-none-match": first.headers["etag"]})
        assert changed.status_code == 200
        setter.put(f"{path}/published", {"enabled": False})
        for client in (system.guest.http, other):
            system.eventually(lambda: client.get(f"/api{path}").status_code == 404)  # noqa: B023 — same
    assert setter.get(path)["enabled"] is False


def _stays_cached(system: System, path: str) -> None:
    """See that not age ends it: with events an answer is believed for longer than without them."""
    misses, since = 0, 0.0

    def is_believed() -> bool:
        nonlocal misses, since
        again = system.guest.http.get(f"/api{path}")
        known = {"if-none-match": again.headers["etag"]}
        assert system.guest.http.get(f"/api{path}", headers=known).status_code == 304
        if (found := system.door.lookups("problem_item", "miss")) != misses:
            misses, since = found, time.monotonic()
        return time.monotonic() > since + 1.2 * BELIEVED_WITHOUT_EVENTS

    system.eventually(is_believed)


def _title(client: httpx.Client, selector: str) -> str:
    return str(client.get(f"/api/problems/{selector}").json()["title"])
