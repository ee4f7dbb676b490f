"""The whole system as processes, once for all tests here, and people who use it over HTTP."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from deepoj_kit.embedded.free_ports import LOOPBACK, hold_port
from deepoj_kit.testing.conditions import until
from deepoj_kit.testing.databases import own_database
from deepoj_kit.testing.scratch import scratch_directory
from deepoj_kit.testing.servers import Servers
from deepoj_kit.testing.services import Service, ServiceStarter
from deepoj_kit.testing.together import addresses, start_together, store_settings
from deepoj_migrations import upgrade

# What came over the wire: each test knows what it asked for.
Json = Any

PASSWORD = "correct horse battery"
PATIENCE = 60.0
# Nobody here asks for one, but a client that is not given certificates reads all there are: 20 ms each.
CERTIFICATES = httpx.create_ssl_context()
SERVICES = ("question", "record", "game", "user")
ADD = "a, b = map(int, input().split())\nprint(a + b)\n"
TOKENS = {"builtin": {"mode": "tokens", "ignore_trailing_space": True}}
# Tests must not wait for what protects a public system.
SETTINGS = {
    "lease": "10s", "heartbeat": "2s", "hash_memory": "64", "hash_passes": "1", "captcha_resend": "1ms",
    "address_tries": "100000", "account_tries": "100000", "pair_tries": "100000",
    "mail_address_tries": "100000", "mailbox_tries": "100000", "access_validity": "1h",
    "precompile": "false", "canary_interval": "0s", "submit_burst": "1000", "submit_in_flight": "1000",
    "submit_daily": "100000",
    "run_burst": "1000", "light_backoff": "0.01", "stream_heartbeat": "1s", "streams_of_one": "5000",
    "patience": "3s", "watchdog_interval": "1s",
}  # fmt: skip


def http_client(url: str, **more: Any) -> httpx.Client:  # noqa: ANN401 — httpx's
    return httpx.Client(base_url=url, timeout=PATIENCE, verify=CERTIFICATES, **more)


def frames_of(stream: httpx.Response) -> Iterator[tuple[str, str, Json]]:
    """Yield (event, id, data) of a stream, without the heartbeats."""
    found: dict[str, str] = {}
    for line in stream.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            found[name] = value
        elif "data" in found:
            yield found["event"], found.get("id", ""), json.loads(found["data"])
            found = {}


@dataclass
class Person:
    """Somebody with an HTTP client; a guest has no token."""

    http: httpx.Client
    id: str = ""
    name: str = ""
    token: str = ""

    def call(self, method: str, path: str, *, expect: int | None = 200, **arguments: Any) -> Json:  # noqa: ANN401 — httpx's
        answer = self.http.request(method, f"/api{path}", **arguments)
        if expect is not None:
            assert answer.status_code == expect, f"{method} {path}: {answer.status_code} {answer.text}"
        kind = answer.headers.get("content-type", "")
        return answer.json() if kind in {"application/json", "application/problem+json"} else answer.text

    def get(self, path: str, expect: int = 200, **arguments: Any) -> Json:  # noqa: ANN401 — httpx's
        return self.call("GET", path, expect=expect, **arguments)

    def post(self, path: str, body: Json = None, expect: int = 201, **arguments: Any) -> Json:  # noqa: ANN401
        return self.call("POST", path, expect=expect, json=body, **arguments)

    def put(self, path: str, body: Json, expect: int = 200) -> Json:
        return self.call("PUT", path, expect=expect, json=body)

    def submit(
        self, problem_id: str, source: str = ADD, language: str = "python3", contest_id: str | None = None
    ) -> str:
        body = {"problem_id": problem_id, "language": language, "source": source, "contest_id": contest_id}
        return str(self.post("/submissions", body)["submission_id"])

    def events(self, path: str, last_event_id: str = "") -> Generator[tuple[str, str, Json], None, None]:
        """Yield (event, id, data) of a stream, without the heartbeats."""
        headers = {"last-event-id": last_event_id} if last_event_id else {}
        with self.http.stream("GET", f"/api{path}", headers=headers, timeout=PATIENCE) as answer:
            assert answer.status_code == 200, answer.read()
            yield from frames_of(answer)

    def judged(self, submission_id: str) -> Json:
        """Follow a submission to its end; return it."""
        states = [
            data
            for event, _, data in self.events(f"/submissions/{submission_id}/events")
            if event == "submission"
        ]
        return states[-1]["submission"]


@dataclass
class Door:
    """One more front door to the same system, with settings of its own."""

    url: str
    service: Service

    @contextmanager
    def client(self, person: Person) -> Iterator[httpx.Client]:
        headers = {"authorization": f"Bearer {person.token}"} if person.token else {}
        with http_client(self.url, headers=headers) as client:
            yield client

    def lookups(self, cache: str, outcome: str) -> int:
        """Return how many look-ups in a cache have ended so."""
        counted = rf'^deepoj_cache_total{{cache="{cache}",outcome="{outcome}".*}} (\S+)$'
        found = re.search(counted, self.service.metrics(), re.MULTILINE)
        return int(float(found[1])) if found else 0

    def stop_with_an_open_stream(self, person: Person) -> None:
        """See that streams end with the process, at once and in order."""
        with self.client(person) as client, client.stream("GET", "/api/submissions/events") as answer:
            lines = answer.iter_lines()
            assert next(lines).startswith("id: ")
            stopping = threading.Thread(target=self.service.process.stop)
            stopping.start()
            assert not [line for line in lines if line.startswith("event: error")]
            stopping.join()
        assert self.service.process.exit_code() == 0


@dataclass
class System:
    url: str
    bff: Service
    started: dict[str, Service]
    settings: dict[str, str]
    mail: Path
    admin: Person
    guest: Person
    cleanup: ExitStack
    start: ServiceStarter
    route: Callable[[], httpx.BaseTransport | None] = lambda: None
    """How a client comes to a front door, where there are several."""
    people: dict[str, Person] = field(default_factory=dict)

    def client(self, token: str = "") -> httpx.Client:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        client = http_client(self.url, headers=headers, transport=self.route())
        return self.cleanup.enter_context(client)

    def person(self, role: str = "contestant", name: str = "") -> Person:
        """Sign somebody up as people do: by a captcha that came by mail."""
        name = name or f"{role[:3]}{uuid4().hex[:10]}"
        email = f"{name}@example.org"
        self.guest.post("/auth/captchas", {"email": email, "purpose": "register"}, 202)
        body = {"name": name, "email": email, "password": PASSWORD, "captcha": self.captcha(email)}
        account = self.guest.post("/auth/register", body)
        if role != "contestant":
            self.admin.put(f"/users/{account['id']}/role", {"role": role})
        return self.log_in(name)

    def log_in(self, name: str, password: str = PASSWORD) -> Person:
        session = self.guest.post("/auth/login", {"login": name, "password": password}, 200)
        token = session["tokens"]["access_token"]
        return Person(self.client(token), session["user"]["id"], name, token)

    def one(self, role: str) -> Person:
        """Return a person of that role whom tests share."""
        if role not in self.people:
            self.people[role] = self.person(role)
        return self.people[role]

    def captcha(self, email: str, letters: int = 1) -> str:
        """Return the code of the newest letter, when there are as many."""
        found: list[Path] = []

        def has_come() -> bool:
            found[:] = sorted(self.mail.glob(f"*-{email}.eml"))
            return len(found) >= letters

        self.eventually(has_come)
        code = re.search(r"^ {4}(\S+)$", found[-1].read_text(), re.MULTILINE)
        assert code is not None, found[-1].read_text()
        return code[1]

    def problem(
        self,
        setter: Person,
        cases: Sequence[tuple[str, str]] = (("1 2\n", "3\n"), ("5 6\n", "11\n")),
        *,
        published: bool = True,
        time_ms: int = 2000,
        memory_bytes: int = 256 << 20,
        checker: Json = TOKENS,
        form: Json | None = None,
    ) -> Json:
        stored = {text: self.store(setter, text) for text in dict.fromkeys(chain.from_iterable(cases))}
        draft = problem_draft([(stored[given], stored[answer]) for given, answer in cases], checker)
        draft["limits"] = {"time_ms": time_ms, "memory_bytes": memory_bytes, "output_bytes": 1 << 16}
        draft["judging"]["form"] = form
        made = setter.post("/problems", draft)
        if published:
            made = setter.put(f"/problems/{made['id']}/published", {"enabled": True})
        return made

    def store(self, setter: Person, text: str) -> Json:
        headers = {"content-type": "application/octet-stream"}
        stored = setter.call("POST", "/problems/objects", expect=201, content=text.encode(), headers=headers)
        return stored["object"]

    def eventually(self, condition: Callable[[], bool]) -> None:
        until(condition, within=PATIENCE)

    @property
    def door(self) -> Door:
        return Door(self.url, self.bff)

    @contextmanager
    def another_door(self, **settings: str) -> Iterator[Door]:
        with hold_port() as held:
            listen = f"{LOOPBACK}:{held.getsockname()[1]}"
            door = Door(f"http://{listen}", self.start("deepoj_bff", self.settings | settings, listen=listen))
            yield door
            door.stop_with_an_open_stream(self.admin)


def problem_draft(cases: Sequence[tuple[Json, Json]], checker: Json) -> Json:
    slug = f"sum-{uuid4().hex[:12]}"
    return {
        "slug": slug,
        "level": "easy",
        "tags": ["sums"],
        "statements": [{"locale": "en", "title": f"Sum {slug}", "markdown": "Add *two* numbers."}],
        "samples": [{"input": "1 2\n", "output": "3\n"}],
        "judging": {
            "cases": [
                {"name": str(number), "input": given, "answer": answer}
                for number, (given, answer) in enumerate(cases, start=1)
            ],
            "checker": checker,
        },
    }


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a directory in one process: under `--dist loadgroup` it starts the system once.

    What takes long may have a group, and so a system, of its own.
    """
    for item in items:
        if Path(__file__).parent in item.path.parents and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.parent.name))


@pytest.fixture(scope="session")
def system(servers: Servers) -> Iterator[System]:
    with running_system(servers) as system:
        yield system


@contextmanager
def running_system(servers: Servers, **settings: str) -> Iterator[System]:
    """Start all of it, on a database of its own."""
    with running_copies(servers, 1, settings) as system:
        yield system


@contextmanager
def running_copies(servers: Servers, copies: int, settings: Mapping[str, str]) -> Iterator[System]:
    """Start all of it; of what several may run as many copies, on ports."""
    if os.geteuid() != 0:
        pytest.skip("needs root: the sandbox makes boxes with users of their own")
    with ExitStack() as cleanup:
        home = cleanup.enter_context(scratch_directory())
        database = cleanup.enter_context(own_database(servers))
        _migrate(database)
        doors = [_free_address(cleanup) for _ in range(copies)]
        places = addresses(home, (*SERVICES, "judgement")) | {
            "mail_outbox": str(home / "mail"), "first_admin_file": str(home / "admin.json"),
            "home": str(home / "worker"), "sandbox_state": str(home / "sandbox"), "cores": "1",
        }  # fmt: skip
        programs: dict[str, tuple[str, str, str | None]] = {}
        for name in SERVICES:
            listens = [_free_address(cleanup) for _ in range(copies)] if copies > 1 else [None]
            if copies > 1:
                places[f"{name}_address"] = f"ipv4:{','.join(filter(None, listens))}"
            programs |= {
                _copy(name, each): (f"deepoj_{name}", "serve", at) for each, at in enumerate(listens)
            }
        programs["judgement"] = ("deepoj_judgement", "serve", None)
        programs |= {_copy("relay", each): ("deepoj_record", "relay", None) for each in range(copies)}
        programs |= {_copy("bff", each): ("deepoj_bff", "serve", at) for each, at in enumerate(doors)}
        settings = SETTINGS | store_settings(servers, database) | places | dict(settings)
        start = ServiceStarter(home, cleanup)
        started = start_together(start, settings, programs)
        yield _with_admin(f"http://{doors[0]}", started, settings, home, cleanup, start)


def _copy(name: str, number: int) -> str:
    return name if number == 0 else f"{name}-{number + 1}"


def _free_address(cleanup: ExitStack) -> str:
    return f"{LOOPBACK}:{cleanup.enter_context(hold_port()).getsockname()[1]}"


def _migrate(url: str) -> None:
    for service in (*SERVICES, "judgement"):
        upgrade(url, service)


@pytest.fixture(scope="session")
def narrow_door(system: System) -> Iterator[Door]:
    """Lets little in."""
    limits = {"submit_burst": "2", "submit_interval": "1h", "submit_daily": "3", "queue_high_water": "2"}
    with system.another_door(**limits, streams_of_one="2") as door:
        yield door


@pytest.fixture(scope="session")
def deaf_door(system: System) -> Iterator[Door]:
    """Hears neither events nor workers: those are in another environment."""
    with system.another_door(bff_env=f"{system.settings['env']}-b") as door:
        yield door


def _with_admin(
    url: str,
    started: dict[str, Service],
    settings: dict[str, str],
    home: Path,
    cleanup: ExitStack,
    start: ServiceStarter,
) -> System:
    guest = Person(cleanup.enter_context(http_client(url)))
    system = System(url, started["bff"], started, settings, home / "mail", guest, guest, cleanup, start)
    made = json.loads((home / "admin.json").read_text())
    system.admin = system.log_in(made["name"], made["password"])
    return system
