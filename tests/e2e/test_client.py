"""The whole system as somebody at a command line sees it."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from deepoj.cli import cli

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System

PASSWORD = "correct horse battery"
RIGHT = "a, b = map(int, input().split())\nprint(a + b)\n"
WRONG = "print(0)\n"


class Shell:
    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def file(self, name: str, text: str) -> str:
        path = self.directory / name
        path.write_text(text)
        return str(path)

    def run(self, *arguments: str, given: str | None = None, expect: int = 0) -> str:
        done = CliRunner().invoke(cli, list(arguments), input=given)
        assert done.exit_code == expect, f"{arguments}: {done.exit_code} {done.stdout} {done.stderr}"
        return done.stdout

    def json(self, *arguments: str, expect: int = 0) -> Any:  # noqa: ANN401 — what came over the wire
        return json.loads(self.run(*arguments, "--json", expect=expect))


@pytest.fixture
def person(system: System) -> Person:
    return system.person()


@pytest.fixture
def shell(system: System, person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Logged in as somebody new."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("DEEPOJ_API_TOKEN", raising=False)
    shell = Shell(tmp_path)
    shell.run("login", person.name, "--server", system.url, given=f"{PASSWORD}\n")
    return shell


def test_a_problem_is_found_read_failed_and_solved(system: System, shell: Shell) -> None:
    problem = system.problem(system.one("setter"))
    slug = problem["slug"]
    assert slug in shell.run("problems", problem["title"])
    assert "Add *two* numbers." in shell.run("problems", "--show", slug)
    failed = shell.run("submit", slug, shell.file("wrong.py", WRONG), "--watch", expect=1)
    assert "wrong answer" in failed
    solved = shell.json("submit", slug, shell.file("right.py", RIGHT), "--watch")
    assert (solved["status"], solved["result"]["verdict"]) == ("finished", "AC")
    assert "accepted" in shell.run("status", solved["id"])
    assert shell.json("status", "--watch")["id"] == solved["id"]
    assert [each["result"]["verdict"] for each in shell.json("status", "--mine")] == ["AC", "WA"]


def test_a_zip_of_answers_is_a_submission(system: System, shell: Shell) -> None:
    made = system.problem(system.one("setter"), [("1 2\n", "3\n")], form={"answers": True})
    for answer, verdict in (("3\n", "AC"), ("4\n", "WA")):
        with zipfile.ZipFile(shell.directory / "answers.zip", "w") as archive:
            archive.writestr("1.out", answer)
        asked = ("submit", made["slug"], str(shell.directory / "answers.zip"), "--watch")
        assert shell.json(*asked, expect=verdict != "AC")["result"]["verdict"] == verdict
    shell.run("submit", made["slug"], shell.file("other.zip", "no zip"), expect=2)


def test_a_key_submits_once_and_standard_input_needs_a_language(system: System, shell: Shell) -> None:
    slug = system.problem(system.one("setter"))["slug"]
    asked = ("submit", slug, "-", "--key", "homework-1", "--json")
    first = json.loads(shell.run(*asked, "--language", "python3", given=RIGHT))
    again = json.loads(shell.run(*asked, "--language", "python3", given=RIGHT))
    assert again == {"submission_id": first["submission_id"], "repeated": True}
    shell.run(*asked, given=RIGHT, expect=2)


def test_a_contest_is_joined_and_its_board_followed(system: System, shell: Shell, person: Person) -> None:
    setter, now = system.one("judge"), datetime.now(UTC)
    problem = system.problem(setter)
    draft = {
        "title": "Evening contest",
        "format": "icpc",
        "schedule": {
            "starts_at": (now - timedelta(minutes=30)).isoformat(),
            "ends_at": (now + timedelta(hours=1)).isoformat(),
        },
        "problems": [{"problem_id": problem["id"], "label": "A"}],
        "entry": {"during_contest": True},
    }
    contest = setter.post("/contests", draft)["id"]
    assert person.name in shell.run("contest", "join", contest)
    shell.run("contest", "join", contest, expect=8)
    file = shell.file("right.py", RIGHT)
    shell.run("submit", problem["slug"], file, "--contest", contest, "--watch")
    assert contest in shell.run("contest", "list")
    rows = shell.json("contest", "board", contest, "--view", "own")
    assert [(row["rank"], row["participant"]["display_name"]) for row in rows] == [(1, person.name)]
    assert person.name in shell.run("contest", "board", contest)


def test_refusals_have_exit_codes(system: System, shell: Shell) -> None:
    file = shell.file("right.py", RIGHT)
    shell.run("submit", "no-such-problem", file, expect=8)
    shell.run("import", str(shell.directory), expect=8)
    shell.run("login", "nobody-at-all", "--server", system.url, given="wrong\n", expect=7)
    shell.run("logout")
    shell.run("whoami", expect=7)
    shell.run("submit", system.problem(system.one("setter"))["slug"], file, expect=7)


def test_a_package_directory_becomes_a_problem(system: System, shell: Shell) -> None:
    setter = system.one("setter")
    shell.run("login", setter.name, "--server", system.url, given=f"{PASSWORD}\n")
    package = next(path for path in Path(__file__).parents if (path / "uv.lock").exists()) / "examples/aplusb"
    done = shell.json("import", str(package), "--slug", f"aplusb-{setter.name}")
    assert done["problem"]["slug"] == f"aplusb-{setter.name}"
    again = shell.json("import", str(package), "--problem", done["problem"]["id"])
    assert again["problem"]["id"] == done["problem"]["id"]
    assert done["problem"]["slug"] in shell.run("problems", "--show", done["problem"]["id"], "--json")
