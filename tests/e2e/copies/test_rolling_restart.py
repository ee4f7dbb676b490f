"""Every copy is started again, one after the other, while people work: none of them notices."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.e2e.conftest import PASSWORD
from tests.e2e.copies.conftest import COPIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.conftest import Json, Person, System
    from tests.e2e.copies.balancer import Balancer

# Seconds between what somebody does and the next. A restart takes more than ten of them; without any, four
# people take both cores from the copies that start.
BREATH = 0.25
ROLES = ("question", "record", "game", "user", "relay", "bff")


class Load:
    """What people do again and again until it is over. A request that fails ends it for its person."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.failures: list[str] = []
        self.done: dict[str, int] = {}

    def begin(self, name: str, act: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=self._repeat, args=(name, act))
        thread.start()
        return thread

    def _repeat(self, name: str, act: Callable[[], None]) -> None:
        self.done[name] = 0
        while not (self.over.is_set() or self.failures):
            try:
                act()
            except BaseException as error:  # noqa: BLE001 — whatever it is, the test is told of it
                self.failures.append(f"{name}: {type(error).__name__}: {error}")
            self.done[name] += 1
            self.over.wait(BREATH)


@contextmanager
def load(**acts: Callable[[], None]) -> Iterator[Load]:
    made = Load()
    threads = [made.begin(name, act) for name, act in acts.items()]
    try:
        yield made
    finally:
        made.over.set()
        for thread in threads:
            thread.join()


def followed(person: Person, submission_id: str) -> Json:
    """Follow a submission to its end, at another front door whenever a stream ends before."""
    path, last, state = f"/submissions/{submission_id}/events", "", None
    while True:
        for event, event_id, data in person.events(path, last):
            if event == "end":
                return state
            if event == "submission":
                last, state = event_id, data["submission"]


def test_all_copies_are_started_again_without_a_failed_request_or_a_lost_job(
    system: System, balancer: Balancer
) -> None:
    setter, ada, bea = system.person("setter"), system.person(), system.person()
    problem = system.problem(setter)
    sent: list[str] = []

    def submit(person: Person) -> None:
        sent.append(person.submit(problem["id"]))
        assert followed(person, sent[-1])["result"]["verdict"] == "AC"

    def read() -> None:
        for path in (
            f"/problems/{problem['id']}",
            "/problems",
            "/contests",
            f"/users/{ada.id}",
            "/languages",
        ):
            system.guest.get(path)
        ada.get("/submissions", params={"user_id": ada.id})

    def write() -> None:
        """What must not be sent twice: callers do not try these again."""
        setter.call("PATCH", "/users/me", json={"bio": str(len(sent))})
        system.guest.post("/auth/login", {"login": bea.name, "password": PASSWORD}, 200)
        system.store(setter, f"{len(sent)}\n")
        version = setter.get(f"/problems/{problem['id']}")["version"]
        setter.call("PATCH", f"/problems/{problem['id']}", json={"version": version, "tags": ["sums"]})

    with load(ada=lambda: submit(ada), bea=lambda: submit(bea), reader=read, writer=write) as running:
        for number in range(COPIES):
            for role in ROLES:
                _start_again(system, balancer, role if number == 0 else f"{role}-{number + 1}", running)
                assert running.failures == []
        before = dict(running.done)
        system.eventually(lambda: bool(running.failures) or _all_more(running.done, before))
    assert running.failures == []
    for submission_id in sent:
        found = system.admin.get(f"/submissions/{submission_id}")
        assert (found["submission"]["status"], len(found["attempts"])) == ("finished", 1)


def _all_more(done: dict[str, int], before: dict[str, int]) -> bool:
    return all(done[name] > before[name] for name in before)


def _start_again(system: System, balancer: Balancer, name: str, running: Load) -> None:
    """As a rolling update does: stop one copy, and go on when the new one takes its part."""
    old = system.started[name]
    old.process.stop()
    assert old.process.exit_code() == 0, old.log()[-2000:]
    new = system.started[name] = system.start.again(old)
    new.process.wait_ready()
    door = f"http://{new.address}"
    answered = balancer.answered.get(door, 0)

    def takes_part() -> bool:
        if name.startswith("bff"):
            return balancer.answered.get(door, 0) > answered
        return name.startswith("relay") or "deepoj_grpc_server_requests_total{" in new.metrics()

    system.eventually(lambda: bool(running.failures) or takes_part())
