"""What one person sees of another's things, and of contests before, during and after the freeze."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System

HOUR = timedelta(hours=1)


def plan(problem: Any, start: timedelta, freeze: timedelta | None = None) -> Any:  # noqa: ANN401 — JSON
    begin = datetime.now(UTC) + start
    schedule = {"starts_at": begin.isoformat(), "ends_at": (begin + 3 * HOUR).isoformat()}
    if freeze is not None:
        schedule["freezes_at"] = (begin + freeze).isoformat()
    return {
        "title": "Seen and unseen",
        "format": "icpc",
        "schedule": schedule,
        "problems": [{"problem_id": problem["id"], "label": "A"}],
        "entry": {"during_contest": True},
    }


@pytest.fixture(scope="module")
def things(system: System) -> dict[str, str]:
    """Return ids of things that belong to the shared setter, judge and contestant."""
    setter, judge, ada = system.one("setter"), system.one("judge"), system.one("contestant")
    public, hidden = system.problem(setter), system.problem(setter, published=False)
    running = judge.post("/contests", plan(hidden, -HOUR))
    ada.post(f"/contests/{running['id']}/participants", {"display_name": "Ada"})
    practice, sent = ada.submit(public["id"]), ada.submit(hidden["id"], contest_id=running["id"])
    ada.judged(practice)
    ada.judged(sent)
    return {
        "practice": practice,
        "contest": sent,
        "hidden": hidden["id"],
        "running": running["id"],
        "owner": ada.id,
    }


@pytest.fixture(scope="module")
def stranger(system: System) -> Person:
    return system.person()


def test_the_owner_sees_all_of_their_own(system: System, things: dict[str, str]) -> None:
    ada = system.one("contestant")
    for path in ("/submissions/{contest}", "/submissions/{contest}/source", "/users/{owner}/audit-log"):
        ada.get(path.format(**things))
    assert ada.get(f"/users/{ada.id}")["email"]


def test_of_a_strangers_practice_only_the_outline_is_shown(things: dict[str, str], stranger: Person) -> None:
    shown = stranger.get(f"/submissions/{things['practice']}")["submission"]
    assert shown["result"]["verdict"] == "AC"
    assert shown["result"]["cases"] == []
    assert stranger.get(f"/submissions/{things['practice']}/source")["source"] == ""
    assert stranger.get(f"/users/{things['owner']}")["email"] is None


def test_before_the_start_a_contest_hides_its_problems(system: System) -> None:
    setter, judge, ada = system.one("setter"), system.one("judge"), system.one("contestant")
    problem = system.problem(setter, published=False)
    later = judge.post("/contests", plan(problem, HOUR))
    ada.post(f"/contests/{later['id']}/participants", {"display_name": "Ada"})
    seen = ada.get(f"/contests/{later['id']}")
    assert (seen["contest"]["problems"], seen["contest"]["phase"]) == ([], "before")
    ada.get(f"/problems/{problem['id']}", 404, params={"contest_id": later["id"]})
    body = {"problem_id": problem["id"], "contest_id": later["id"], "language": "python3", "source": "x"}
    assert ada.post("/submissions", body, 409)["reason"] == "not_started"
    assert judge.get(f"/contests/{later['id']}")["contest"]["problems"]


def test_who_did_not_sign_up_neither_reads_nor_submits(things: dict[str, str], stranger: Person) -> None:
    asked = {"contest_id": things["running"]}
    stranger.get(f"/problems/{things['hidden']}", 404, params=asked)
    body = {"problem_id": things["hidden"], "language": "python3", "source": "print(1)"}
    assert stranger.post("/submissions", body | asked, 403)["reason"] == "not_a_participant"
    # Without naming the contest the problem is not there at all.
    stranger.post("/submissions", body, 404)


def test_a_frozen_board_shows_what_came_later_as_pending_until_it_is_unfrozen_after_the_end(
    system: System,
) -> None:
    setter, judge, ada = system.one("setter"), system.one("judge"), system.person()
    problem = system.problem(setter, published=False)
    draft = plan(problem, -HOUR, freeze=HOUR / 2)
    contest = f"/contests/{judge.post('/contests', draft)['id']}"
    ada.post(f"{contest}/participants", {"display_name": "Ada"})
    ada.judged(ada.submit(problem["id"], contest_id=contest.rpartition("/")[2]))

    def cell(person: Person, view: str) -> Any:  # noqa: ANN401 — JSON
        rows = person.get(f"{contest}/scoreboard", params={"view": view})["items"]
        return rows[0]["cells"][0] if rows else {"pending": 0, "solved": False}

    system.eventually(lambda: bool(cell(judge, "admin")["solved"]))
    assert (cell(system.guest, "public")["solved"], cell(system.guest, "public")["pending"]) == (False, 1)
    assert cell(ada, "own")["solved"] is True
    ada.get(f"{contest}/scoreboard", 403, params={"view": "admin"})
    assert judge.post(f"{contest}/unfreeze", expect=409)["reason"] == "not_ended"
    soon = datetime.now(UTC) + timedelta(milliseconds=200)
    draft["schedule"]["ends_at"] = soon.isoformat()
    judge.put(contest, {"version": judge.get(contest)["contest"]["version"], "draft": draft})
    system.eventually(lambda: bool(judge.get(contest)["contest"]["phase"] == "ended"))
    assert cell(system.guest, "public")["solved"] is False
    assert judge.post(f"{contest}/unfreeze", expect=200)["unfrozen_at"]
    system.eventually(lambda: bool(cell(system.guest, "public")["solved"]))
    assert judge.post(f"{contest}/unfreeze", expect=409)["reason"] == "not_frozen"
