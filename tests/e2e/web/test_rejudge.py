"""The staff mends a verdict, sees what it does to the ranks, proves the board and ends the contest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.e2e.test_journey import contest_draft
from tests.e2e.web.axe import Axe
from tests.e2e.web.hands import row
from tests.e2e.web.manner import AT_A_DESK, ON_A_PHONE, Hands, hands_of

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
    hands = hands_of(open_browser, judge, ON_A_PHONE, f"/contests/{contest['id']}/manage/rejudge")
    page = hands.page
    starts(hands)
    weighs(hands)
    applies(hands)
    hands.press(hands.link("Board").first)
    expect(row(page, "Ada").locator(".cell-first")).to_be_visible()
    expect(row(page, "Bob").locator(".cell-solved")).to_be_visible()
    proves_the_board(hands)
    ends(judge, contest, plan)
    makes_it_official_and_reopens_it(hands)


def leave_one_case(system: System, problem: Json) -> None:
    setter = system.one("setter")
    draft = {key: problem[key] for key in ("slug", "level", "tags", "statements", "samples")}
    case = {"name": "1", "input": system.store(setter, "1 2\n"), "answer": system.store(setter, "3\n")}
    draft["judging"] = {"cases": [case], "checker": {"builtin": {"mode": "tokens"}}}
    setter.put(f"/problems/{problem['id']}", {"version": problem["version"], "draft": draft})


def starts(hands: Hands) -> None:
    hands.press(hands.button("Count"))
    hands.sees("2 submissions would be judged again.")
    hands.sees("2 of them were judged under other tests than the newest.")
    hands.fill("Reason", "A case was wrong.")
    hands.press(hands.button("Judge 2 again"))


def weighs(hands: Hands) -> None:
    hands.sees("2 of 2 judged, 0 failed; 1 verdicts would change.")
    matrix = hands.table("Old and new verdicts")
    expect(matrix.get_by_role("row").filter(has_text="WA")).to_contain_text("1")
    effect = hands.table("Effect on the board")
    expect(effect.get_by_role("row").filter(has_text="Ada")).to_contain_text("– → A")
    expect(effect.get_by_role("row").filter(has_text="Bob")).to_contain_text("A → –")


def applies(hands: Hands) -> None:
    """Type how many rows change; nothing else makes it count."""
    hands.fill("How many rows change?", "3")
    expect(hands.button("Apply")).to_be_disabled()
    hands.fill("How many rows change?", "2")
    hands.press(hands.button("Apply"))
    expect(hands.page.get_by_role("heading", name=hands.named("Applied"))).to_be_visible()


def proves_the_board(hands: Hands) -> None:
    hands.press(hands.link("Manage"))
    hands.press(hands.part("Recompute"))
    hands.press(hands.button("Recompute"))
    hands.sees("2 submissions read, nothing differed: the board is right.")


def ends(judge: Person, contest: Json, plan: Json) -> None:
    version = judge.get(f"/contests/{contest['id']}")["contest"]["version"]
    plan["schedule"]["ends_at"] = (datetime.now(UTC) + timedelta(seconds=2)).isoformat()
    judge.put(f"/contests/{contest['id']}", {"version": version, "draft": plan})


def makes_it_official_and_reopens_it(hands: Hands) -> None:
    hands.page.reload()
    hands.press(hands.part("Finish"))
    hands.sees("Every submission has its verdict.")
    hands.press(hands.button("Unfreeze the board"))
    hands.sees("Unfrozen at")
    hands.press(hands.button("Make the result official"))
    hands.sees("Official since")
    hands.fill("Reason", "Somebody protests.")
    hands.press(hands.button("Reopen the result"))
    expect(hands.button("Make the result official")).to_be_enabled()
    hands.press(hands.part("Audit"))
    expect(hands.page.get_by_text("Somebody protests.").first).to_be_visible()


def test_verdicts_that_are_out_of_date_are_told_of_and_lead_to_a_rejudge_filled_in(
    system: System, open_browser: OpenBrowser, judge: Person, contest: Json, plan: Json, problem: Json
) -> None:
    plan["title"] = f"Second {uuid4().hex[:8]}"
    second = judge.post("/contests", plan)
    carol = system.person()
    carol.post(f"/contests/{second['id']}/participants", {"display_name": "Carol"})
    carol.judged(carol.submit(problem["id"], THREE, contest_id=second["id"]))
    leave_one_case(system, problem)
    hands = hands_of(open_browser, judge, ON_A_PHONE, f"/setter/{problem['slug']}/revisions")
    hands.sees("3 submissions were judged by an older version.")
    hands.press(hands.link("Judge them again …"))
    chosen = hands.page.get_by_role("textbox", name=hands.said("Problem"))
    expect(chosen).to_have_value(problem["slug"])
    expect(hands.field("Revisions")).to_have_value("1")
    picks_a_contest_and_drops_it(hands, second)
    hands.press(hands.button("Count"))
    hands.sees("3 submissions would be judged again.")
    hands.fill("Reason", "A case was wrong.")
    hands.press(hands.button("Judge 3 again"))
    hands = hands.change(AT_A_DESK)
    hands.sees("3 of 3 judged, 2 differ.")
    hands.sees(f"{contest['title']}: 2 submissions")
    hands.sees(f"{second['title']}: 1 submission")
    other = hands.table(f"Effect on the board of {second['title']}").get_by_role("row")
    expect(other.filter(has_text="Carol")).to_contain_text("— → A")
    effect = hands.table(f"Effect on the board of {contest['title']}").get_by_role("row")
    expect(effect.filter(has_text="Ada")).to_contain_text("▲")
    expect(effect.filter(has_text="Ada")).to_contain_text("— → A")
    expect(hands.button("Apply")).to_be_disabled()
    hands.fill("3 rows of boards change. Type the number to apply it.", "3")
    hands.press(hands.button("Apply"))
    hands.sees("The new results count.")
    hands.page.goto(f"{system.url}/setter/{problem['slug']}/revisions")
    hands.sees("All verdicts come from the present tests.")


def picks_a_contest_and_drops_it(hands: Hands, contest: Json) -> None:
    """Find it by a part of its name, count what was sent to it alone, and take all of them again."""
    hands.fill("Contest", contest["title"].split()[1])
    hands.press(hands.page.get_by_role("button", name=contest["title"]))
    expect(hands.page.locator("form").get_by_role("link", name=contest["title"])).to_be_visible()
    assert not Axe(hands.page).violations()
    hands.press(hands.button("Count"))
    hands.sees("1 submission would be judged again.")
    hands.press(hands.button(f"Take out {contest['title']}"))
