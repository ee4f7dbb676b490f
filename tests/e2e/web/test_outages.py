"""A service is away: a page says which part of the judge, keeps what was typed and goes on by itself."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.test_journey import contest_draft
from tests.e2e.web.hands import ADDS, SUM, button, go, verdict, write
from tests.e2e.web.test_live import RESTARTED

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System
    from tests.e2e.web.conftest import OpenBrowser, Reader

PROBLEMS = "The problems are away for a moment"
CONTESTS = "The contests are away for a moment"
RECORDS = "Submissions and verdicts are away for a moment"
ACCOUNTS = "The accounts are away for a moment"
WORKERS = "The judge's workers cannot be asked at the moment"
# What is known of workers that are gone is a few seconds old.
NO_JUDGE = re.compile(f"No judge is running|{WORKERS}|before it|no judge that is running has this language")


@contextmanager
def away(system: System, name: str) -> Iterator[None]:
    system.started[name].process.stop()
    try:
        yield
    finally:
        address = system.started[name].address
        system.started[name] = system.start(f"deepoj_{name}", system.settings, listen=address)


@pytest.fixture
def ada(system: System) -> Person:
    return system.person()


@pytest.fixture
def reader(open_browser: OpenBrowser, system: System) -> Reader:
    reader = open_browser(system.one("admin"))
    reader.expected += (*RESTARTED, "status of 504", "status of 404")
    return reader


def signed_in(page: Page) -> Locator:
    """Find the name of whom the page takes its reader for."""
    return page.locator(".account-name")


def alert(page: Page, sentence: str) -> None:
    expect(page.get_by_role("alert").get_by_text(sentence).first).to_be_visible()


@pytest.mark.parametrize(
    ("service", "address", "sentence", "back"),
    [
        # Of what nobody has asked for yet: answers that are known are shown as long as nobody has newer ones.
        ("question", "/problems?search={fresh}", PROBLEMS, "Nothing matches"),
        ("game", "/contests?search={fresh}", CONTESTS, "Nothing matches."),
        (
            "record",
            "/submissions?all=1&language=rust",
            f"{RECORDS}; nothing that was accepted is lost",
            "No submissions yet",
        ),
        ("user", "/admin/users?search={fresh}", ACCOUNTS, "Nobody matches"),
        ("judgement", "/admin/workers", WORKERS, "Isolation"),
    ],
)
def test_a_page_says_what_is_away_and_shows_it_when_it_is_back(
    system: System, reader: Reader, service: str, address: str, sentence: str, back: str
) -> None:
    page = reader.open("/nowhere")
    expect(signed_in(page)).to_be_visible()
    with away(system, service):
        go(page, address.format(fresh=uuid4().hex))
        alert(page, f"{sentence}. It is asked for again by itself.")
    expect(page.get_by_role("main").get_by_text(back).first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_who_loads_a_page_while_the_accounts_are_away_stays_signed_in(system: System, reader: Reader) -> None:
    page = reader.open("/setter")
    expect(signed_in(page)).to_be_visible()
    unconfirmed = page.get_by_role("status").get_by_text(f"{ACCOUNTS}. It is asked for again by itself.")
    with away(system, "user"):
        page.reload()
        expect(unconfirmed).to_be_visible()
        expect(signed_in(page)).to_be_visible()
        expect(page.get_by_role("heading", name="My problems")).to_be_visible()
    expect(unconfirmed).to_have_count(0)
    expect(signed_in(page)).to_be_visible()


def test_the_operator_is_told_at_once_which_service_is_away_and_that_it_is_back(
    system: System, reader: Reader
) -> None:
    page = reader.open("/admin/now")
    gone = page.locator(".light-away")
    expect(page.locator(".lights")).to_contain_text("question: ")
    expect(gone).to_have_count(0)
    with away(system, "question"):
        expect(page.locator(".verdict-banner")).to_contain_text(
            "1 of our services does not answer: question."
        )
        expect(page.locator(".verdict-banner")).to_contain_text("See below which, and read its log.")
        expect(gone).to_contain_text("question")
    expect(gone).to_have_count(0)


@pytest.mark.parametrize(("service", "sentence"), [("record", RECORDS), ("question", PROBLEMS)])
def test_what_is_submitted_meanwhile_waits_and_is_judged_once(
    system: System, open_browser: OpenBrowser, ada: Person, service: str, sentence: str
) -> None:
    reader = open_browser(ada)
    reader.expected += (*RESTARTED, "status of 504")
    page = reader.open("/problems/aplusb")
    write(page, SUM)
    with away(system, service):
        button(page, "Submit").click()
        expect(page.get_by_role("status").get_by_text(sentence).first).to_be_visible()
        expect(page.locator(".cm-content")).to_contain_text(ADDS)
    expect(verdict(page)).to_have_text("✓ Accepted")
    assert len(ada.get("/submissions", params={"user_id": ada.id})["items"]) == 1


def test_a_question_that_could_not_be_sent_stays_in_its_field(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    contest = system.one("judge").post("/contests", contest_draft(system.guest.get("/problems/aplusb")))
    ada.post(f"/contests/{contest['id']}/participants", {"display_name": "Ada"})
    reader = open_browser(ada)
    reader.expected += (*RESTARTED, "status of 504")
    path = f"/contests/{contest['id']}/clarifications"
    page = reader.open(path)
    text = page.get_by_label("Text")
    text.fill("May a be negative?")
    with away(system, "game"):
        button(page, "Send").click()
        alert(page, f"{CONTESTS}. What you typed stays; try again in a moment.")
        expect(text).to_have_value("May a be negative?")
    system.eventually(lambda: ada.http.get(f"/api{path}").status_code == httpx.codes.OK)
    button(page, "Send").click()
    expect(page.get_by_text("No answer yet")).to_be_visible()


def test_who_signs_in_runs_or_submits_meanwhile_types_nothing_twice(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    reader = open_browser()
    reader.expected += (*RESTARTED, "status of 504")
    page = reader.open("/login")
    page.get_by_label("Name or e-mail address").fill(ada.name)
    page.get_by_label("Password").fill("correct horse battery")
    sign_in = page.get_by_role("main").get_by_role("button", name="Sign in")
    with away(system, "user"):
        sign_in.click()
        alert(page, ACCOUNTS)
        expect(page.get_by_label("Name or e-mail address")).to_have_value(ada.name)
    system.eventually(lambda: system.guest.http.get("/api/health").status_code == httpx.codes.OK)
    sign_in.click()
    expect(page.get_by_role("main").get_by_role("button", name="Sign in")).to_have_count(0)
    go(page, "/run")
    write(page, '#include <cstdio>\nint main() { puts("there"); }\n')
    with away(system, "judgement"):
        button(page, "Run").click()
        expect(page.get_by_role("alert").get_by_text(NO_JUDGE).first).to_be_visible()
        submitting = reader.another_tab()
        submitting.goto(f"{reader.url}/problems/aplusb")
        write(submitting, SUM)
        button(submitting, "Submit").click()
        expect(submitting.get_by_role("status").get_by_text(NO_JUDGE).first).to_be_visible()
    expect(verdict(submitting)).to_have_text("✓ Accepted")
    button(page, "Run").click()
    expect(page.get_by_label("Output")).to_have_text("there")


def test_why_a_submission_waits_is_said_beside_it(
    system: System, open_browser: OpenBrowser, ada: Person
) -> None:
    page = open_browser(ada).open("/problems/aplusb")
    write(page, SUM)
    worker = system.started["judgement"].process.pid
    os.kill(worker, signal.SIGSTOP)
    try:
        button(page, "Submit").click()
        expect(page.get_by_role("status").get_by_text(NO_JUDGE).first).to_be_visible()
    finally:
        os.kill(worker, signal.SIGCONT)
    expect(verdict(page)).to_have_text("✓ Accepted")
