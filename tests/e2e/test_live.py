"""Event streams: the state first, then changes; resumed, and kept alive."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.e2e.conftest import System


def test_a_stream_begins_with_the_state_and_ends_with_the_verdict(system: System) -> None:
    ada = system.one("contestant")
    submission_id = ada.submit(system.problem(system.one("setter"))["id"])
    path = f"/submissions/{submission_id}/events"
    events = list(ada.events(path))
    assert [event for event, _, _ in events][-1] == "end"
    states = [data["submission"]["status"] for event, _, data in events if event == "submission"]
    assert states[-1] == "finished"
    again = list(ada.events(path))
    assert [event for event, _, _ in again] == ["submission", "end"]


def test_who_has_the_final_state_is_told_to_stop_asking(system: System) -> None:
    ada = system.one("contestant")
    submission_id = ada.submit(system.problem(system.one("setter"))["id"])
    path = f"/submissions/{submission_id}/events"
    last = [event_id for event, event_id, _ in ada.events(path) if event == "submission"][-1]
    answer = ada.http.get(f"/api{path}", headers={"last-event-id": last})
    assert (answer.status_code, answer.content) == (204, b"")


def test_my_submissions_are_resumed_without_a_gap(system: System) -> None:
    ada, problem = system.person(), system.problem(system.one("setter"))
    stream = ada.events("/submissions/events")
    event, position, data = next(stream)
    assert (event, data["items"]) == ("snapshot", [])
    stream.close()
    first, second = ada.submit(problem["id"]), ada.submit(problem["id"])
    for submission_id in (first, second):
        ada.judged(submission_id)
    resumed = ada.events("/submissions/events", last_event_id=position)
    ended = set()
    for event, _, data in resumed:
        # A front door that had to reconnect meanwhile tells everything again.
        told = [data["submission"]] if event == "submission" else data["items"]
        ended |= {each["id"] for each in told if each["status"] == "finished"}
        if ended == {first, second}:
            break
    resumed.close()


def test_a_quiet_stream_gives_signs_of_life(system: System) -> None:
    with system.one("setter").http.stream("GET", "/api/submissions/events", timeout=60) as answer:
        lines = answer.iter_lines()
        assert next(line for line in lines if line.startswith(":")) == ": still here"
