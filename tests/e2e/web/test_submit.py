"""What somebody submits is neither lost nor doubled, whatever happens between them and the judge."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.conftest import ADD
from tests.e2e.test_journey import contest_draft
from tests.e2e.web.hands import ADDS, SUM, button, verdict, write

if TYPE_CHECKING:
    from tests.e2e.conftest import Door, Person, System
    from tests.e2e.web.conftest import OpenBrowser, Reader

SUBMISSIONS = "**/api/submissions"


@pytest.fixture
def ada(system: System) -> Person:
    return system.person()


@pytest.fixture
def reader(open_browser: OpenBrowser, ada: Person) -> Reader:
    return open_browser(ada)


@pytest.fixture
def page(reader: Reader) -> Page:
    """Where a right solution has been typed."""
    page = reader.open("/problems/aplusb")
    write(page, SUM)
    expect(page.get_by_text("Kept in this browser")).to_be_visible()
    return page


def accepted_once(page: Page, ada: Person) -> None:
    expect(verdict(page)).to_have_text("✓ Accepted")
    assert len(ada.get("/submissions", params={"user_id": ada.id})["items"]) == 1


def test_what_is_submitted_without_a_network_goes_out_when_it_is_back(
    page: Page, reader: Reader, ada: Person
) -> None:
    reader.expected.append("ERR_INTERNET_DISCONNECTED")
    reader.context.set_offline(True)
    button(page, "Submit").click()
    expect(page.get_by_text("The judge cannot be reached")).not_to_have_count(0)
    reader.context.set_offline(False)
    accepted_once(page, ada)


def test_a_reload_while_it_is_sent_makes_one_submission(page: Page, ada: Person) -> None:
    arrived: list[Route] = []

    def hold_the_answer_back(route: Route) -> None:
        route.fetch()
        arrived.append(route)

    page.route(SUBMISSIONS, hold_the_answer_back, times=1)
    button(page, "Submit").click()
    wait_until(page, arrived)
    page.reload()
    accepted_once(page, ada)


def test_a_proxy_that_loses_the_answer_makes_no_second_submission(
    page: Page, reader: Reader, ada: Person
) -> None:
    reader.expected.append("status of 503")

    def lose_the_answer(route: Route) -> None:
        assert route.fetch().status == 201
        route.fulfill(status=503, headers={"retry-after": "1"}, body="no upstream")

    page.route(SUBMISSIONS, lose_the_answer, times=1)
    button(page, "Submit").click()
    accepted_once(page, ada)


def test_two_tabs_that_find_the_same_submission_unsent_send_it_once(
    page: Page, reader: Reader, ada: Person
) -> None:
    reader.expected.append("ERR_FAILED")
    reader.context.route(SUBMISSIONS, lambda route: route.abort(), times=1)
    button(page, "Submit").click()
    other = reader.another_tab()
    other.goto(f"{reader.url}/problems/aplusb")
    accepted_once(page, ada)
    accepted_once(other, ada)


def test_an_access_that_has_run_out_is_renewed_and_nothing_typed_is_lost(
    page: Page, reader: Reader, ada: Person
) -> None:
    reader.expected.append("status of 401")
    reader.context.clear_cookies(path="/api")
    button(page, "Submit").click()
    accepted_once(page, ada)


def test_a_session_that_has_ended_asks_who_it_is_and_goes_on(page: Page, reader: Reader, ada: Person) -> None:
    reader.expected.append("status of 401")
    reader.context.clear_cookies()
    button(page, "Submit").click()
    expect(page.get_by_text("Your session has ended")).to_be_visible()
    expect(page.locator(".cm-content")).to_contain_text(ADDS)
    page.locator(".workbench").get_by_role("button", name="Sign in").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("tab", name="Sign in").click()
    dialog.get_by_label("Name or e-mail address").fill(ada.name)
    dialog.get_by_label("Password").fill("correct horse battery")
    dialog.get_by_role("button", name="Sign in").click()
    accepted_once(page, ada)


def test_a_submit_that_is_too_fast_waits_and_one_beyond_the_quota_is_refused_and_its_code_kept(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    with system.another_door(submit_burst="1", submit_interval="10s", submit_daily="2") as door:
        reader = open_browser(ada, url=door.url)
        reader.expected.append("status of 429")
        page = reader.open("/problems/aplusb")
        expect(page.get_by_text("2 submissions left today (UTC).")).to_be_visible()
        write(page, SUM)
        submit_elsewhere(door, ada, system.guest.get("/problems/aplusb")["id"])
        button(page, "Submit").click()
        expect(page.get_by_text("You are submitting faster than allowed.")).to_be_visible()
        expect(verdict(page)).to_have_text("✓ Accepted")
        button(page, "Submit").click()
        expect(page.get_by_text("That was your last submission for today (UTC).")).to_be_visible()
        expect(page.get_by_text("All 2 submissions of today are spent.")).to_be_visible()
        expect(page.locator(".cm-content")).to_contain_text(ADDS)
        page.goto("about:blank")
    assert len(ada.get("/submissions", params={"user_id": ada.id})["items"]) == 2


def submit_elsewhere(door: Door, ada: Person, problem: str) -> None:
    with door.client(ada) as client:
        body = {"problem_id": problem, "language": "python3", "source": ADD}
        assert client.post("/api/submissions", json=body).status_code == 201


def test_what_is_sent_to_a_contest_that_is_over_is_refused_and_its_code_kept(
    system: System, reader: Reader, ada: Person
) -> None:
    judge, draft = system.one("judge"), contest_draft(system.guest.get("/problems/aplusb"))
    contest = judge.post("/contests", draft)
    path = f"/contests/{contest['id']}"
    ada.post(f"{path}/participants", {"display_name": "Ada"})
    page = reader.open(f"{path}/A")
    write(page, SUM)
    draft["schedule"]["ends_at"] = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
    judge.put(path, {"version": contest["version"], "draft": draft})
    system.eventually(lambda: judge.get(path)["contest"]["phase"] == "ended")
    reader.expected.append("status of 4")
    button(page, "Submit").click()
    expect(page.get_by_role("alert").get_by_text("The contest is over.")).to_be_visible()
    expect(page.locator(".cm-content")).to_contain_text(ADDS)


def test_a_language_that_is_gone_is_refused_by_name_and_the_code_kept(page: Page, reader: Reader) -> None:
    reader.expected.append("status of 400")

    def name_another_language(route: Route) -> None:
        sent = json.loads(route.request.post_data or "")
        route.continue_(post_data=json.dumps(sent | {"language": "gone-99"}))

    page.route(SUBMISSIONS, name_another_language, times=1)
    button(page, "Submit").click()
    refusal = page.get_by_role("alert")
    expect(refusal.get_by_text("This language does not exist here.")).to_be_visible()
    expect(page.locator(".cm-content")).to_contain_text(ADDS)
    says_its_call(page, refusal)


def says_its_call(page: Page, refusal: Locator) -> None:
    """Read what the buttons of a refusal copy: the request, and the command that makes it."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for name, begins in (("Copy as curl", "curl -X POST "), ("Copy as deepoj", "deepoj submit ")):
        button(page, name).click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(begins), copied
    assert "gone-99" not in refusal.inner_text()


def wait_until(page: Page, arrived: list[Route]) -> None:
    """Let Playwright go on until something has arrived."""
    while not arrived:
        page.wait_for_timeout(20)
