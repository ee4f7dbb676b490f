"""What only the whole system can show: rules that one service tells and another applies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.e2e.conftest import Json, Person, System

HOUR = timedelta(hours=1)


def draft(problem: Json, begin: datetime, length: timedelta) -> Json:
    """A contest that is frozen from its first minute on."""
    return {
        "title": "Behind the curtain",
        "format": "icpc",
        "schedule": {
            "starts_at": begin.isoformat(),
            "freezes_at": (begin + timedelta(minutes=1)).isoformat(),
            "ends_at": (begin + length).isoformat(),
        },
        "problems": [{"problem_id": problem["id"], "label": "A"}],
        "entry": {"during_contest": True},
    }


def test_a_contest_that_is_over_but_frozen_tells_no_verdicts_of_others(system: System) -> None:
    setter, judge, ada, eve = system.one("setter"), system.one("judge"), system.person(), system.person()
    problem = system.problem(setter)
    begin = datetime.now(UTC) - HOUR
    made = judge.post("/contests", draft(problem, begin, 3 * HOUR))
    ada.post(f"/contests/{made['id']}/participants", {"display_name": "Ada"})
    sent = ada.submit(problem["id"], contest_id=made["id"])
    ada.judged(sent)
    soon = datetime.now(UTC) - begin + timedelta(seconds=3)
    judge.put(f"/contests/{made['id']}", {"version": made["version"], "draft": draft(problem, begin, soon)})
    system.eventually(lambda: bool(judge.get(f"/contests/{made['id']}")["contest"]["phase"] == "ended"))

    def shown(person: Person) -> list[str]:
        listed = person.get("/submissions", params={"contest_id": made["id"]})["items"]
        return [each["result"]["verdict"] for each in listed]

    def best() -> str | None:
        found = eve.get(f"/users/{ada.id}/best/{problem['id']}")["submission"]
        return None if found is None else str(found["id"])

    def solved() -> int:
        return int(system.guest.get(f"/problems/{problem['id']}/statistics")["accepted"])

    assert (shown(eve), shown(ada), shown(judge)) == ([], ["AC"], ["AC"])
    for part in ("", "/source", "/explain", "/events"):
        eve.get(f"/submissions/{sent}{part}", 404)
    assert best() is None
    assert (solved(), system.guest.get(f"/users/{ada.id}/statistics")["passed"]) == (0, 0)
    judge.call("POST", f"/contests/{made['id']}/unfreeze")
    system.eventually(lambda: shown(eve) == ["AC"])
    system.eventually(lambda: best() == sent)


def test_a_rejudge_does_not_end_its_owners_stream(system: System) -> None:
    judge, ada = system.one("judge"), system.person()
    problem = system.problem(system.one("setter"))
    stream = ada.events("/submissions/events")
    assert next(stream)[0] == "snapshot"
    first = ada.submit(problem["id"])
    ada.judged(first)
    started = judge.post("/admin/rejudges", {"submission_id": first, "reason": "to be seen"})
    path = f"/admin/rejudges/{started['rejudge_id']}"
    system.eventually(lambda: judge.get(path)["judged"] == 1)
    judge.call("POST", f"{path}/apply")
    told: list[str] = []
    for event, _, data in stream:
        if event == "progress":
            assert data["submission_id"] == first, "that of a candidate is nobody's"
            continue
        assert event == "submission", data
        told.append(data["submission"]["origin_id"])
        if data["submission"]["id"] != first and data["submission"]["is_head"]:
            break
    stream.close()
    assert set(told) == {first}
