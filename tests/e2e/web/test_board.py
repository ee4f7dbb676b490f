"""A board of ten thousand: as quick to look at as one of ten."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_journey import contest_draft
from tests.e2e.web.axe import Axe
from tests.e2e.web.hands import button, row, settled, too_wide

if TYPE_CHECKING:
    from tests.e2e.conftest import Json, Person, System
    from tests.e2e.web.conftest import OpenBrowser

MOST_NODES = 3000
OTHERS = 9_999
LABELS = "ABCDEFGHIJKL"
PHONE = 360
SIGN_UP = """
INSERT INTO game.participants (game_id, account_id, display_name, kind, signed_up_at)
SELECT %s, gen_random_uuid(), 'Team ' || number, 'official', now() FROM generate_series(1, %s) AS number
"""
# As if every second of them had sent what Ada sent, before her.
SUBMIT = """
INSERT INTO record.submissions
SELECT made.* FROM record.submissions AS model, (
    SELECT gen_random_uuid() AS id, account_id, row_number() OVER () AS number
    FROM game.participants WHERE game_id = %(game)s AND account_id <> %(ada)s
) AS other, jsonb_populate_record(model, jsonb_build_object(
    'id', other.id, 'origin_id', other.id, 'account_id', other.account_id, 'idempotency_key', other.id,
    'submitted_at', model.submitted_at - other.number * interval '300 ms'
)) AS made
WHERE model.id = %(model)s AND other.number %% 2 = 0
"""
COUNT_MOVES = """
window.moves = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) { moves += 1; return animate.apply(this, given); };
"""


@pytest.fixture(scope="module")
def problems(system: System) -> list[Json]:
    setter = system.one("setter")
    return [system.problem(setter, cases=[("1 2\n", "3\n")]) for _ in LABELS]


@pytest.fixture(scope="module")
def ada(system: System) -> Person:
    return system.person(name="ada-of-many")


@pytest.fixture(scope="module")
def contest(system: System, ada: Person, problems: list[Json]) -> Json:
    """Give one with ten thousand people, in the middle of whom is Ada."""
    judge, draft = system.one("judge"), contest_draft(problems[0], timedelta(hours=-1))
    draft["problems"] = [
        {"problem_id": each["id"], "label": label} for label, each in zip(LABELS, problems, strict=True)
    ]
    made = judge.post("/contests", draft)
    ada.post(f"/contests/{made['id']}/participants", {"display_name": "Ada"})
    sent = ada.judged(ada.submit(problems[0]["id"], contest_id=made["id"]))
    seed(system, made["id"], sent["id"], ada.id)
    headers = {"accept": "application/x-ndjson"}
    told = judge.call("POST", f"/contests/{made['id']}/recompute", expect=202, headers=headers)
    assert '"done"' in told, told
    return made


def seed(system: System, contest_id: str, model: str, ada_id: str) -> None:
    with psycopg.connect(system.settings["postgres_url"], autocommit=True) as connection:
        connection.execute(SIGN_UP, (contest_id, OTHERS))
        connection.execute(SUBMIT, {"game": contest_id, "ada": ada_id, "model": model})


def nodes(page: Page) -> int:
    return int(page.evaluate("document.querySelectorAll('*').length"))


def test_ten_thousand_rows_are_few_nodes_and_ones_own_row_is_never_far(
    open_browser: OpenBrowser, contest: Json, ada: Person
) -> None:
    page = open_browser(ada).open(f"/contests/{contest['id']}/board")
    table = page.get_by_role("table", name="Board")
    expect(table).to_have_attribute("aria-rowcount", str(1 + OTHERS + 1))
    assert nodes(page) <= MOST_NODES
    expect(page.locator(".board-pinned")).to_contain_text("Ada")
    expect(row(page, "Ada")).to_have_count(0)
    button(page, "To my row").click()
    expect(row(page, "Ada")).to_be_in_viewport()
    page.get_by_placeholder("Find a name").fill("Team 9999")
    expect(page.get_by_text("1 found")).to_be_visible()
    expect(row(page, "Team 9999")).to_be_in_viewport()
    page.locator(".board").press("End")
    expect(table.locator(f".board-body [aria-rowindex='{1 + OTHERS + 1}']")).to_be_in_viewport()
    assert nodes(page) <= MOST_NODES
    assert not Axe(page).violations()
    page.set_viewport_size({"width": PHONE, "height": 800})
    expect(page.locator(".board-pinned")).to_be_visible()
    assert not too_wide(page)
    page.goto(page.url.replace("/board", "/tv"))
    settled(page)
    assert nodes(page) <= MOST_NODES
    page.keyboard.press("Escape")
    page.wait_for_url("**/board")


def test_rows_are_seen_moving_unless_somebody_wants_no_motion(
    system: System, open_browser: OpenBrowser, contest: Json, ada: Person, problems: list[Json]
) -> None:
    reader = open_browser(ada)
    reader.context.add_init_script(COUNT_MOVES)
    moving, calm = reader.page, reader.another_tab()
    moving.emulate_media(reduced_motion="no-preference")
    for page in (moving, calm):
        page.goto(f"{reader.url}/contests/{contest['id']}/board")
        expect(page.locator(".board-body [aria-rowindex='2']")).to_be_visible()
    zoe = system.person()
    zoe.post(f"/contests/{contest['id']}/participants", {"display_name": "Zoe"})
    for problem in problems[:2]:
        zoe.judged(zoe.submit(problem["id"], contest_id=contest["id"]))
    for page in (moving, calm):
        expect(row(page, "Zoe").locator(".board-rank")).to_have_text("1")
    assert moving.evaluate("moves") > 0
    assert calm.evaluate("moves") == 0
