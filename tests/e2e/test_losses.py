"""Redis loses the end of its streams, all of them, or the groups: everybody hears of everything all the same.

Whoever consumes a stream is frozen while it loses what they have not heard yet.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import pytest
from redis import Redis

from tests.e2e.test_journey import contest_draft

if TYPE_CHECKING:
    import httpx

    from deepoj_kit.testing.services import Service
    from tests.e2e.conftest import Person, System

    Json = Any

EVENTS = ("submission", "question", "user")
TOLD_BY = {"submission": "relay", "question": "question", "user": "user"}


class Streams:
    """The streams of the system, as somebody sees them who can damage them."""

    def __init__(self, redis: Redis, env: str) -> None:
        self._redis = redis
        self._env = env

    def names(self) -> list[str]:
        found = cast("list[bytes]", self._redis.keys(f"deepoj:{self._env}:*"))
        return [name.decode() for name in found if self._redis.type(name) == b"stream"]

    def name(self, kind: str) -> str:
        return f"deepoj:{self._env}:{kind}"

    def length(self, name: str) -> int:
        return self._redis.xlen(name)

    def saved(self) -> dict[str, bytes]:
        return {name: cast("bytes", self._redis.dump(name)) for name in self.names()}

    def lose(self, loss: str, name: str, saved: Mapping[str, bytes]) -> None:
        """Put the stream back to how it was saved, or away."""
        self._redis.delete(name)
        if loss == "tail" and name in saved:
            self._redis.restore(name, 0, saved[name])

    def lose_groups(self) -> list[tuple[str, str]]:
        groups = [
            (name, cast("bytes", group["name"]).decode())
            for name in self.names()
            for group in cast("list[dict[str, object]]", self._redis.xinfo_groups(name))
        ]
        for name, group in groups:
            self._redis.xgroup_destroy(name, group)
        return groups


@pytest.fixture
def streams(system: System) -> Iterator[Streams]:
    with Redis.from_url(system.settings["redis_url"], protocol=2) as redis:
        yield Streams(redis, system.settings["env"])


@contextmanager
def frozen(*services: Service) -> Iterator[None]:
    """Nothing that they were about to do happens until the end of this."""
    for service in services:
        os.kill(service.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for service in services:
            os.kill(service.process.pid, signal.SIGCONT)


def counted(service: Service, metric: str, **labels: str) -> float:
    chosen = ",".join(f'{name}="{value}"' for name, value in sorted(labels.items()))
    found = re.search(rf"^{metric}{{{re.escape(chosen)}.*}} (\S+)$", service.metrics(), re.MULTILINE)
    return float(found[1]) if found else 0.0


@pytest.mark.parametrize("loss", ["tail", "whole"])
def test_whatever_a_stream_loses_is_found_and_everybody_hears_of_it(
    system: System, streams: Streams, loss: str
) -> None:
    setter, judge, ann, bob = system.one("setter"), system.one("judge"), system.person(), system.person()
    problem = system.problem(setter)
    judgement, game, record = (system.started[name] for name in ("judgement", "game", "record"))
    lost = {kind: counted_losses(system, streams, kind) for kind in EVENTS}
    with system.another_door() as door, door.client(bob) as bob_there, door.client(system.guest) as guest:
        see_at(system, guest, bob_there, problem)
        saved = streams.saved()
        contest = a_contest(judge, problem, ann, bob)
        board = f"/contests/{contest['id']}/scoreboard"
        jobs = streams.name("jobs:light:contest")
        with frozen(door.service):
            with frozen(judgement):
                waiting = streams.length(jobs)
                submission = ann.submit(problem["id"], contest_id=contest["id"])
                system.eventually(lambda: streams.length(jobs) > waiting)
                streams.lose(loss, jobs, saved)
            with frozen(record):
                renamed = rename(setter, problem)
            system.admin.call("DELETE", f"/users/{bob.id}", expect=204)
            with frozen(game):
                system.eventually(lambda: status(system.admin, submission) == "finished")
                for kind in EVENTS:
                    streams.lose(loss, streams.name(f"events:{kind}"), saved)
        system.eventually(lambda: solved(system, board, ann))
        system.eventually(lambda: bob.name not in names(judge, contest))
        system.eventually(lambda: bob_there.get("/api/users/me").status_code == 401)
        system.eventually(lambda: title(guest, problem) == "Renamed")
        again = ann.judged(ann.submit(problem["id"], contest_id=contest["id"]))
        assert again["problem_revision"] == renamed["revision"]
        for kind in EVENTS:
            system.eventually(lambda: counted_losses(system, streams, kind) > lost[kind])  # noqa: B023 — called at once


def test_whatever_group_is_lost_reads_its_stream_anew(system: System, streams: Streams) -> None:
    setter, judge, ann, bob = system.one("setter"), system.one("judge"), system.person(), system.person()
    problem = system.problem(setter)
    contest = a_contest(judge, problem, ann, bob)
    ann.judged(ann.submit(problem["id"], "print(3)\n", contest_id=contest["id"]))
    lost = streams.lose_groups()
    kinds = {name.removeprefix(streams.name("")) for name, _ in lost}
    assert {"events:submission", "events:user", "jobs:light:contest", "jobs:heavy:normal"} <= kinds
    submission = ann.submit(problem["id"], contest_id=contest["id"])
    system.eventually(lambda: status(system.admin, submission) == "finished")
    system.eventually(lambda: solved(system, f"/contests/{contest['id']}/scoreboard", ann))
    for name, group in lost:
        reader = system.started["judgement" if ":jobs:" in name else "game"]
        system.eventually(lambda: counted(reader, "stream_groups_lost_total", group=group, stream=name) > 0)  # noqa: B023 — called at once


def a_contest(judge: Person, problem: Json, *people: Person) -> Json:
    contest = judge.post("/contests", contest_draft(problem))
    for person in people:
        person.post(f"/contests/{contest['id']}/participants", {"display_name": person.name})
    return contest


def see_at(system: System, guest: httpx.Client, bob: httpx.Client, problem: Json) -> None:
    """Let the door believe what is about to change."""
    assert bob.get("/api/users/me").status_code == 200
    system.eventually(lambda: title(guest, problem) == problem["title"])


def rename(setter: Person, problem: Json) -> Json:
    draft = {key: problem[key] for key in ("slug", "level", "tags", "samples")}
    draft["statements"] = [{"locale": "en", "title": "Renamed", "markdown": "Changed."}]
    return setter.put(f"/problems/{problem['id']}", {"version": problem["version"], "draft": draft})


def title(client: httpx.Client, problem: Json) -> str:
    return str(client.get(f"/api/problems/{problem['id']}").json()["title"])


def status(admin: Person, submission: str) -> str:
    return str(admin.get(f"/submissions/{submission}")["submission"]["status"])


def solved(system: System, board: str, person: Person) -> bool:
    rows = system.guest.get(board)["items"]
    return any(row["participant"]["display_name"] == person.name and row["solved"] == 1 for row in rows)


def names(judge: Person, contest: Json) -> set[str]:
    listed = judge.get(f"/contests/{contest['id']}/participants")["items"]
    return {each["display_name"] for each in listed}


def counted_losses(system: System, streams: Streams, kind: str) -> float:
    stream = streams.name(f"events:{kind}")
    return counted(system.started[TOLD_BY[kind]], "outbox_lost_total", stream=stream)
