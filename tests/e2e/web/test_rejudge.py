"""The staff mends a verdict, sees what it does to the ranks, proves the board and ends the contest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_journey import contest_draft
from tests.e2e.web.hands import button, link, row, tab

if TYPE_CHECKING:
    from tests.e2e.conftest import Json, Person, System
    from tests.e2e.web.conftest import OpenBrowser

# Right for the first case only.
THREE = "print(3)\n"


@pytest.fixture
def judge(system: System) -> Person:
    return system.one("judge")


@pytest.fixture
def problem(system: System) -> Json:
    return system.problem(system.one("setter"))


@pytest.fixture
def plan(problem: Json) -> Json:
    """Plan a contest that is frozen from its beginning on."""
    made = contest_draft(problem)
    made["schedule"]["freezes_at"] = made["schedule"]["starts_at"]
    return made


@pytest.fixture
def contest(system: System, judge: Person, problem: Json, plan: Json) -> Json:
    """Give one in which Ada has tried and Bob has solved what she tried first."""
    contest = judge.post("/contests", plan)
    for name, source in (("Ada", THREE), ("Bob", "print(sum(map(int, input().split())))\n")):
        person = system.person()
        person.post(f"/contests/{contest['id']}/participants", {"display_name": name})
        person.judged(person.submit(problem["id"], source, contest_id=contest["id"]))
    return contest


def test_a_rejudge_is_started_weighed_and_applied_and_the_result_made_official(
    system: System, open_browser: OpenBrowser, judge: Person, contest: Json, plan: Json, problem: Json
) -> None:
    leave_one_case(system, problem)
    page = open_browser(judge).open(f"/contests/{contest['id']}/manage/rejudge")
    starts(page)
    weighs(page)
    applies(page)
    link(page, "Board").first.click()
    expect(row(page, "Ada").locator(".cell-first")).to_be_visible()
    expect(row(page, "Bob").locator(".cell-solved")).to_be_visible()
    proves_the_board(page)
    ends(judge, contest, plan)
    makes_it_official_and_reopens_it(page)


def leave_one_case(system: System, problem: Json) -> None:
    setter = system.one("setter")
    draft = {key: problem[key] for key in ("slug", "level", "tags", "statements", "samples")}
    case = {"name": "1", "input": system.store(setter, "1 2\n"), "answer": system.store(setter, "3\n")}
    draft["judging"] = {"cases": [case], "checker": {"builtin": {"mode": "tokens"}}}
    setter.put(f"/problems/{problem['id']}", {"version": problem["version"], "draft": draft})


def starts(page: Page) -> None:
    button(page, "Count").click()
    expect(page.get_by_text("2 submissions would be judged again.")).to_be_visible()
    expect(page.get_by_text("2 of them were judged under other tests than the newest.")).to_be_visible()
    page.get_by_label("Reason").fill("A case was wrong.")
    button(page, "Judge 2 again").click()


def weighs(page: Page) -> None:
    expect(page.get_by_text("2 of 2 judged, 0 failed; 1 verdicts would change.")).to_be_visible()
    matrix = page.get_by_role("table", name="Old and new verdicts")
    expect(matrix.get_by_role("row").filter(has_text="WA")).to_contain_text("1")
    effect = page.get_by_role("table", name="Effect on the board")
    expect(effect.get_by_role("row").filter(has_text="Ada")).to_contain_text("– → A")
    expect(effect.get_by_role("row").filter(has_text="Bob")).to_contain_text("A → –")


def applies(page: Page) -> None:
    """Type how many rows change; nothing else makes it count."""
    moves = page.get_by_label("How many rows change?")
    moves.fill("3")
    expect(button(page, "Apply")).to_be_disabled()
    moves.fill("2")
    button(page, "Apply").click()
    expect(page.get_by_role("heading", name="Applied")).to_be_visible()


def proves_the_board(page: Page) -> None:
    link(page, "Manage").click()
    tab(page, "Recompute").click()
    button(page, "Recompute").click()
    expect(page.get_by_text("2 submissions read, nothing differed: the board is right.")).to_be_visible()


def ends(judge: Person, contest: Json, plan: Json) -> None:
    version = judge.get(f"/contests/{contest['id']}")["contest"]["version"]
    plan["schedule"]["ends_at"] = (datetime.now(UTC) + timedelta(seconds=2)).isoformat()
    judge.put(f"/contests/{contest['id']}", {"version": version, "draft": plan})


def makes_it_official_and_reopens_it(page: Page) -> None:
    page.reload()
    tab(page, "Finish").click()
    expect(page.get_by_text("Every submission has its verdict.")).to_be_visible()
    button(page, "Unfreeze the board").click()
    expect(page.get_by_text("Unfrozen at")).to_be_visible()
    button(page, "Make the result official").click()
    expect(page.get_by_text("Official since")).to_be_visible()
    page.get_by_label("Reason").fill("Somebody protests.")
    button(page, "Reopen the result").click()
    expect(button(page, "Make the result official")).to_be_enabled()
    tab(page, "Audit").click()
    expect(page.get_by_text("Somebody protests.").first).to_be_visible()
