"""Two worlds that differ only in what a viewer may not know: whatever is asked, the answers are the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import pytest

from tests.e2e.conftest import frames_of

if TYPE_CHECKING:
    import httpx

    from tests.e2e.conftest import Person, System

# What came over the wire.
Json = Any
HOUR: Final = timedelta(hours=1)
RIGHT: Final = "a, b = map(int, input().split())\nprint(a + b)\n"
WRONG: Final = RIGHT.replace("+", "-")
TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")
UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
# What differs without saying anything: names of a request, positions, lengths of time, digests.
VARIES: Final = {"request_id", "trace_id", "next_cursor", "email"}
# A route without a row here is asked as it stands.
QUERIES: Final[dict[str, tuple[str, ...]]] = {
    "/api/contests": ("?search={title}", "?search={private_title}"),
    "/api/contests/{contest_id}/scoreboard": ("", "?view=own", "?view=frozen", "?size=1", "?at={frozen_at}"),
    "/api/contests/{contest_id}/scoreboard/export": ("", "?format=json", "?view=own"),
    "/api/contests/{contest_id}/scoreboard/compact": ("", "?view=own", "?at={frozen_at}"),
    "/api/contests/{contest_id}/participants": ("", "?search=cont"),
    "/api/contests/{contest_id}/scoreboard/{user_id}/explain": ("", "?at={frozen_at}"),
    "/api/problems": ("?search={slug}",),
    "/api/problems/{problem}": ("", "?contest_id={contest_id}"),
    "/api/submissions": (
        "?contest_id={contest_id}",
        "?contest_id={contest_id}&verdict=AC&size=1",
        "?contest_id={contest_id}&verdict=WA&size=1",
        "?contest_id={contest_id}&status=FINISHED",
        "?user_id={user_id}&verdict=AC&size=1",
        "?user_id={user_id}&verdict=WA",
        "?problem_id={problem_id}",
        "?problem_id={problem_id}&verdict=AC&size=1",
    ),
}
VIEWERS: Final = ("guest", "stranger", "setter", "rival")


class Things(dict[str, str]):
    """What a path names; what these tests know nothing of is not there."""

    def __missing__(self, name: str) -> str:
        return str(uuid4())


@dataclass
class Twin:
    """One of two worlds. `people` are its own but for the guest, the stranger and the setter."""

    people: dict[str, Person]
    places: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        """What the things of this world are called, by what they are."""
        named = {
            value: f"<{place} {name}>" for place, all_ in self.places.items() for name, value in all_.items()
        }
        people = {who: self.people[who] for who in ("rival", "author", "owner")}
        return (
            named
            | {each.id: f"<{who}>" for who, each in people.items()}
            | {each.name: f"<{who}>" for who, each in people.items()}
        )

    def normal(self, answer: Json) -> Json:
        match answer:
            case dict():
                return {
                    key: bool(value) if key in VARIES or key.endswith("_ms") else self.normal(value)
                    for key, value in answer.items()
                }
            case list():
                return [self.normal(each) for each in answer]
            case str():
                for value, name in sorted(self.names.items(), key=lambda each: -len(each[0])):
                    answer = answer.replace(value, name)
                return UUID.sub("<id>", TIME.sub("<time>", answer))
            case _:
                return answer

    def ask(self, who: str, place: str, path: str) -> Json:
        """Everything that comes with an answer but its bytes in transit."""
        path = path.format_map(Things(self.places[place]))
        # Said at once: a second stream beside one that begins later would hear less of the past.
        headers = {"last-event-id": "0"} if path.startswith("/api/contests") and "/events" in path else {}
        with self.people[who].http.stream("GET", path, headers=headers) as answer:
            kind = answer.headers.get("content-type", "")
            shape = (answer.status_code, kind, "etag" in answer.headers, answer.headers.get("cache-control"))
            if kind.startswith("text/event-stream"):
                return shape, self.normal(self.frames(who, path, answer))
            answer.read()
        body = answer.json() if kind.endswith("json") else answer.text
        return shape, self.normal(body)

    def frames(self, who: str, path: str, answer: httpx.Response) -> list[Json]:
        """A stream from its beginning up to what is there now."""
        if not path.startswith("/api/contests"):
            event, number, data = next(frames_of(answer))
            return [event, bool(number), data]
        board = path.removeprefix("/api").replace("/events", "/scoreboard")
        last, found = self.people[who].get(board)["sequence"], []
        for event, number, data in frames_of(answer):
            found.append([event, number, data])
            if int(number) >= last:
                break
        return found


def worlds(system: System) -> Iterator[Twin]:
    stranger, setter = system.person(), system.person("setter")
    for secret in (True, False):
        own = {"rival": system.person(), "author": system.person(), "owner": system.person("setter")}
        twin = Twin({"guest": system.guest, "stranger": stranger, "setter": setter, **own})
        twin.places["frozen"] = frozen_contest(system, twin, secret=secret)
        twin.places["oi"] = oi_contest(system, twin, secret=secret)
        twin.places["unknown"] = hidden_things(system, twin) if secret else nothing()
        yield twin


def frozen_contest(system: System, twin: Twin, *, secret: bool) -> dict[str, str]:
    """The author's verdict, and whether they asked something, is hidden from everybody but the staff."""
    things = contest(system, twin, "icpc", freeze=-HOUR / 2)
    author = twin.people["author"]
    things["submission_id"] = author.submit(
        things["problem_id"], RIGHT if secret else WRONG, contest_id=things["contest_id"]
    )
    author.judged(things["submission_id"])
    if secret:
        author.post(f"/contests/{things['contest_id']}/clarifications", {"text": "May n be 0?"})
    row = f"/contests/{things['contest_id']}/scoreboard/{author.id}"

    def is_scored() -> bool:
        cell = twin.people["owner"].get(row)["row"]["cells"][0]
        return bool(cell["solved"] if secret else cell["rejected"])

    system.eventually(is_scored)
    return things | {"user_id": author.id, "name": author.name}


def oi_contest(system: System, twin: Twin, *, secret: bool) -> dict[str, str]:
    """Not even who sent it learns the verdict."""
    things = contest(system, twin, "oi")
    rival, source = twin.people["rival"], RIGHT if secret else WRONG
    things["submission_id"] = rival.submit(things["problem_id"], source, contest_id=things["contest_id"])
    rival.judged(things["submission_id"])
    return things | {"user_id": rival.id, "name": rival.name, "source": source}


def contest(
    system: System, twin: Twin, game_format: str, freeze: timedelta | None = None, *, private: bool = False
) -> dict[str, str]:
    now, owner = datetime.now(UTC), twin.people["owner"]
    problem = system.problem(owner, published=False)
    times = {"starts_at": now - HOUR, "ends_at": now + HOUR, "freezes_at": freeze and now + freeze}
    draft = {
        "title": f"Twin {uuid4().hex}",
        "format": game_format,
        "schedule": {name: moment and moment.isoformat() for name, moment in times.items()},
        "problems": [{"problem_id": problem["id"], "label": "A"}],
        "entry": {"during_contest": True, "private": private},
    }
    made = owner.post("/contests", draft)
    for who in () if private else ("rival", "author"):
        body = {"display_name": twin.people[who].name}
        twin.people[who].post(f"/contests/{made['id']}/participants", body)
    return nothing() | {
        "contest_id": made["id"], "title": draft["title"], "problem": problem["id"],
        "problem_id": problem["id"], "slug": problem["slug"], "frozen_at": stamp(now),
    }  # fmt: skip


def hidden_things(system: System, twin: Twin) -> dict[str, str]:
    """A problem that its owner tries out, in a private contest; and nobody else is to know of either."""
    things = contest(system, twin, "icpc", private=True)
    owner = twin.people["owner"]
    things["submission_id"] = owner.submit(things["problem_id"])
    owner.judged(things["submission_id"])
    return things | {"private_title": things["title"], "user_id": owner.id, "name": owner.name}


def nothing() -> dict[str, str]:
    names = (
        "contest_id", "title", "private_title", "problem", "problem_id", "slug", "submission_id", "user_id",
        "source",
    )  # fmt: skip
    made = {name: str(uuid4()) for name in names}
    return made | {"name": "none-such", "frozen_at": stamp(datetime.now(UTC))}


def stamp(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


@pytest.fixture(scope="module")
def twins(system: System) -> tuple[Twin, Twin]:
    one, other = worlds(system)
    # Who owns the hidden things is there in both: only what they own is not.
    other.places["unknown"] |= {"user_id": other.people["owner"].id, "name": other.people["owner"].name}
    return one, other


@pytest.mark.parametrize("place", ["frozen", "oi", "unknown"])
@pytest.mark.parametrize("who", VIEWERS)
def test_no_answer_tells_what_is_hidden(
    twins: tuple[Twin, Twin], routes: set[str], who: str, place: str
) -> None:
    for route in sorted(route for route in routes if route.startswith("GET ")):
        path = route.removeprefix("GET ")
        for query in QUERIES.get(path, ("",)):
            # What is about none of the things in particular is asked once.
            if "{" in path + query or place == "frozen":
                one, other = (twin.ask(who, place, path + query) for twin in twins)
                assert one == other, path + query


@pytest.mark.parametrize("who", ["stranger", "setter"])
def test_no_request_tells_whether_a_guessed_contest_is_there(twins: tuple[Twin, Twin], who: str) -> None:
    for method, path, body in (
        ("POST", "/contests/{contest_id}/participants", {"display_name": "Me"}),
        ("POST", "/contests/{contest_id}/participants", {"display_name": "Me", "password": "guess"}),
        ("POST", "/contests/{contest_id}/participants", {"display_name": "Me", "virtual": True}),
        ("DELETE", "/contests/{contest_id}/participants/me", None),
        ("POST", "/contests/{contest_id}/clarifications", {"text": "Is anybody there?"}),
        ("POST", "/contests/{contest_id}/extend", {"by_ms": 1}),
        ("POST", "/contests/{contest_id}/recompute", None),
        ("POST", "/submissions/{submission_id}/cancel", None),
        ("PUT", "/problems/{problem_id}/published", {"enabled": True}),
    ):
        answers = [
            twin.normal(
                twin.people[who].call(method, path.format(**twin.places["unknown"]), expect=None, json=body)
            )
            for twin in twins
        ]
        assert answers[0] == answers[1], path
        assert answers[0]["status"] in {403, 404}, path


def test_a_contest_of_ones_own_opens_nobody_elses_problem(system: System, twins: tuple[Twin, Twin]) -> None:
    setter = twins[0].people["setter"]
    now = datetime.now(UTC)
    draft: Json = {
        "title": f"Mine {uuid4().hex}",
        "format": "icpc",
        "schedule": {"starts_at": (now - HOUR).isoformat(), "ends_at": (now + HOUR).isoformat()},
    }
    made = setter.post("/contests", draft)
    for twin in twins:
        for place in ("frozen", "unknown"):
            named = [{"problem_id": twin.places[place]["problem_id"], "label": "A"}]
            refused = setter.post("/contests", draft | {"problems": named}, 400)
            assert refused["reason"] == "unknown_problem"
            edit = {"version": made["version"], "draft": draft | {"problems": named}}
            assert setter.put(f"/contests/{made['id']}", edit, 400)["reason"] == "unknown_problem"
    published = system.problem(twins[0].people["owner"])
    named = [{"problem_id": published["id"], "label": "A"}]
    setter.put(f"/contests/{made['id']}", {"version": made["version"], "draft": draft | {"problems": named}})
    friend = twins[0].people["rival"]
    draft = draft | {"problems": named, "entry": {"during_contest": True}}
    setter.put(f"/contests/{made['id']}", {"version": made["version"] + 1, "draft": draft})
    friend.post(f"/contests/{made['id']}/participants", {"display_name": "Friend"})
    sent = friend.submit(published["id"], WRONG, contest_id=made["id"])
    friend.judged(sent)
    for person in (setter, friend):
        shown = person.get(f"/submissions/{sent}")["submission"]["result"]
        assert shown["verdict"] == "WA"
        assert not any(case["message"] for case in shown["cases"])
