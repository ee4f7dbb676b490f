"""A system is destroyed and comes back from its backup, with everything that people saw."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from click.testing import CliRunner

from apps.cli.tests.up_process import PATIENCE, UpProcess, real_up
from deepoj.backup.repository import opened
from deepoj.backup.seal import seal_of
from deepoj.cli import cli
from deepoj.stack.open_stores import open_stores
from deepoj.verbs.options import home_of
from deepoj_kit.testing.conditions import until
from deepoj_kit.testing.scratch import scratch_directory

# What came over the wire: each test knows what it asked for.
Json = Any

# Read once: each request that is not given certificates would read all there are.
CERTIFICATES = httpx.create_ssl_context()
RIGHT = "a, b = map(int, input().split())\nprint(a + b)\n"
WRONG = "print(0)\n"
# In C, where the limit is a third of that of Python.
ENDLESS = "int main(void) { for (;;); }\n"
MORE_THAN_CORES = 6


@pytest.fixture
def backups() -> Iterator[Path]:
    with scratch_directory() as directory:
        yield directory / "backups"


def start(data: Path, *options: str) -> UpProcess:
    environ = {
        "DEEPOJ_JUDGEMENT_PRECOMPILE": "false",
        "DEEPOJ_JUDGEMENT_CANARY_INTERVAL": "0s",
        "DEEPOJ_BFF_SUBMIT_BURST": "100",
        "DEEPOJ_BFF_SUBMIT_IN_FLIGHT": "100",
    }
    up = real_up(data, "--port", "0", *options, environ=environ)
    up.wait_ready()
    return up


def deepoj(*arguments: str, expect: int = 0) -> Json:
    done = CliRunner().invoke(cli, [*arguments, "--json"])
    assert done.exit_code == expect, f"{arguments}: {done.exit_code} {done.stdout} {done.stderr}"
    return json.loads(done.stdout) if expect == 0 else done.stderr


class Visitor:
    def __init__(self, url: str, token: str = "") -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self._url = f"{url}/api"
        self._headers = headers

    def get(self, path: str) -> Json:
        return self._call("GET", path)

    def post(self, path: str, body: Json) -> Json:
        return self._call("POST", path, json=body)

    def store(self, content: bytes) -> Json:
        return self._call("POST", "/problems/objects", content=content, kind="application/octet-stream")

    def _call(self, method: str, path: str, *, kind: str = "application/json", **body: Json) -> Json:
        headers = self._headers | {"content-type": kind}
        answer = httpx.request(
            method, self._url + path, headers=headers, timeout=PATIENCE, verify=CERTIFICATES, **body
        )
        assert answer.is_success, answer.text
        return answer.json()

    def submitted(
        self, problem: str, source: str, contest: str | None = None, language: str = "python3"
    ) -> str:
        body = {"problem_id": problem, "language": language, "source": source, "contest_id": contest}
        return str(self.post("/submissions", body)["submission_id"])

    def verdict(self, submission: str) -> str:
        """Return it when there is one."""

        def submitted() -> Json:
            return self.get(f"/submissions/{submission}")["submission"]

        until(lambda: submitted()["status"] == "finished", "it is judged")
        return str(submitted()["result"]["verdict"])

    def judged(self, problem: str, source: str, contest: str | None = None) -> str:
        made = self.submitted(problem, source, contest)
        self.verdict(made)
        return made


def log_in(url: str, data: Path) -> tuple[Visitor, str]:
    made = json.loads((data / "first-admin.json").read_text())
    body = {"login": made["name"], "password": made["password"]}
    token = str(Visitor(url).post("/auth/login", body)["tokens"]["access_token"])
    return Visitor(url, token), token


def contest_with(admin: Visitor, problem: str) -> str:
    now = datetime.now(UTC)
    draft = {
        "title": "Drill",
        "format": "icpc",
        "schedule": {
            "starts_at": (now - timedelta(minutes=30)).isoformat(),
            "ends_at": (now + timedelta(hours=1)).isoformat(),
        },
        "problems": [{"problem_id": problem, "label": "A"}],
        "entry": {"during_contest": True},
    }
    return str(admin.post("/contests", draft)["id"])


def picture(admin: Visitor, contest: str, submissions: list[str]) -> Json:
    """Return all that must be as before."""
    return {
        "submissions": [admin.get(f"/submissions/{each}") for each in submissions],
        "explained": [admin.get(f"/submissions/{each}/explain") for each in submissions],
        "board": admin.get(f"/contests/{contest}/scoreboard"),
        # Their counts of solvers are counted from time to time.
        "problems": [(each["id"], each["slug"], each["title"]) for each in admin.get("/problems")["items"]],
        "contest": admin.get(f"/contests/{contest}"),
    }


def clean_up(data: Path, admin: Visitor) -> None:
    """A file that nobody named and nobody wants goes; what a problem names stays, as all else here shows."""
    stored = admin.store(b"nobody names me")["object"]
    tried = deepoj("clean", "--dry-run", "--data", str(data))
    assert tried["swept"]["question"]["deleted_objects"] == 0
    with open_stores(home_of(data)) as stores, psycopg.connect(stores.postgres_url) as database:
        database.execute("UPDATE question.objects SET used_at = used_at - interval '8 days'")
    tried = deepoj("clean", "--dry-run", "--data", str(data))
    done = deepoj("clean", "--data", str(data))
    assert tried["swept"] == done["swept"]
    assert tried["after"] == tried["before"]
    assert done["swept"]["question"]["deleted_bytes"] == stored["size"]
    kinds = [{each["kind"]: each["objects"] for each in done[when]["kinds"]} for when in ("before", "after")]
    assert kinds[0]["files of problems"] - kinds[1]["files of problems"] == 1
    assert kinds[0]["logs of submissions"] == kinds[1]["logs of submissions"] > 0
    tables = {each["table"] for each in done["after"]["tables"]}
    assert {"record.submissions", "question.objects", "game.games", "user.accounts"} <= tables


def without_an_object(backups: Path, key: Path) -> str:
    """Return a copy of the backups in which the last one lacks a file."""
    harmed = backups.with_name("harmed")
    shutil.copytree(backups, harmed)
    with opened(harmed, seal_of(key)) as repository:
        entries = repository.entries(repository.manifest(repository.names()[-1]))
        lost = next(each for each in entries if each.key.startswith("data/"))
        repository.set_aside(lost.content)
    return str(harmed)


def test_a_destroyed_system_comes_back_from_its_backup(new_data: Path, backups: Path) -> None:
    data, directory = ("--data", str(new_data)), str(backups)
    key = backups.with_name("key")
    key.touch(mode=0o600)
    key.write_text("0123456789abcdef" * 2)
    sealed = ("--key-file", str(key))
    deepoj("backup", directory, *sealed, *data, expect=3)
    up = start(new_data, "--demo")
    try:
        admin, token = log_in(up.state().url, new_data)
        problem = next(each["id"] for each in admin.get("/problems")["items"] if each["slug"] == "aplusb")
        contest = contest_with(admin, problem)
        admin.post(f"/contests/{contest}/participants", {"display_name": "Ada"})
        first = deepoj("backup", directory, *sealed, *data)
        submissions = [
            admin.judged(problem, WRONG, contest),
            admin.judged(problem, RIGHT, contest),
            admin.judged(problem, RIGHT),
        ]
        until(
            lambda: admin.get(f"/contests/{contest}/scoreboard")["items"][0]["solved"] == 1,
            "the board has it",
        )
        before = picture(admin, contest, submissions)
        clean_up(new_data, admin)
        waiting = [
            admin.submitted(problem, f"{ENDLESS}// {n}\n", language="c11") for n in range(MORE_THAN_CORES)
        ]
        second = deepoj("backup", directory, *sealed, *data)
        assert first["objects"] == first["copied_objects"] > 0
        assert second["objects"] - second["copied_objects"] == first["objects"]
        deepoj("restore", directory, *sealed, *data, "--replace", expect=4)
        admin.judged(problem, WRONG)
    finally:
        up.stop()

    shutil.rmtree(new_data)
    assert [each["damage"] for each in deepoj("backup", directory, *sealed, "--verify")["backups"]] == [
        [],
        [],
    ]
    harmed = without_an_object(backups, key)
    assert "--without-damaged" in deepoj("restore", harmed, *sealed, *data, expect=1)
    deepoj("restore", harmed, *sealed, *data, "--without-damaged", expect=1)
    deepoj("restore", directory, *sealed, *data, expect=8)
    restored = deepoj("restore", directory, *sealed, *data, "--replace")
    assert (restored["name"], restored["damaged"]) == (second["name"], [])
    third = deepoj("backup", directory, *sealed, *data, "--keep", "1")
    assert (third["copied_objects"], third["removed"]) == (0, [first["name"], second["name"]])
    up = start(new_data)
    try:
        again = Visitor(up.state().url, token)
        assert picture(again, contest, submissions) == before
        assert {again.verdict(each) for each in waiting} == {"TLE"}, "it waited when the backup was taken"
        assert again.verdict(again.submitted(problem, RIGHT)) == "AC"
        assert len(again.get("/submissions")["items"]) == len(submissions) + len(waiting) + 1
    finally:
        up.stop()
