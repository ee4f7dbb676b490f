"""How people get in, and what a browser then sees: the page, an account, one stream."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import httpx
import pytest

from tests.e2e.conftest import http_client

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.conftest import Person, System

# What came over the wire.
Json = Any
HOUR = timedelta(hours=1)
FROM_HERE = {"sec-fetch-site": "same-origin"}
PASSWORD = "a fine password"


@pytest.fixture(scope="module")
def open_site(system: System) -> Iterator[str]:
    """Give the address of a front door whose site lets everybody in."""
    address = f"unix:{system.mail.parent}/open-user.sock"
    ways = {"registration": "open", "guest_accounts": "true"}
    user = system.start("deepoj_user", system.settings | ways, listen=address)
    with system.another_door(user_address=user.address, demo="true", start_problem="aplusb") as door:
        yield door.url


def browser(url: str) -> httpx.Client:
    return http_client(url, headers=FROM_HERE)


def test_the_page_is_at_every_address_that_is_not_the_api_s(system: System) -> None:
    for path in ("/", "/problems/aplusb"):
        answer = system.guest.http.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "trusted-types deepoj" in answer.headers["content-security-policy"]
    assert system.guest.http.get("/api/nothing").headers["content-type"] == "application/problem+json"


def test_long_answers_are_compressed_for_those_who_ask(system: System) -> None:
    headers = {"accept-encoding": "gzip"}
    assert system.guest.http.get("/api/languages", headers=headers).headers["content-encoding"] == "gzip"


def test_the_site_says_how_one_gets_in(system: System, open_site: str) -> None:
    closed = system.guest.get("/site")
    assert (closed["registration"], closed["guest_accounts"], closed["demo"]) == ("mail", False, False)
    with browser(open_site) as client:
        site = client.get("/api/site").json()
    assert (site["registration"], site["guest_accounts"], site["start_problem"]) == ("open", True, "aplusb")
    assert site["first_admin_hint"].endswith("/admin.json")


def test_a_newcomer_registers_and_is_signed_in_at_once(open_site: str) -> None:
    name = f"new{uuid4().hex[:12]}"
    with browser(open_site) as client:
        body = {"name": name, "password": PASSWORD, "display_name": "Newcomer", "transport": "cookie"}
        assert client.post("/api/auth/register", json=body).json()["tokens"] is None
        me = client.get("/api/users/me").json()
        assert (me["name"], me["email"]) == (name, None)
        (session,) = client.get("/api/users/me/sessions").json()["items"]
        assert session["current"]
        taken = client.post("/api/auth/register", json=body)
        assert (taken.status_code, taken.json()["reason"]) == (409, "name_taken")
        body = {"password": PASSWORD, "new_password": "an even finer one"}
        assert client.post("/api/users/me/password", json=body).status_code == 200
        assert client.get("/api/users/me").json()["name"] == name
        reserved = {"name": "adm1n", "password": PASSWORD}
        assert client.post("/api/auth/register", json=reserved).json()["reason"] == "username_reserved"


def test_a_guest_is_in_with_one_click(open_site: str) -> None:
    with browser(open_site) as client:
        made = client.post("/api/auth/guest")
        assert made.status_code == 201
        assert client.get("/api/users/me").json()["name"].startswith("guest-")


@pytest.fixture(scope="module")
def problem(system: System) -> Json:
    return system.problem(system.one("setter"))


@pytest.fixture(scope="module")
def contest(system: System, problem: Json) -> str:
    now = datetime.now(UTC)
    schedule = {"starts_at": (now - HOUR).isoformat(), "ends_at": (now + HOUR).isoformat()}
    draft = {
        "title": "Imported",
        "format": "icpc",
        "schedule": schedule,
        "problems": [{"problem_id": problem["id"], "label": "A"}],
        "entry": {"during_contest": True},
    }
    return str(system.one("judge").post("/contests", draft)["id"])


def test_the_staff_of_a_contest_makes_its_contestants(system: System, contest: str) -> None:
    names = [f"team{uuid4().hex[:8]}" for _ in range(2)]
    body = {"csv": f"name,display_name\n{names[0]},Team One\n{names[1]},\n", "contest_id": contest}
    judge = system.one("judge")
    dry = judge.post("/users/import", body | {"dry_run": True}, 200)
    assert (dry["created"], [each["password"] for each in dry["items"]]) == (2, [None, None])
    made = judge.post("/users/import", body, 200)
    assert [(each["outcome"], each["enrolled"]) for each in made["items"]] == [("created", True)] * 2
    team = system.log_in(names[0], made["items"][0]["password"])
    mine = team.get(f"/contests/{contest}")["participant"]
    assert mine["display_name"] == "Team One"
    again = judge.post("/users/import", body, 200)
    assert [(each["outcome"], each["enrolled"]) for each in again["items"]] == [("exists", True)] * 2
    ids = "&".join(f"id={each['user_id']}" for each in made["items"])
    assert {each["name"] for each in system.guest.get(f"/users?{ids}")["items"]} == set(names)


def test_an_admin_makes_an_account_and_gives_it_another_password(system: System) -> None:
    name = f"made{uuid4().hex[:8]}"
    made = system.admin.post("/users", {"name": name, "role": "setter"})
    assert system.log_in(name, made["password"]).get("/users/me")["role"] == "setter"
    reset = system.admin.post(f"/users/{made['user']['id']}/password", expect=200)
    assert system.log_in(name, reset["password"]).id == made["user"]["id"]
    invitation = system.admin.post("/admin/invitations", {"uses": 3, "note": "a class"})
    assert invitation in system.admin.get("/admin/invitations")["items"]
    system.admin.call("DELETE", f"/admin/invitations/{invitation['id']}", expect=204)


def test_one_stream_goes_on_at_another_door_where_it_broke_off(
    system: System, contest: str, problem: Json
) -> None:
    """As after a restart of the front door."""
    ada = system.person()
    ada.post(f"/contests/{contest}/participants", {"display_name": "Ada"})
    path = f"/events?submissions=mine&contest={contest}"
    stream = ada.events(path)
    begun = [next(stream) for _ in range(3)]
    assert {event for event, _, _ in begun} == {"session", "submissions", "reload"}
    position = begun[-1][1]
    start = next(data["sequence"] for event, _, data in begun if event == "reload")
    stream.close()
    submission_id = ada.submit(problem["id"], contest_id=contest)
    ada.judged(submission_id)
    with system.another_door() as door, door.client(ada) as client:
        elsewhere = _at(client, ada)
        resumed = elsewhere.events(path, last_event_id=position)
        numbers, finished, solved = [start], False, False
        for event, _, data in resumed:
            if event in {"row", "reload"}:
                assert data["contest_id"] == contest
                numbers.append(data["sequence"])
                solved |= bool(data["row"] and data["row"]["solved"])
            told = (
                data["items"]
                if event == "submissions"
                else [data["submission"]]
                if event == "submission"
                else []
            )
            finished |= any(each["id"] == submission_id and each["status"] == "finished" for each in told)
            if solved and finished:
                break
        resumed.close()
    assert numbers == sorted(set(numbers)), "no change comes twice"


def _at(client: httpx.Client, person: Person) -> Person:
    return type(person)(client, person.id, person.name, person.token)
