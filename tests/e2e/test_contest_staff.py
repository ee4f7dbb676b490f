"""What the staff of a contest does to it, and what those who take part ask."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System

# What came over the wire.
Json = Any
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def judge(system: System) -> Person:
    return system.one("judge")


@pytest.fixture(scope="module")
def ada(system: System) -> Person:
    return system.person()


@pytest.fixture(scope="module")
def problem(system: System) -> Json:
    return system.problem(system.one("setter"), published=False)


@pytest.fixture(scope="module")
def contest(judge: Person, ada: Person, problem: Json) -> Json:
    made = judge.post("/contests", plan(problem, -2 * HOUR, 1 * HOUR))
    ada.post(f"/contests/{made['id']}/participants", {"display_name": "Ada"})
    return made


def plan(problem: Json, start: timedelta, end: timedelta) -> Json:
    now = datetime.now(UTC)
    return {
        "title": "Staffed",
        "description": "For those who *help*.",
        "format": "icpc",
        "options": {"penalty_minutes": 10, "rounding": "on_the_sum"},
        "schedule": {"starts_at": (now + start).isoformat(), "ends_at": (now + end).isoformat()},
        "problems": [{"problem_id": problem["id"], "label": "A", "points": 100, "colour": "#00ff00"}],
        "entry": {"during_contest": True, "cancel_during_contest": True},
    }


def test_a_plan_comes_back_as_it_was_made_and_is_changed_by_its_version(judge: Person, problem: Json) -> None:
    draft = plan(problem, HOUR, 2 * HOUR)
    made = judge.post("/contests", draft)
    assert (made["options"]["penalty_minutes"], made["phase"], made["version"]) == (10, "before", 1)
    assert made["problems"] == [
        {
            "problem_id": problem["id"],
            "label": "A",
            "points": 100.0,
            "colour": "#00ff00",
            "title": problem["title"],
            "titles": {each["locale"]: each["title"] for each in problem["statements"]},
            "slug": problem["slug"],
        }
    ]
    path = f"/contests/{made['id']}"
    changed = judge.put(path, {"version": 1, "draft": {**draft, "title": "Renamed"}})
    assert changed["title"] == "Renamed"
    assert judge.put(path, {"version": 1, "draft": draft}, 409)["reason"] == "version_conflict"
    listed = judge.get("/contests", params={"search": "Renamed", "phase": "before"})["items"]
    assert made["id"] in {each["id"] for each in listed}
    judge.call("DELETE", path, params={"version": changed["version"]}, expect=204)
    judge.get(path, 404)


def test_questions_are_answered_and_news_told_to_everybody(
    system: System, judge: Person, ada: Person, contest: Json, problem: Json
) -> None:
    path = f"/contests/{contest['id']}"
    asked = ada.post(f"{path}/clarifications", {"text": "May n be 0?", "problem_id": problem["id"]})
    eve = system.person()
    assert asked["id"] not in {each["id"] for each in eve.get(f"{path}/clarifications")["items"]}
    answer = {"answer": "No.", "public": True}
    judge.put(f"{path}/clarifications/{asked['id']}/answer", answer)
    news = judge.post(f"{path}/broadcasts", {"text": "Lunch is ready."})
    seen = {each["id"]: each for each in eve.get(f"{path}/clarifications")["items"]}
    assert seen[asked["id"]]["answer"] == "No."
    assert seen[news["id"]]["asked_by"] is None


def test_participants_are_listed_changed_and_leave(
    system: System, judge: Person, ada: Person, contest: Json
) -> None:
    path, eve = f"/contests/{contest['id']}/participants", system.person()
    eve.post(path, {"display_name": "Eve"})
    assert {each["display_name"] for each in judge.get(path)["items"]} == {"Ada", "Eve"}
    changed = judge.call("PATCH", f"{path}/{eve.id}", json={"kind": "unofficial", "display_name": "E."})
    assert (changed["kind"], changed["display_name"]) == ("unofficial", "E.")
    eve.call("PATCH", f"{path}/{ada.id}", json={"kind": "hidden"}, expect=403)
    eve.call("DELETE", f"{path}/me", expect=204)
    assert eve.get(f"/contests/{contest['id']}")["participant"] is None


def test_problems_have_titles_for_those_who_may_see_them(
    system: System, ada: Person, contest: Json, problem: Json
) -> None:
    path = f"/contests/{contest['id']}"
    (seen,) = ada.get(path)["contest"]["problems"]
    assert (seen["title"], seen["slug"]) == (problem["title"], problem["slug"])
    assert system.person().get(path)["contest"]["problems"] == []


def test_people_are_signed_up_by_the_names_of_their_accounts(
    system: System, judge: Person, ada: Person, contest: Json
) -> None:
    path, bob, cid = f"/contests/{contest['id']}/participants", system.person(), system.person()
    names = [each.name for each in (ada, bob, cid)]
    found = judge.post(f"{path}/import", {"names": [*names, names[1].upper(), "nobody-of-this-name"]}, 200)
    assert [(each["user_id"], each["refused"]) for each in found["items"]] == [
        (ada.id, "already_signed_up"),
        (bob.id, None),
        (cid.id, None),
        (bob.id, None),
        (None, "name_unknown"),
    ]
    shown = bob.get(f"/contests/{contest['id']}")["participant"]["display_name"]
    assert {each["user_id"] for each in judge.get(path, params={"search": shown})["items"]} >= {bob.id}
    for each in (bob, cid):
        each.call("DELETE", f"{path}/me", expect=204)


def test_time_is_given_and_taken_and_a_submission_left_out(
    system: System, judge: Person, ada: Person, contest: Json, problem: Json
) -> None:
    path = f"/contests/{contest['id']}"
    right = ada.judged(ada.submit(problem["id"], contest_id=contest["id"]))["id"]
    system.eventually(lambda: bool(_row(judge, contest)["solved"]))
    tried = judge.call(
        "PUT", f"{path}/submissions/{right}/ignored", params={"dry_run": 1}, json={"ignored": True}
    )
    assert [each["user_id"] for each in tried["changes"]] == [ada.id]
    assert _row(judge, contest)["solved"]
    judge.put(f"{path}/submissions/{right}/ignored", {"ignored": True, "reason": "a test"}, 204)
    assert [each["submission_id"] for each in judge.get(f"{path}/ignored")["items"]] == [right]
    system.eventually(lambda: not _row(judge, contest)["solved"])
    judge.put(f"{path}/submissions/{right}/ignored", {"ignored": False, "reason": "over"}, 204)
    system.eventually(lambda: bool(_row(judge, contest)["solved"]))
    ends = datetime.fromisoformat(contest["schedule"]["ends_at"])
    extended = judge.post(f"{path}/extend", {"by_ms": 60_000, "reason": "late start"}, 200)
    assert datetime.fromisoformat(extended["schedule"]["ends_at"]) - ends == timedelta(minutes=1)
    start = datetime.fromisoformat(contest["schedule"]["starts_at"])
    cut = {"from": start.isoformat(), "before": (start + timedelta(minutes=5)).isoformat()}
    would = judge.post(f"{path}/removed-intervals", {"interval": cut}, 201, params={"dry_run": 1})
    assert would["rows_changed"] == 1
    removed = judge.post(f"{path}/removed-intervals", {"interval": cut, "reason": "a power cut"})
    assert len(removed["schedule"]["removed"]) == 1
    assert judge.call("POST", f"{path}/finalize", expect=409)["reason"] == "not_ended"
    entry = ada.get(f"{path}/problems/{problem['id']}/entry")
    assert entry["phase"] == "running"


def test_a_rejudge_is_discarded(
    system: System, judge: Person, ada: Person, contest: Json, problem: Json
) -> None:
    ada.judged(ada.submit(problem["id"], contest_id=contest["id"]))
    wanted = {"filter": {"contest_id": contest["id"]}, "reason": "just in case", "rejudge_id": str(uuid4())}
    started = judge.post("/admin/rejudges", wanted)
    assert (started["rejudge_id"], started["state"]) == (wanted["rejudge_id"], "open")
    assert judge.post("/admin/rejudges", wanted) == started, "a repeated request starts nothing new"
    path = f"/admin/rejudges/{started['rejudge_id']}"
    system.eventually(lambda: judge.get(path)["judged"] == started["submissions"])
    assert judge.call("POST", f"{path}/discard")["discarded"] == started["submissions"]
    states = {each["id"]: each["state"] for each in judge.get("/admin/rejudges")["items"]}
    assert states[started["rejudge_id"]] == "discarded"


def test_a_setter_rejudges_what_was_sent_to_their_own_contest_and_nothing_else(
    system: System, judge: Person, ada: Person, contest: Json, problem: Json
) -> None:
    owner = system.one("setter")
    own = owner.post("/contests", plan(problem, -2 * HOUR, 1 * HOUR))
    ada.post(f"/contests/{own['id']}/participants", {"display_name": "Ada"})
    sent = ada.submit(problem["id"], contest_id=own["id"])
    ada.judged(sent)
    for selection in ({"problem_id": problem["id"]}, {"contest_id": contest["id"]}):
        refused = owner.post("/admin/rejudges", {"filter": selection}, 403)
        assert refused["reason"] == "not_allowed"
        owner.post("/admin/rejudges/count", {"filter": selection}, 403)
    assert owner.post("/admin/rejudges/count", {"filter": {"contest_id": own["id"]}}, 200)["submissions"] == 1
    started = owner.post("/admin/rejudges", {"submission_id": sent})["rejudge_id"]
    path = f"/admin/rejudges/{started}"
    system.eventually(lambda: owner.get(path)["judged"] == 1)
    assert owner.get(f"/contests/{own['id']}/rejudges/{started}/preview")["judged"] == 1
    ada.get(path, 403)
    assert owner.post(f"{path}/apply", expect=200)["applied"] == 1
    for who in (owner, judge):
        items = who.get("/admin/rejudges", params={"contest_id": own["id"]})["items"]
        assert [each["id"] for each in items] == [started]
    owner.get("/admin/rejudges", 403)


def test_the_staff_is_told_by_whom_and_with_what_a_submission_was_judged(
    judge: Person, ada: Person, contest: Json, problem: Json
) -> None:
    sent = ada.submit(problem["id"], contest_id=contest["id"])
    ada.judged(sent)
    (told,) = judge.get(f"/submissions/{sent}")["attempts"]
    assert told["worker"]
    assert told["toolchain"].startswith("Python 3")
    (kept,) = ada.get(f"/submissions/{sent}")["attempts"]
    assert (kept["worker"], kept["toolchain"]) == ("", None)


def test_operators_see_queues_workers_and_limits(system: System, judge: Person) -> None:
    assert judge.get("/admin/queue")["outbox_pending"] >= 0
    (worker,) = judge.get("/admin/workers")["items"]
    assert "python3" in worker["languages"]
    assert system.admin.get("/admin/quotas")["live_workers"] == 1
    assert "next_cursor" in system.admin.get("/admin/dead-letters")["page"]
    assert system.admin.get("/admin/audit-log", params={"size": 1})["page"]["next_cursor"]


def _row(judge: Person, contest: Json) -> Json:
    rows = judge.get(f"/contests/{contest['id']}/scoreboard", params={"view": "admin"})["items"]
    return next((row for row in rows if row["participant"]["display_name"] == "Ada"), {"solved": 0})


def test_a_board_keeps_the_row_of_a_deleted_account_and_not_its_name(
    system: System, judge: Person, contest: Json
) -> None:
    path, eve = f"/contests/{contest['id']}", system.person()
    eve.post(f"{path}/participants", {"display_name": eve.name})
    board = f"{path}/scoreboard"
    system.eventually(lambda: eve.name in str(system.guest.get(board)))
    eve.call("DELETE", f"/users/{eve.id}", expect=204)
    system.eventually(lambda: eve.name not in str(system.guest.get(board)))
    row = next(each for each in system.guest.get(board)["items"] if eve.id in str(each))
    assert row["participant"]["display_name"] == system.guest.get(f"/users/{eve.id}")["display_name"]
    assert eve.name not in str(judge.get(f"{path}/participants"))
