"""The whole system as its operator sees it at a command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from deepoj.cli import cli

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System


def run(system: System, who: Person, *arguments: str, expect: int = 0) -> str:
    environ = {"DEEPOJ_API_TOKEN": who.token, "DEEPOJ_SERVER": system.url}
    done = CliRunner(env=environ).invoke(cli, list(arguments))
    assert done.exit_code == expect, f"{arguments}: {done.exit_code} {done.stdout} {done.stderr}"
    return done.stdout


@pytest.fixture(autouse=True)
def no_saved_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.fixture(scope="module")
def judged(system: System) -> Any:  # noqa: ANN401 — what came over the wire
    ada = system.one("contestant")
    return ada.judged(ada.submit(system.problem(system.one("setter"))["id"]))


def test_the_story_of_a_submission_is_told_in_order(system: System, judged: Any) -> None:  # noqa: ANN401
    told = json.loads(run(system, system.admin, "trace", judged["id"], "--json"))
    assert [step["what"] for step in told["steps"]] == ["submitted", "attempt 1", "attempt 1", "finished"]
    after = [step["after_ms"] for step in told["steps"]]
    assert after == sorted(after)
    assert told["explanation"]["cause"] == "finished"
    shown = run(system, system.admin, "trace", judged["id"])
    worker = told["attempts"][0]["worker"]
    assert worker
    assert f"claimed by {worker}" in shown
    assert "accepted" in shown
    assert told["explanation"]["summary"] in " ".join(shown.split())


def test_strangers_are_told_no_story(system: System, judged: Any) -> None:  # noqa: ANN401
    owner = run(system, system.one("contestant"), "trace", judged["id"])
    assert "accepted" in owner
    run(system, system.person(), "trace", judged["id"], expect=8)
    run(system, system.admin, "trace", "no-id", expect=2)
    run(system, system.admin, "trace", "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11", expect=8)


def test_a_replay_says_what_is_the_same_and_changes_nothing(system: System, judged: Any) -> None:  # noqa: ANN401
    judge, path = system.one("judge"), f"/submissions/{judged['id']}"
    before = judge.get(path)
    told = json.loads(run(system, judge, "replay", judged["id"], "--json"))
    assert told["same"]
    assert (told["verdict_before"], told["verdict_after"]) == ("AC", "AC")
    assert [case["same"] for case in told["cases"]] == [True] * len(before["submission"]["result"]["cases"])
    assert told["differences"] == []
    assert "Judged with the same in all that is kept" in told["sentence"]
    shown = " ".join(run(system, judge, "replay", judged["id"]).split())
    assert told["cases"][0]["name"] in shown
    assert f"now {told['worker_after']}" in shown
    named = ("replay", judged["id"], "--worker", before["attempts"][0]["worker"], "--json")
    again = json.loads(run(system, judge, *named))
    assert (again["same"], again["worker_after"]) == (True, before["attempts"][0]["worker"])
    assert judge.get(path) == before
    run(system, judge, "replay", judged["id"], "--worker", "nobody-here", expect=8)
    run(system, system.one("setter"), "replay", judged["id"], expect=8)
    run(system, system.one("contestant"), "replay", judged["id"], expect=8)
    run(system, judge, "replay", "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11", expect=8)


def test_the_state_of_the_system_is_shown_to_admins_only(system: System, judged: Any) -> None:  # noqa: ANN401
    del judged
    now = system.admin.get("/admin/now")
    wrong = int(now["sentence_code"] is not None)
    told = json.loads(run(system, system.admin, "top", "--once", "--json", expect=wrong))
    shown = run(system, system.admin, "top", expect=wrong)
    for part in (told["sentence"], told["workers"][0]["name"], "judged a minute", "postgres"):
        assert part in shown
    run(system, system.one("judge"), "top", "--once", expect=8)


def test_changes_are_told_as_they_come_until_interrupted(system: System) -> None:
    environ = os.environ | {"DEEPOJ_API_TOKEN": system.admin.token, "DEEPOJ_SERVER": system.url}
    argv = (sys.executable, "-m", "deepoj", "top", "--json")
    with subprocess.Popen(argv, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as top:
        lines = top.stdout
        assert lines is not None
        assert json.loads(lines.readline())["sentence"]
        top.send_signal(signal.SIGINT)
        assert top.wait(60) == 0
