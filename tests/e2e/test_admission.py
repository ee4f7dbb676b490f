"""Too much is turned away, with a reason and a time to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from tests.e2e.conftest import Door, System

SLEEP = "import time\ntime.sleep(8)\nprint(3)\n"


def refused(client: httpx.Client, problem_id: str) -> httpx.Response:
    body = {"problem_id": problem_id, "language": "python3", "source": "print(3)"}
    return client.post("/api/submissions", json=body)


def test_backpressure_activates_on_high_depth(system: System, narrow_door: Door) -> None:
    ada, judge = system.person(), system.one("judge")
    problem_id = system.problem(system.one("setter"), time_ms=10_000)["id"]
    with narrow_door.client(ada) as client:
        sent = [ada.submit(problem_id, SLEEP) for _ in range(5)]
        system.eventually(lambda: sum(each["waiting"] for each in judge.get("/admin/queue")["queues"]) >= 3)
        system.eventually(lambda: refused(client, problem_id).json().get("reason") == "queue_full")
        assert int(refused(client, problem_id).headers["retry-after"]) >= 1
        counted = 'deepoj_admission_total{kind="submission",outcome="queue_full"'
        assert counted in narrow_door.service.metrics()
        for submission_id in sent:
            ada.call("POST", f"/submissions/{submission_id}/cancel", expect=None)
        _limited_per_account(system, client, problem_id)


def _limited_per_account(system: System, client: httpx.Client, problem_id: str) -> None:
    """At the same door, when the queue is short again."""
    bob, eve = system.person(), system.person()
    client.headers["authorization"] = f"Bearer {bob.token}"
    system.eventually(lambda: refused(client, problem_id).status_code == 201)
    system.eventually(lambda: refused(client, problem_id).status_code == 201)
    # Until both are judged, the queue may be the reason.
    system.eventually(lambda: refused(client, problem_id).json().get("reason") == "rate_limited")
    assert int(refused(client, problem_id).headers["retry-after"]) > 60
    for _ in range(3):
        eve.judged(eve.submit(problem_id))
    client.headers["authorization"] = f"Bearer {eve.token}"
    system.eventually(lambda: refused(client, problem_id).json().get("reason") == "daily_quota_spent")
    assert eve.get("/submissions/quota")["submitted_today"] == 3


def test_without_a_worker_nothing_is_taken(system: System, deaf_door: Door) -> None:
    problem = system.problem(system.one("setter"))
    with deaf_door.client(system.person()) as client:
        answer = refused(client, problem["id"])
        assert (answer.status_code, answer.json()["reason"]) == (503, "no_worker_alive")
        assert "retry-after" in answer.headers
