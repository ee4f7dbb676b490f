"""One prepared world for the authorisation tests: people who may more or less, and things in every phase."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System

# What came over the wire.
Json = Any
HOUR = timedelta(hours=1)
# Requests to submit name another one: they are refused, but only after the question who asks.
LANGUAGES = ["python3"]
FIGURE = "<svg xmlns='http://www.w3.org/2000/svg'/>"


class Answer(NamedTuple):
    status: int
    body: Json


@dataclass
class World:
    people: dict[str, Person]
    places: dict[str, dict[str, Json]] = field(default_factory=dict)
    """What a request can be about: the values of its placeholders, by name."""
    as_made: dict[str, list[Answer]] = field(default_factory=dict)

    def state(self) -> dict[str, list[Answer]]:
        """Return what is in every place, as those see it who may change it."""
        routes = ("GET /api/contests/{contest_id}", "GET /api/problems/{problem}", "GET /api/users/{user_id}")
        places = (place for place in self.places if place != "nothing")
        return {place: [self.ask("admin", route, place) for route in routes] for place in places}

    def ask(self, who: str, route: str, place: str, **more: Any) -> Answer:  # noqa: ANN401 — httpx's
        """Call "METHOD /path?query" about a place; of an answer without an end, take the head."""
        things = self.places[place]
        method, path = route.split(" ", 1)
        more = {name: filled(value, things) for name, value in more.items()}
        with self.people[who].http.stream(method, path.format(**things), **more) as answer:
            kind = answer.headers.get("content-type", "")
            if kind.startswith("text/event-stream"):
                return Answer(answer.status_code, None)
            answer.read()
        return Answer(answer.status_code, answer.json() if kind.endswith("json") else answer.text)


def filled(template: Json, things: dict[str, Json]) -> Json:
    """Replace every "{name}" of a body by the thing of that name, whatever its type."""
    if isinstance(template, dict):
        return {key: filled(value, things) for key, value in template.items()}
    if isinstance(template, str) and template.startswith("{"):
        return things[template.strip("{}")]
    return template


@pytest.fixture(scope="session")
def world(system: System) -> World:
    world = World(_people(system))
    for place, published in (("published", True), ("hidden", False)):
        world.places[place] = _problem(system, world.people["owner"], published=published)
    author, practice = world.people["author"], world.places["published"]
    practice["submission_id"] = author.submit(practice["problem_id"])
    practice["user_id"] = author.id
    author.judged(practice["submission_id"])
    world.places |= _contests(system, world)
    world.places["account"] = _account(system, author)
    world.places["nothing"] = {"name": "tree.svg", "enabled": False}
    rejudge = world.people["judge"].post("/admin/rejudges", {"submission_id": practice["submission_id"]})
    for place, things in world.places.items():
        if place != "nothing":
            things["rejudge_id"] = rejudge["rejudge_id"]
        for name in (
            "problem", "problem_id", "contest_id", "spare", "submission_id", "user_id", "clarification_id",
            "token_id", "rejudge_id", "goner", "session_id", "invitation_id", "unknown",
        ):  # fmt: skip
            things.setdefault(name, str(uuid4()))
    world.as_made = world.state()
    return world


def _people(system: System) -> dict[str, Person]:
    return {
        "guest": system.guest,
        "stranger": system.person(),
        "rival": system.person(),  # takes part in every contest
        "author": system.person(),  # so does this one, and owns what a contestant can own
        "setter": system.person("setter"),
        "judge": system.person("judge"),
        "jury": system.person(),  # judges every contest, without a role of the site
        "owner": system.person("setter"),  # of the problems and contests
        "admin": system.admin,
    }


def _problem(system: System, owner: Person, *, published: bool) -> dict[str, Json]:
    made = system.problem(owner, published=published)
    draft = {key: made[key] for key in ("slug", "level", "tags", "statements", "samples")}
    figure = {"name": "tree.svg", "content_type": "image/svg+xml", "object": system.store(owner, FIGURE)}
    draft |= {"languages": LANGUAGES, "assets": [figure]}
    owner.put(f"/problems/{made['id']}", {"version": made["version"], "draft": draft})
    known = {"problem": made["id"], "problem_id": made["id"], "slug": made["slug"]}
    return known | {"name": "tree.svg", "enabled": published}


def _account(system: System, author: Person) -> dict[str, Json]:
    token = author.post("/users/me/tokens", {"name": "a tool", "scopes": ["read"]})["token"]
    return {
        "user_id": author.id, "name": author.name, "token_id": token["id"], "goner": system.person().id,
    }  # fmt: skip


def _contests(system: System, world: World) -> dict[str, dict[str, Json]]:
    """Contests in every phase; a `spare` is one more of the same, for requests that change it."""
    begun, frozen = -2 * HOUR, -HOUR
    made = {
        "before": _contest(world, 2 * HOUR),
        "running": _contest(world, begun),
        "frozen": _contest(world, begun, frozen),
        "private": _contest(world, begun, private=True),
        # Over, too, but still frozen.
        "ended": _contest(world, begun, frozen),
        "closed": _contest(world, begun, private=True),
        "over": _contest(world, begun, frozen),
    }
    places = {place: _things(world, each) for place, each in made.items()}
    spare = {"before": _contest(world, 2 * HOUR), "ended": _contest(world, begun, frozen)}
    spare["over"] = spare["ended"]
    for place, things in places.items():
        things["spare"] = (spare if place in spare else made)[place]["id"]
    for each in (made["ended"], spare["ended"], made["closed"], made["over"]):
        _end(world.people["owner"], each)
    system.eventually(lambda: _phase(world, made["over"]) == "ended")
    world.people["owner"].post(f"/contests/{made['over']['id']}/unfreeze", expect=200)
    # Record hears of it a moment later, and of the others not later than of this one.
    stranger, path = world.people["stranger"].http, f"/api/submissions/{places['over']['submission_id']}"
    system.eventually(lambda: stranger.get(path).status_code == 200)
    return places


def _contest(
    world: World, start: timedelta, freeze: timedelta | None = None, *, private: bool = False
) -> Json:
    """Make a contest with its two participants; return its id and what it was made of."""
    now = datetime.now(UTC)
    schedule = {"starts_at": (now + start).isoformat(), "ends_at": (now + start + 9 * HOUR).isoformat()}
    if freeze is not None:
        schedule["freezes_at"] = (now + freeze).isoformat()
    entrants = [world.people[who] for who in ("rival", "author")]
    draft = {
        "title": f"Whose {uuid4().hex}",
        "format": "icpc",
        "schedule": schedule,
        "problems": [{"problem_id": world.places["hidden"]["problem_id"], "label": "A"}],
        "entry": {"during_contest": True, "private": private},
        "invited_ids": [each.id for each in entrants] if private else [],
        "judge_ids": [world.people["jury"].id],
    }
    made = world.people["owner"].post("/contests", draft)
    for each in entrants:
        each.post(f"/contests/{made['id']}/participants", {"display_name": each.name})
    return {"id": made["id"], "draft": draft}


def _things(world: World, contest: Json) -> dict[str, Json]:
    """What the author has in a contest; before its start that is not much."""
    author, contest_id = world.people["author"], contest["id"]
    found = world.places["hidden"] | {"contest_id": contest_id, "title": contest["draft"]["title"]}
    found["user_id"] = author.id
    if _phase(world, contest) != "before":
        asked = author.post(f"/contests/{contest_id}/clarifications", {"text": "May n be 0?"})
        sent = author.submit(found["problem_id"], contest_id=contest_id)
        author.judged(sent)
        found |= {"clarification_id": asked["id"], "submission_id": sent}
    return found


def _end(owner: Person, contest: Json) -> None:
    """Let a contest end in a moment: a running one cannot end in the past."""
    end = datetime.now(UTC) + timedelta(milliseconds=300)
    schedule = contest["draft"]["schedule"] | {"ends_at": end.isoformat()}
    version = owner.get(f"/contests/{contest['id']}")["contest"]["version"]
    draft = contest["draft"] | {"schedule": schedule}
    owner.put(f"/contests/{contest['id']}", {"version": version, "draft": draft})


def _phase(world: World, contest: Json) -> str:
    return str(world.people["owner"].get(f"/contests/{contest['id']}")["contest"]["phase"])


@pytest.fixture(scope="session")
def routes(system: System) -> set[str]:
    """Every route of the served description, as "GET /api/users"."""
    document = system.guest.http.get("/api/openapi/openapi.json").json()
    return {f"{method.upper()} {path}" for path, known in document["paths"].items() for method in known}
