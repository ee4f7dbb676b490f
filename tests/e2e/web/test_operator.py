"""Whoever runs the judge is told what is stuck, and sets it going again."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast
from uuid import uuid4

import psycopg
import pytest
from playwright.sync_api import expect
from redis import Redis

from tests.e2e.test_journey import lose
from tests.e2e.web.axe import Axe
from tests.e2e.web.gate import gates
from tests.e2e.web.hands import tab_to
from tests.e2e.web.manner import AT_A_DESK, ON_A_PHONE, Hands, hands_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.conftest import Json, Person, System
    from tests.e2e.web.conftest import OpenBrowser

# In a file of no other test: the worker must not have it on its disk.
GIVEN, ANSWER = "987654321 123456789\n", "1111111110\n"
# As one that was just taken in, but for when its message is due: what sends it again then is stopped here.
WAITING = """
WITH waiting AS (INSERT INTO record.submissions
SELECT made.* FROM record.submissions AS model, jsonb_populate_record(model, jsonb_build_object(
    'id', %(id)s::text, 'origin_id', %(id)s::text, 'idempotency_key', %(id)s::text, 'status', 'PENDING',
    'attempt_id', 0, 'verdict', NULL, 'score_micros', NULL, 'result', NULL, 'finished_at', NULL,
    'language', 'haskell', 'message_due', now() + interval '1 hour', 'message_id', NULL
)) AS made
WHERE model.id = %(model)s)
INSERT INTO record.sources SELECT %(id)s::uuid, code FROM record.sources WHERE origin_id = %(model)s
"""
IS_LATE = """
UPDATE record.submissions SET needs = '', message_due = now() - interval '2 minutes' WHERE id = %s
"""
NEEDS_MUCH = "UPDATE record.submissions SET language = 'python3', needs = 'python3@999999' WHERE id = %s"
IS_LOST = "UPDATE record.submissions SET lease_until = now() WHERE id = %s"
# What a process that died before it could send it would leave to the relay.
LEFT_OVER = """
INSERT INTO record.outbox (id, stream, payload, headers, created_at, next_attempt_at)
SELECT gen_random_uuid(), stream || ':nobody', payload, headers, now() - interval '2 minutes', now()
FROM record.outbox LIMIT 1
"""


@pytest.fixture
def ada(system: System) -> Person:
    return system.person()


@pytest.fixture
def dead(system: System, ada: Person) -> list[Json]:
    """Give submissions that could not be judged: a file of their problem is lost."""
    setter = system.one("setter")
    problem = system.problem(setter, cases=[(GIVEN, ANSWER)])
    lose(system, system.store(setter, GIVEN)["sha256"])
    return [ada.judged(each) for each in [ada.submit(problem["id"]) for _ in range(2)]]


def test_what_could_not_be_judged_is_told_in_a_sentence_and_judged_again_as_a_group(
    system: System, open_browser: OpenBrowser, ada: Person, dead: list[Json]
) -> None:
    assert [each["status"] for each in dead] == ["dead", "dead"]
    hands = hands_of(open_browser, system.one("admin"), ON_A_PHONE, "/admin/now")
    banner = hands.page.locator(".verdict-banner")
    expect(banner).to_contain_text(hands.said("2 submissions could not be judged."))
    remedy = hands.said("Read the errors below, mend the cause, then replay the group.")
    expect(banner).to_contain_text(remedy)
    hands.press(hands.link("All of them"))
    groups = hands.table("Not judged").get_by_role("row")
    expect(groups).to_have_count(1 + 1)
    expect(groups.last).to_contain_text("python3")
    system.store(system.one("setter"), GIVEN)
    hands.press(hands.button("Judge all again"))
    hands.sees("2 are being judged again, 0 refused.")
    hands.sees("Everything could be judged")
    again = system.admin.get("/admin/dead-letters")["items"]
    assert [ada.judged(each["replayed_as"])["result"]["verdict"] for each in again] == ["AC", "AC"]
    sees_who_ran_what(hands, [each["replayed_as"] for each in again])
    hands.press(hands.link("Now"))
    expect(banner).not_to_contain_text(hands.said("2 submissions could not be judged."))


def sees_who_ran_what(hands: Hands, latest: list[str]) -> None:
    """Go along the life lines of a worker by the arrow keys, to a submission and back."""
    hands.press(hands.part("Workers"))
    lines = hands.page.get_by_role("listbox").first
    expect(lines.locator(".timeline-failed").first).to_be_visible()
    tab_to(hands.page, lines)
    hands.page.keyboard.press("End")
    chosen = lines.get_by_role("option", selected=True)
    expect(chosen).to_have_attribute("aria-label", re.compile(f"python3 .*{hands.words('Judged')}"))
    expect(lines).to_have_attribute("aria-activedescendant", str(chosen.get_attribute("id")))
    for key in ("Home", "ArrowRight", "ArrowLeft", "End"):
        hands.page.keyboard.press(key)
    assert not Axe(hands.page).violations()
    hands.page.keyboard.press("Enter")
    hands.page.wait_for_url(re.compile(f"/submissions/({'|'.join(latest)})$"))
    hands.page.go_back()
    expect(lines).to_be_visible()


@pytest.fixture
def hands(system: System, open_browser: OpenBrowser) -> Hands:
    """Give an operator who looks at how the system is, and is told live."""
    hands = hands_of(open_browser, system.one("admin"), AT_A_DESK, "/admin/now")
    expect(hands.page.get_by_text("Live: what is shown changes by itself.")).to_be_visible()
    return hands


def told(hands: Hands, *sentences: str) -> None:
    for each in sentences:
        expect(hands.page.locator(".verdict-banner")).to_contain_text(each)


def well(hands: Hands) -> None:
    told(hands, "Nothing is stuck.")


def test_a_store_that_is_away_is_named_until_it_is_back(system: System, hands: Hands, tmp_path: Path) -> None:
    well(hands)
    address = system.started["record"].address
    with gates(system.settings, tmp_path) as (settings, stores):
        system.started["record"].process.stop()
        behind = system.start("deepoj_record", settings, listen=address)
        for name, gate in stores.items():
            with gate.shut():
                told(hands, f"1 of our stores does not answer: {name}.", "What was accepted is kept")
                away = hands.page.locator(".light-away").filter(has_text=name)
                expect(away).to_be_visible()
            well(hands)
        behind.process.stop()
    system.started["record"] = system.start("deepoj_record", system.settings, listen=address)
    well(hands)


def test_what_waits_is_told_with_why_it_waits_until_it_is_judged(
    system: System, hands: Hands, ada: Person
) -> None:
    problem, waiting = system.guest.get("/problems/aplusb")["id"], str(uuid4())
    relay = system.started["relay"].process.pid
    model = ada.judged(ada.submit(problem))["id"]
    with psycopg.connect(system.settings["postgres_url"], autocommit=True) as connection:
        with stopped(relay):
            connection.execute(WAITING, {"id": waiting, "model": model})
            told(hands, "1 submission waits: no live worker has haskell.", "install the Debian package ghc")
            connection.execute(NEEDS_MUCH, (waiting,))
            told(
                hands,
                "no live worker has python3, and 999999 MiB for a program",
                "Add a judge host that has it",
            )
            connection.execute(IS_LATE, (waiting,))
            told(hands, "1 submission waits in the queue", "Add a judge worker")
        assert ada.judged(waiting)["result"]["verdict"] == "AC"
        well(hands)
        with stopped(relay):
            running = ada.submit(problem, "while True: pass")
            system.eventually(lambda: ada.get(f"/submissions/{running}")["submission"]["status"] == "running")
            connection.execute(IS_LOST, (running,))
            told(hands, "1 submission was taken by a worker that is silent.", "when the lease has ended")
            connection.execute(LEFT_OVER)
            told(hands, "1 message waits to be sent", "See whether the relay of record runs")
        ada.call("POST", f"/submissions/{running}/cancel")
        well(hands)


def test_a_worker_that_holds_back_is_slow_or_exposed_is_named_with_what_is_said_against_it(
    system: System, hands: Hands
) -> None:
    well(hands)
    row = hands.table("Workers").get_by_role("row")
    with colleague(system, held_back=True, trouble="cpp17: a right solution gets WA") as name:
        told(
            hands,
            "1 judge worker takes no jobs",
            name,
            "They come back by themselves when it is right again.",
        )
        expect(row.filter(has_text=name)).to_contain_text("Takes no jobs: cpp17: a right solution gets WA")
        assert not Axe(hands.page).violations()
    with colleague(system, trouble="cpp17 takes 3.1 times as long") as name:
        told(hands, "1 judge worker is slower than it was", name, "whether its processor is throttled")
        expect(row.filter(has_text=name)).to_contain_text("cpp17 takes 3.1 times as long")
    with colleague(system, layers=["degraded: no cgroup"]) as name:
        told(hands, "runs programs with less isolation than it should", name, "deepoj doctor there")
    well(hands)


@contextmanager
def colleague(system: System, **told: object) -> Iterator[str]:
    """Have another worker announced as the one that is there announces itself, but for what is told."""
    names, name = f"deepoj:{system.settings['env']}:workers", f"elsewhere-{uuid4().hex[:8]}"
    with Redis.from_url(system.settings["redis_url"]) as redis:
        (real, *_) = cast("list[bytes]", redis.zrange(names, 0, -1))
        announced = json.loads(cast("bytes", redis.get(f"{names}:{real.decode()}")))
        redis.set(f"{names}:{name}", json.dumps(announced | {"name": name} | told))
        redis.zadd(names, {name: time.time() + 600})
        try:
            yield name
        finally:
            redis.zrem(names, name)
            redis.delete(f"{names}:{name}")


@contextmanager
def stopped(process: int) -> Iterator[None]:
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)
