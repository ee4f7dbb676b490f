"""From signing up to a recomputed board, as people go through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.e2e.conftest import System


def test_sign_up_browse_submit_and_see_the_verdict_live(system: System) -> None:
    setter = system.one("setter")
    problem = system.problem(setter)
    listed = system.guest.get("/problems", params={"search": problem["title"]})
    assert [each["id"] for each in listed["items"]] == [problem["id"]]
    assert system.guest.get(f"/problems/{problem['slug']}")["samples"][0]["input"] == "1 2\n"
    ada = system.person()
    submission_id = ada.submit(problem["id"])
    verdict = ada.judged(submission_id)
    assert verdict["result"]["verdict"] == "AC"
