"""Too much is turned away, with a reason and a time to come back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx

from deepoj_kit.embedded.ports import free_ports
from deepoj_kit.testing.services import http_get

if TYPE_CHECKING:
    from deepoj_kit.testing.services import Service
    from tests.e2e.conftest import Person, System

SLEEP = "import time\ntime.sleep(8)\nprint(3)\n"


@contextmanager
def another_door(system: System, person: Person, **settings: str) -> Iterator[tuple[httpx.Client, Service]]:
    """Open a second front door to the same system, with settings of its own."""
    listen = f"127.0.0.1:{free_ports(1)[0]}"
    service = system.start("deepoj_bff", system.settings | settings, listen=listen)
    headers = {"authorization": f"Bearer {person.token}"}
    with httpx.Client(base_url=f"http://{listen}", headers=headers, timeout=60) as client:
        yield client, service
        _stop_with_an_open_stream(client, service)


def _stop_with_an_open_stream(client: httpx.Client, service: Service) -> None:
    """See that streams end with the process, at once and in order."""
    with client.stream("GET", "/api/submissions/events") as answer:
        lines = answer.iter_lines()
        assert next(lines).startswith("id: ")
        stopping = threading.Thread(target=service.process.stop)
        stopping.start()
        assert not [line for line in lines if line.startswith("event: error")]
        stopping.join()
    assert service.process.exit_code() == 0


def refused(client: httpx.Client, problem_id: str) -> httpx.Response:
    body = {"problem_id": problem_id, "language": "python3", "source": "print(3)"}
    return client.post("/api/submissions", json=body)


LIMITS = {"submit_burst": "2", "submit_interval": "1h", "submit_daily": "3", "queue_high_water": "2"}


def test_backpressure_activates_on_high_depth(system: System) -> None:
    ada, judge = system.person(), system.one("judge")
    problem_id = system.problem(system.one("setter"), time_ms=10_000)["id"]
    with another_door(system, ada, **LIMITS) as (client, door):
        sent = [ada.submit(problem_id, SLEEP) for _ in range(5)]
        system.eventually(lambda: sum(each["waiting"] for each in judge.get("/admin/queue")["queues"]) >= 3)
        system.eventually(lambda: refused(client, problem_id).json().get("reason") == "queue_full")
        assert int(refused(client, problem_id).headers["retry-after"]) >= 1
        counted = 'deepoj_admission_total{kind="submission",outcome="queue_full"'
        assert counted in http_get(f"{door.ops_url}/metrics")[1]
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


def test_without_a_worker_nothing_is_taken(system: System) -> None:
    ada, problem = system.person(), system.problem(system.one("setter"))
    # Workers announce themselves by environment: in another one there are none.
    with another_door(system, ada, bff_env=f"{system.settings['env']}-b") as (client, _):
        answer = refused(client, problem["id"])
        assert (answer.status_code, answer.json()["reason"]) == (503, "no_worker_alive")
        assert "retry-after" in answer.headers
