"""Statements and the list of problems as a browser gets them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System

HOUR = timedelta(hours=1)
FIGURE = "<svg xmlns='http://www.w3.org/2000/svg'/>"
ENGLISH = "Add $a$ and $b$. ![tree](tree.svg) <script>alert(1)</script>"


def illustrated(system: System, setter: Person, *, published: bool) -> Any:  # noqa: ANN401 — JSON
    made = system.problem(setter, published=published)
    figure = {"name": "tree.svg", "content_type": "image/svg+xml", "object": system.store(setter, FIGURE)}
    statements = [
        {"locale": "en", "title": "Sum", "markdown": ENGLISH},
        {"locale": "zh", "title": "和", "markdown": "求 $a+b$。", "format": "tex"},
    ]
    draft = {"slug": made["slug"], "tags": ["sums"], "statements": statements, "assets": [figure]}
    return setter.put(f"/problems/{made['id']}", {"version": made["version"], "draft": draft})


def source_of(html: str) -> str:
    return html.partition('<img src="/api')[2].partition('"')[0].replace("&amp;", "&")


def test_a_statement_is_html_whose_images_are_the_problem_s_own(system: System) -> None:
    problem = illustrated(system, system.one("setter"), published=True)
    shown = system.guest.get(f"/problems/{problem['slug']}/statement", params={"locale": "en-GB"})
    assert (shown["locale"], shown["title"], shown["format"]) == ("en", "Sum", "markdown")
    assert (shown["locales"], shown["pdf"]) == (["en", "zh"], None)
    assert "<mi>a</mi>" in shown["html"]
    assert "script" not in shown["html"]
    image = system.guest.http.get(f"/api{source_of(shown['html'])}")
    assert (image.status_code, image.text) == (200, FIGURE)
    chinese = system.guest.get(f"/problems/{problem['id']}/statement", params={"locale": "zh-Hans"})
    assert (chinese["title"], chinese["format"]) == ("和", "tex")


def test_a_statement_that_somebody_has_is_not_sent_again(system: System) -> None:
    problem = illustrated(system, system.one("setter"), published=True)
    path = f"/api/problems/{problem['id']}/statement"
    first = system.guest.http.get(path)
    again = system.guest.http.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_images_of_a_hidden_problem_are_shown_by_its_contest(system: System) -> None:
    problem = illustrated(system, system.one("setter"), published=False)
    begin = datetime.now(UTC) - HOUR
    contest = system.one("judge").post(
        "/contests",
        {
            "title": "Pictures",
            "format": "icpc",
            "schedule": {"starts_at": begin.isoformat(), "ends_at": (begin + 3 * HOUR).isoformat()},
            "problems": [{"problem_id": problem["id"], "label": "A"}],
            "entry": {"during_contest": True},
        },
    )
    ada = system.person()
    ada.post(f"/contests/{contest['id']}/participants", {"display_name": "Ada"})
    asked = {"contest_id": contest["id"]}
    html = ada.get(f"/problems/{problem['id']}/statement", params=asked)["html"]
    assert ada.http.get(f"/api{source_of(html)}").status_code == 200
    ada.get(f"/problems/{problem['id']}/statement", expect=404)


def test_the_list_marks_what_one_has_done(system: System) -> None:
    setter, ada = system.one("setter"), system.person()
    problem = system.problem(setter)
    ada.judged(ada.submit(problem["id"]))
    asked = {"id": problem["id"]}

    def marked() -> bool:
        [item] = ada.get("/problems", params=asked)["items"]
        return item["mine"] in {"solved", "tried"} and item["attempted"] == 1

    system.eventually(marked)
    [item] = ada.get("/problems", params=asked)["items"]
    assert (item["owner_id"], item["locales"]) == (setter.id, ["en"])
    found = ada.get("/problems", params={**asked, "mine": item["mine"]})["items"]
    assert [each["id"] for each in found] == [problem["id"]]
    assert ada.get("/problems", params={**asked, "mine": "untouched"})["items"] == []
    assert system.guest.get("/problems", params=asked)["items"][0]["mine"] is None


def test_tags_are_changed_alone(system: System) -> None:
    setter = system.one("setter")
    problem = illustrated(system, setter, published=True)
    body = {"version": problem["version"], "tags": ["rare tag"], "level": None}
    changed = setter.call("PATCH", f"/problems/{problem['id']}", json=body)
    assert (changed["tags"], changed["level"], changed["slug"]) == (["rare tag"], None, problem["slug"])
    assert changed["revision"] == problem["revision"]

    def counted() -> bool:
        return {"tag": "rare tag", "count": 1} in system.guest.get("/problems/tags")["items"]

    system.eventually(counted)
