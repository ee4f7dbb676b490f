"""Two copies of every service, and people whose every request may meet another front door."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from tests.e2e import test_accounts, test_journey
from tests.e2e.conftest import PASSWORD
from tests.e2e.test_live import contest_with

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.conftest import Json, Person, System
    from tests.e2e.copies.balancer import Balancer

SLEEP = "import time\ntime.sleep(9)\nprint(3)\n"
# What "within moments" means at most; the event of it takes milliseconds.
MOMENTS = 5.0


def hops(person: Person, path: str, last: str = "") -> Iterator[tuple[str, str, Json]]:
    """Yield the first event of a stream that is new, from one front door after the other."""
    while True:
        stream = person.events(path, last)
        found = next((each for each in stream if each[1]), None)
        stream.close()
        if found is None:
            return
        last = found[1]
        yield found


def test_both_front_doors_and_all_copies_behind_them_take_part(system: System, balancer: Balancer) -> None:
    for _ in range(4):
        system.guest.get("/problems")
    assert len(balancer.answered) == 2
    for name in ("question", "record", "game", "user"):
        for copy in (name, f"{name}-2"):
            system.eventually(lambda: _calls(system, copy) > 0)  # noqa: B023 — called at once


def _calls(system: System, copy: str) -> int:
    """Ask each service something that no door remembers, then count what this copy was asked."""
    system.store(system.one("setter"), "3\n")
    judge = system.one("judge")
    judge.get("/admin/queue")
    judge.get("/contests", params={"size": 1})
    judge.get("/users/me")
    return sum(
        line.startswith("deepoj_grpc_server_requests_total{")
        for line in system.started[copy].metrics().splitlines()
    )


def test_a_contest_its_board_a_rejudge_and_a_recompute(system: System) -> None:
    test_journey.test_contest_board_rejudge_and_recompute(system)


def test_a_retry_at_the_other_door_is_the_same_submission(system: System) -> None:
    test_journey.test_a_retry_with_the_same_key_is_the_same_submission(system)


def test_a_refresh_token_is_good_once_at_all_doors_together(system: System) -> None:
    test_accounts.test_a_refresh_token_is_exchanged_and_its_reuse_ends_the_session(system)


def test_who_is_suspended_is_shown_out_of_every_door(system: System) -> None:
    test_accounts.test_a_suspended_account_is_shown_out_though_its_token_has_not_expired(system)


def test_who_logs_in_at_one_door_is_known_at_the_other_and_logs_out_of_both(system: System) -> None:
    ada = system.person()
    tokens = system.guest.post("/auth/login", {"login": ada.name, "password": PASSWORD}, 200)["tokens"]
    for _ in range(4):
        assert ada.get("/users/me")["id"] == ada.id
    system.guest.post("/auth/logout", {"refresh_token": tokens["refresh_token"]}, 204)
    for _ in range(2):
        system.guest.post("/auth/refresh", {"refresh_token": tokens["refresh_token"]}, 401)
    ada.post("/auth/logout", {"everywhere": True}, 204)
    since, refused = time.monotonic(), 0
    while refused < 4:
        status = ada.call("GET", "/users/me", expect=None).get("status")
        refused = refused + 1 if status == 401 else 0
        assert time.monotonic() - since < MOMENTS


def test_a_submission_is_followed_from_door_to_door(system: System) -> None:
    ada, problem = system.person(), system.problem(system.one("setter"))
    submission_id = ada.submit(problem["id"])
    told, last = [], ""
    while True:
        headers = {"last-event-id": last} if last else {}
        with ada.http.stream("GET", f"/api/submissions/{submission_id}/events", headers=headers) as answer:
            if answer.status_code == 204:
                break
            lines = (line for line in answer.iter_lines() if line.startswith("id: "))
            last = next(lines).removeprefix("id: ")
        told.append(last)
    assert len(told) == len(set(told)) > 0
    assert ada.get(f"/submissions/{submission_id}")["submission"]["result"]["verdict"] == "AC"


def test_ones_submissions_are_followed_from_door_to_door_without_a_gap_or_a_repetition(
    system: System,
) -> None:
    ada, problem = system.person(), system.problem(system.one("setter"))
    opened = ada.events("/submissions/events")
    _, position, _ = next(opened)
    opened.close()
    waited_for = {ada.submit(problem["id"]) for _ in range(3)}
    positions = [position]
    for event, reached, data in hops(ada, "/submissions/events", position):
        assert event == "submission", "both doors remember: nobody is told everything again"
        positions.append(reached)
        if data["submission"]["status"] == "finished":
            waited_for.discard(data["submission"]["id"])
        if not waited_for:
            break
    assert len(positions) == len(set(positions))
    assert positions == sorted(positions, key=_in_order)


def _in_order(position: str) -> tuple[int, int]:
    milliseconds, _, number = position.partition("-")
    return int(milliseconds), int(number)


def test_a_board_is_followed_from_door_to_door(system: System) -> None:
    ada, problem = system.person(), system.problem(system.one("setter"))
    contest = contest_with(system, problem, ada)
    path = f"/contests/{contest}/events"
    watching = hops(system.guest, path)
    event, number, _ = next(watching)
    assert event == "board"
    numbers = [int(number)]
    for source in ("print(3)\n", test_journey.ADD):
        ada.judged(ada.submit(problem["id"], source, contest_id=contest))
        for event, number, data in watching:
            assert event == "row", "nobody has to read the board again"
            numbers.append(int(number))
            if data["row"]["solved"] == (source == test_journey.ADD) and data["row"]["cells"][0]["rejected"]:
                break
    assert numbers == sorted(set(numbers))


def at_once(times: int, person: Person, path: str, body: Any) -> list[tuple[int, Json]]:  # noqa: ANN401 — JSON
    with ThreadPoolExecutor(times) as crowd:
        asked = [crowd.submit(person.http.post, f"/api{path}", json=body) for _ in range(times)]
        answers = [each.result() for each in asked]
    return [(each.status_code, each.json()) for each in answers]


def test_two_doors_let_no_more_submissions_in_than_one(system: System) -> None:
    ada, problem = system.person(), system.problem(system.one("setter"), time_ms=10_000)
    body = {"problem_id": problem["id"], "language": "python3", "source": SLEEP}
    answers = at_once(12, ada, "/submissions", body)
    # Those who come together may count somebody twice, never less than once.
    while (more := ada.http.post("/api/submissions", json=body)).status_code == 201:
        answers.append((201, more.json()))
    assert more.json()["reason"] == "too_many_in_flight"
    sent = [said["submission_id"] for status, said in answers if status == 201]
    refused = {said["reason"] for status, said in answers if status != 201}
    assert (len(sent), refused) == (4, {"too_many_in_flight"})
    for submission_id in sent:
        ada.call("POST", f"/submissions/{submission_id}/cancel")
    system.eventually(
        lambda: ada.http.post("/api/submissions", json={**body, "source": "1"}).status_code == 201
    )


def test_two_doors_let_no_more_runs_in_than_one(system: System) -> None:
    ada = system.person()
    body = {"language": "python3", "source": "import time\ntime.sleep(3)\n", "input": ""}
    answers = at_once(6, ada, "/runs", body)
    assert sorted(status for status, _ in answers) == [200, 200, 429, 429, 429, 429]
    assert {said["reason"] for status, said in answers if status == 429} == {"too_many_in_flight"}
    assert {status for status, _ in at_once(2, ada, "/runs", {**body, "source": "print(1)"})} == {200}
