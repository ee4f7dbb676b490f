"""Event streams: the state first, then changes; resumed, and kept alive."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import httpx

    from tests.e2e.conftest import Door, Person, System

# What came over the wire.
Json = Any
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def problem(system: System) -> Json:
    return system.problem(system.one("setter"))


def contest_with(
    system: System, problem: Json, *people: Person, game_format: str = "icpc", **schedule: str
) -> str:
    now = datetime.now(UTC)
    draft = {
        "title": "Watched",
        "format": game_format,
        "schedule": {
            "starts_at": (now - 2 * HOUR).isoformat(), "ends_at": (now + HOUR).isoformat(), **schedule,
        },
        "problems": [{"problem_id": problem["id"], "label": "A"}],
        "entry": {"during_contest": True},
    }  # fmt: skip
    made = system.one("judge").post("/contests", draft)
    for person in people:
        person.post(f"/contests/{made['id']}/participants", {"display_name": person.name})
    return str(made["id"])


def test_a_stream_begins_with_the_state_and_ends_with_the_verdict(system: System, problem: Json) -> None:
    ada = system.one("contestant")
    submission_id = ada.submit(problem["id"])
    path = f"/submissions/{submission_id}/events"
    events = list(ada.events(path))
    assert [event for event, _, _ in events][-1] == "end"
    states = [data["submission"]["status"] for event, _, data in events if event == "submission"]
    assert states[-1] == "finished"
    again = list(ada.events(path))
    assert [event for event, _, _ in again] == ["submission", "end"]


# Long enough for a case to be told of before the next one is judged.
SLOW = "import time\na, b = map(int, input().split())\ntime.sleep(0.4)\nprint(a + b)\n"
SUMS = [(f"{number} 1\n", f"{number + 1}\n") for number in range(6)]


def test_whoever_is_shown_the_cases_sees_them_judged_one_by_one(system: System) -> None:
    problem, ada = system.problem(system.one("setter"), SUMS), system.person()
    submission_id = ada.submit(problem["id"], SLOW)
    path = f"/submissions/{submission_id}/events"
    told = [data for event, _, data in ada.events(path) if event == "progress"]
    done = [each["done"] for each in told]
    assert done == sorted(set(done))
    assert 0 < done[-1] < len(SUMS)
    assert {(each["submission_id"], each["total"]) for each in told} == {(submission_id, len(SUMS))}
    for each in told:
        assert [(case["number"], case["verdict"]) for case in each["cases"]] == [
            (number, "AC") for number in range(1, each["done"] + 1)
        ]


@pytest.mark.parametrize("game_format", ["oi", "icpc"])
def test_whoever_is_not_shown_the_cases_is_told_of_no_progress(system: System, game_format: str) -> None:
    """The owner while an OI contest keeps its verdicts; of any other contest's, everybody but the owner."""
    problem, ada = system.problem(system.one("setter"), SUMS), system.person()
    contest = contest_with(system, problem, ada, game_format=game_format)
    submission_id = ada.submit(problem["id"], SLOW, contest_id=contest)
    watcher, status = (ada, 200) if game_format == "oi" else (system.person(), 404)
    path = f"/submissions/{submission_id}/events"
    if status == 200:
        assert {event for event, _, _ in watcher.events(path)} == {"submission", "end"}
    else:
        watcher.get(path, expect=status)
        assert "progress" in {event for event, _, _ in ada.events(path)}


def test_who_has_the_final_state_is_told_to_stop_asking(system: System, problem: Json) -> None:
    ada = system.one("contestant")
    submission_id = ada.submit(problem["id"])
    path = f"/submissions/{submission_id}/events"
    last = [event_id for event, event_id, _ in ada.events(path) if event == "submission"][-1]
    answer = ada.http.get(f"/api{path}", headers={"last-event-id": last})
    assert (answer.status_code, answer.content) == (204, b"")


def test_my_submissions_are_resumed_without_a_gap(system: System, problem: Json) -> None:
    ada = system.person()
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


def test_a_board_is_resumed_after_the_last_change_that_was_read(system: System, problem: Json) -> None:
    ada = system.person()
    contest = contest_with(system, problem, ada)
    stream = system.guest.events(f"/contests/{contest}/events")
    event, position, _ = next(stream)
    assert event == "board"
    stream.close()
    ada.judged(ada.submit(problem["id"], contest_id=contest))
    resumed = system.guest.events(f"/contests/{contest}/events", last_event_id=position)
    numbers = [int(position)]
    for event, number, data in resumed:
        assert event in {"row", "reload"}
        numbers.append(int(number))
        if data["row"] and data["row"]["solved"]:
            break
    resumed.close()
    assert numbers == sorted(set(numbers))
    # What has not happened yet cannot have been read: such a reader gets the board.
    ahead = system.guest.events(f"/contests/{contest}/events", last_event_id=str(numbers[-1] + 1000))
    event, _, board = next(ahead)
    ahead.close()
    assert (event, board["items"][0]["solved"]) == ("board", 1)


def test_a_frozen_board_tells_live_that_there_was_a_try_but_not_its_verdict(
    system: System, problem: Json
) -> None:
    ada = system.person()
    contest = contest_with(system, problem, ada, freezes_at=(datetime.now(UTC) - HOUR).isoformat())
    watchers = {"public": system.guest, "own": ada}
    streams = {view: who.events(f"/contests/{contest}/events?view={view}") for view, who in watchers.items()}
    for stream in streams.values():
        assert next(stream)[0] == "board"
    ada.judged(ada.submit(problem["id"], contest_id=contest))
    mine = next(data["row"] for _, _, data in streams["own"] if data["row"] and data["row"]["solved"])
    public = [next(data["row"] for _, _, data in streams["public"] if data["row"])]
    system.one("judge").post(f"/contests/{contest}/broadcasts", {"text": "That is all."})
    for event, _, data in streams["public"]:
        if event == "clarification":
            break
        public += [data["row"]] if data["row"] else []
    for stream in streams.values():
        stream.close()
    assert mine["cells"][0]["solved"] is True
    assert {(row["solved"], row["cells"][0]["pending"]) for row in public} == {(0, 1)}


def test_too_many_streams_of_one_account_are_refused_until_one_is_closed(
    system: System, narrow_door: Door
) -> None:
    with narrow_door.client(system.person()) as client, ExitStack() as streams:
        two = [streams.enter_context(client.stream("GET", "/api/submissions/events")) for _ in range(2)]
        assert [each.status_code for each in two] == [200, 200]
        refused = client.get("/api/submissions/events")
        assert (refused.status_code, refused.json()["reason"]) == (429, "too_many_streams")
        assert int(refused.headers["retry-after"]) >= 1
        with narrow_door.client(system.person()) as another:
            assert _opens(another)
        two[0].close()
        system.eventually(lambda: _opens(client))


def _opens(client: httpx.Client) -> bool:
    with client.stream("GET", "/api/submissions/events") as answer:
        return answer.status_code == 200
