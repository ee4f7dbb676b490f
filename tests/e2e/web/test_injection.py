"""What people type is shown as they typed it and never becomes a part of the page.

The browser's complaints fail these tests too:
an attempt that the policy of the page has to stop is one too many.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import TOKENS, problem_draft
from tests.e2e.test_journey import contest_draft
from tests.e2e.web.conftest import files_of, packed
from tests.e2e.web.hands import button, drop, link, verdict, write

if TYPE_CHECKING:
    from tests.e2e.conftest import Json, Person, System
    from tests.e2e.web.conftest import OpenBrowser

IMAGE = "<img src=x onerror=\"document.title='broken'\">"
HOSTILE = f"{IMAGE}<script>document.title='broken'</script>"
LINK = "[here](javascript:document.title='broken')"


def harmless(page: Page, *, shown: str = HOSTILE) -> None:
    expect(page.get_by_text(shown).first).to_be_visible()
    unbroken(page)


def unbroken(page: Page) -> None:
    assert page.locator("img[src=x], [onerror], main script, a[href^='javascript:']").count() == 0
    assert page.title() != "broken"


@pytest.fixture
def eve(system: System) -> Person:
    return system.person()


def test_names_and_what_people_say_of_themselves(
    system: System, open_browser: OpenBrowser, eve: Person
) -> None:
    name = HOSTILE[:60]
    eve.call("PATCH", "/users/me", json={"display_name": name, "bio": HOSTILE})
    page = open_browser(eve).open(f"/u/{eve.name}")
    harmless(page)
    harmless(page, shown=name)
    eve.submit(system.guest.get("/problems/aplusb")["id"])
    page.goto(f"{system.url}/submissions?all=1")
    harmless(page, shown=name)


def test_what_a_compiler_says_and_a_program_prints(open_browser: OpenBrowser, eve: Person) -> None:
    page = open_browser(eve).open("/problems/aplusb")
    write(page, f"#error {HOSTILE}\n")
    button(page, "Submit").click()
    expect(verdict(page)).to_have_text("⚙ Compile error")
    harmless(page)
    page.get_by_role("link", name="Details").click()
    expect(page.get_by_role("heading", name="Life line")).to_be_visible()
    harmless(page)
    page.goto(page.url.split("/submissions")[0] + "/run")
    escaped = HOSTILE.replace('"', '\\"')
    write(page, f'#include <cstdio>\nint main() {{ puts("{escaped}"); fputs("{escaped}", stderr); }}\n')
    page.get_by_label("Input").fill(HOSTILE)
    button(page, "Run").click()
    expect(page.get_by_label("Standard error")).to_have_text(HOSTILE)
    expect(page.get_by_label("Output")).to_have_text(HOSTILE)
    unbroken(page)


def test_names_of_teams_questions_and_answers(system: System, open_browser: OpenBrowser, eve: Person) -> None:
    judge, problem = system.one("judge"), system.guest.get("/problems/aplusb")
    path = f"/contests/{judge.post('/contests', contest_draft(problem))['id']}"
    eve.post(f"{path}/participants", {"display_name": HOSTILE})
    eve.judged(eve.submit(problem["id"], contest_id=path.rpartition("/")[2]))
    asked = eve.post(f"{path}/clarifications", {"text": f"{HOSTILE} {LINK}"})
    reader = open_browser(judge)
    # The page is there before its script is, and hears nothing until it listens.
    with reader.page.expect_response(lambda answer: "/api/events" in answer.url and "contest=" in answer.url):
        page = reader.open(f"{path}/board")
    harmless(page)
    told = {"answer": f"Answer {HOSTILE}", "public": True}
    judge.put(f"{path}/clarifications/{asked['id']}/answer", told)
    expect(page.get_by_role("region", name="Notices")).to_contain_text(f"Answer {HOSTILE}")
    page.get_by_role("button", name="why?").first.click()
    expect(page.get_by_role("dialog")).to_contain_text(HOSTILE)
    unbroken(page)
    for part in ("tv", "clarifications", "manage/people", "manage/questions"):
        page.goto(f"{system.url}{path}/{part}")
        harmless(page)


def test_names_in_a_package(system: System, open_browser: OpenBrowser) -> None:
    files = {name: text for name, text in files_of("aplusb").items() if not name.startswith("submissions/")}
    files["problem.yaml"] = f"problem_format_version: 2025-09\nname:\n  en: {json.dumps(HOSTILE)}\n".encode()
    files[f"data/secret/{IMAGE}.in"] = files[f"data/secret/{IMAGE}.ans"] = b"1 2\n"
    files[f"submissions/accepted/{IMAGE}.py"] = b"class Main: pass\n"
    for ending in ("in", "ans", "in.download"):
        files[f"data/sample/{IMAGE}.{ending}"] = b"1 2\n"
    page = open_browser(system.one("setter")).open("/setter/import")
    page.get_by_label("Name in the address").fill("hostile")
    drop(page, f"{IMAGE}.zip", packed(files))
    expect(page.get_by_text("can be imported")).to_contain_text(HOSTILE)
    expect(page.locator(".message code").get_by_text(f"data/sample/{IMAGE}.in.download")).to_be_visible()
    unbroken(page)
    button(page, "Import it").click()
    link(page, "Look at it").click()
    harmless(page)
    link(page, "Tests").click()
    harmless(page, shown=IMAGE)


@pytest.fixture
def hostile_problem(system: System) -> Json:
    setter = system.one("setter")
    case = (system.store(setter, HOSTILE), system.store(setter, HOSTILE))
    draft = problem_draft([case], TOKENS)
    draft["limits"] = {"time_ms": 2000, "memory_bytes": 256 << 20, "output_bytes": 1 << 16}
    text = f"Hello {HOSTILE} {LINK}\n\n$\\text{{{HOSTILE}}}$"
    draft["statements"] = [{"locale": "en", "title": HOSTILE[:80], "markdown": text}]
    draft["samples"] = [{"input": HOSTILE, "output": HOSTILE}]
    made = setter.post("/problems", draft)
    return setter.put(f"/problems/{made['id']}/published", {"enabled": True})


def test_what_a_setter_writes(system: System, open_browser: OpenBrowser, hostile_problem: Json) -> None:
    page = open_browser().open(f"/problems/{hostile_problem['slug']}")
    expect(page.get_by_role("heading", name=HOSTILE[:80])).to_be_visible()
    expect(page.get_by_text("Hello")).to_be_visible()
    harmless(page)
    page.goto(f"{system.url}/problems")
    expect(page.get_by_role("link", name=HOSTILE[:80])).to_be_visible()
    unbroken(page)
    page.goto(f"{system.url}/problems?search={HOSTILE}")
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    unbroken(page)


def test_what_the_staff_of_a_contest_writes(system: System, open_browser: OpenBrowser, eve: Person) -> None:
    setter, problem = system.one("setter"), system.guest.get("/problems/aplusb")
    texts = {"title": HOSTILE[:100], "description": f"{HOSTILE} {LINK}"}
    contest = setter.post("/contests", contest_draft(problem) | texts)
    path = f"/contests/{contest['id']}"
    eve.post(f"{path}/participants", {"display_name": "Eve"})
    sent = eve.judged(eve.submit(problem["id"], contest_id=contest["id"]))
    setter.post(f"{path}/broadcasts", {"text": HOSTILE})
    setter.post(f"{path}/extend", {"by_ms": 60_000, "reason": HOSTILE}, 200)
    ignored = {"ignored": True, "reason": HOSTILE}
    setter.call("PUT", f"{path}/submissions/{sent['id']}/ignored", json=ignored, expect=None)
    filters = {"filter": {"contest_id": contest["id"], "verdicts": []}, "reason": HOSTILE}
    setter.post("/admin/rejudges", filters)
    page = open_browser(setter).open(path)
    harmless(page)
    for part in ("board", "clarifications", "manage/audit", "manage/rejudge"):
        page.goto(f"{system.url}{path}/{part}")
        harmless(page, shown=HOSTILE[:100])
    page.goto(f"{system.url}/contests?search=img")
    harmless(page, shown=HOSTILE[:100])


def test_names_of_tokens_and_invitations(system: System, open_browser: OpenBrowser) -> None:
    reader = open_browser(system.one("admin"))
    page = reader.open("/settings/tokens")
    page.get_by_label("What it is for").fill(HOSTILE[:60])
    button(page, "Make token").click()
    harmless(page, shown=HOSTILE[:60])
    page.goto(f"{system.url}/admin/invitations")
    page.get_by_label("Note").fill(HOSTILE[:60])
    page.get_by_role("main").get_by_role("button", name="Make code").click()
    harmless(page, shown=HOSTILE[:60])
    page.goto(f"{system.url}/admin/audit")
    expect(page.get_by_role("table")).to_be_visible()
    unbroken(page)
