"""Whatever staff can do over HTTP, they can do at a command line: each route by a command that reaches it."""

from __future__ import annotations

import csv
import json
import re
import shlex
import stat
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import pytest
from click.testing import CliRunner

from deepoj.cli import cli

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System

# What came over the wire.
Json = Any
C: Final = "/api/contests/{contest_id}"
P: Final = "/api/problems/{problem}"
NOBODY: Final = "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11"
SOMEBODY_ELSE: Final = "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a12"
INTERVAL: Final = "2001-01-01T00:00:00Z 2001-01-01T00:00:01Z"
# One's own account is not what staff does.
_OWN: Final = "/api/users/me"

# Each route with a command that calls it, and the exit code: 8 where nothing is there to be changed.
COMMANDS: Final[dict[str, tuple[int, str]]] = {
    "GET /api/users": (0, "admin accounts list {user} --role contestant --status active"),
    "GET /api/users/by-name/{name}": (0, "admin accounts show {user}"),
    "GET /api/users/{user_id}": (0, "admin accounts show {user_id}"),
    "POST /api/users": (8, "admin accounts create {user}"),
    "POST /api/users/import": (0, "admin accounts import {list} --dry-run"),
    "POST /api/users/{user_id}/password": (0, "admin accounts password {victim} --yes"),
    "PATCH /api/users/{user_id}": (0, "admin accounts edit {user} --bio Hello"),
    "PUT /api/users/{user_id}/role": (0, "admin accounts role {victim} setter"),
    "PUT /api/users/{user_id}/status": (0, "admin accounts suspend {victim} --reason 'a test'"),
    "GET /api/users/{user_id}/audit-log": (0, "admin accounts log {user}"),
    "DELETE /api/users/{user_id}": (0, "admin accounts delete {victim} --yes"),
    "GET /api/users/me/sessions": (0, "admin sessions list"),
    "DELETE /api/users/me/sessions/{session_id}": (8, f"admin sessions end {NOBODY}"),
    "GET /api/admin/invitations": (0, "admin invitations list"),
    "POST /api/admin/invitations": (0, "admin invitations create --uses 2 --expires 2090-01-01 --note n"),
    "DELETE /api/admin/invitations/{invitation_id}": (8, f"admin invitations revoke {NOBODY}"),
    "GET /api/admin/audit-log": (0, "admin audit --limit 3"),
    "POST /api/admin/rejudges": (0, "admin rejudges start --submission {submission} --watch"),
    "POST /api/admin/rejudges/count": (0, "admin rejudges count --problem {slug} --account {user}"),
    "GET /api/admin/rejudges": (0, "admin rejudges list --contest {contest}"),
    "GET /api/admin/rejudges/{rejudge_id}": (0, "admin rejudges show {rejudge} --watch"),
    f"GET {C}/rejudges/{{rejudge_id}}/preview": (0, "admin rejudges board {contest} {rejudge}"),
    "POST /api/admin/rejudges/{rejudge_id}/apply": (0, "admin rejudges apply {rejudge} --yes"),
    "POST /api/admin/rejudges/{rejudge_id}/discard": (0, "admin rejudges discard {other_rejudge} --yes"),
    "GET /api/admin/dead-letters": (0, "admin dead-letters list"),
    "GET /api/admin/dead-letters/groups": (0, "admin dead-letters groups"),
    "POST /api/admin/dead-letters/replay": (0, f"admin dead-letters replay {NOBODY} {SOMEBODY_ELSE}"),
    "POST /api/admin/dead-letters/{submission_id}/replay": (8, f"admin dead-letters replay {NOBODY}"),
    "GET /api/admin/queue": (0, "admin queue"),
    "GET /api/admin/workers": (0, "admin workers"),
    "POST /api/admin/workers/drain": (0, "worker drain nobody --reason 'a test' --hand-back-after 0s --wait"),
    "GET /api/admin/workers/drained": (0, "worker drained"),
    "POST /api/admin/workers/resume": (8, "worker resume nobody-at-all"),
    "GET /api/admin/attempts": (0, "admin attempts --minutes 5"),
    "GET /api/admin/quotas": (0, "admin limits"),
    "GET /api/admin/limits": (0, "admin limits --json"),
    "GET /api/health": (0, "admin health"),
    "GET /api/admin/now": (0, "top --once"),
    "POST /api/submissions/{submission_id}/replay": (0, "replay {submission}"),
    "POST /api/contests": (8, "admin contests create {empty}"),
    f"GET {C}": (0, "admin contests draft {contest}"),
    f"PUT {C}": (0, "admin contests edit {contest} {title}"),
    f"DELETE {C}": (8, "admin contests delete {contest} --yes"),
    f"POST {C}/extend": (0, "admin contests extend {contest} 10m --reason 'a test'"),
    f"POST {C}/unfreeze": (8, "admin contests unfreeze {contest} --yes"),
    f"POST {C}/finalize": (8, "admin contests finalize {contest}"),
    f"POST {C}/reopen": (8, "admin contests reopen {contest}"),
    f"GET {C}/rulings": (0, "admin contests rulings {contest}"),
    f"POST {C}/removed-intervals": (8, f"admin contests remove-interval {{contest}} {INTERVAL}"),
    f"POST {C}/restored-intervals": (8, f"admin contests restore-interval {{contest}} {INTERVAL} --dry-run"),
    f"PUT {C}/submissions/{{submission_id}}/ignored": (
        8,
        "admin contests ignore {contest} {submission} --undo",
    ),
    f"GET {C}/undecided": (0, "admin contests blockers {contest}"),
    f"GET {C}/ignored": (0, "admin contests ignored {contest}"),
    f"POST {C}/recompute": (0, "admin contests recompute {contest}"),
    f"GET {C}/work": (0, "admin contests work {contest}"),
    f"GET {C}/work/{{work_id}}": (8, f"admin contests work {{contest}} {NOBODY}"),
    f"GET {C}/participants": (0, "admin participants list {contest}"),
    f"POST {C}/participants/import": (1, "admin participants import {contest} {names}"),
    f"PATCH {C}/participants/{{user_id}}": (0, "admin participants edit {contest} {user} --kind unofficial"),
    f"DELETE {C}/participants/{{user_id}}": (8, f"admin participants remove {{contest}} {NOBODY} --yes"),
    f"GET {C}/clarifications": (0, "admin clarifications list {contest} --open"),
    f"PUT {C}/clarifications/{{clarification_id}}/answer": (
        0,
        "admin clarifications answer {contest} {question} No. --public",
    ),
    f"POST {C}/broadcasts": (0, "admin clarifications announce {contest} 'Lunch is ready.' --problem {slug}"),
    "POST /api/problems": (8, "admin problems create {empty}"),
    f"PUT {P}": (8, "admin problems edit {slug} {empty}"),
    f"PATCH {P}": (0, "admin problems list-as {slug} --level hard --tag sums"),
    f"DELETE {P}": (0, "admin problems delete {spare} --yes"),
    f"PUT {P}/published": (0, "admin problems publish {slug}"),
    f"GET {P}/revisions": (0, "admin problems revisions {slug}"),
    f"GET {P}/judging": (0, "admin problems judging {slug}"),
    f"POST {P}/verify": (8, f"admin problems verify {NOBODY}"),
    f"GET {P}/export": (0, "admin problems export {slug} {package}"),
    "POST /api/problems/objects": (0, "admin problems store {names}"),
    f"GET {P}/cases/{{number}}/{{file}}": (0, "admin problems case {slug} 1 input"),
    "POST /api/problems/import": (8, "import {junk}"),
    f"POST {P}/import": (8, f"import {{junk}} --problem {NOBODY}"),
}
# What follows it until Ctrl-C is deepoj top; tests/e2e/test_operator.py has it.
WITHOUT_END: Final = {"GET /api/admin/events"}

Run = Callable[..., str]


@pytest.fixture
def run(system: System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command as the admin."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def run(line: str, *, expect: int = 0, given: str = "", who: Person = system.admin) -> str:
        environ = {"DEEPOJ_API_TOKEN": who.token, "DEEPOJ_SERVER": system.url}
        done = CliRunner(env=environ).invoke(cli, shlex.split(line), input=given)
        assert done.exit_code == expect, f"{line}: {done.exit_code} {done.stdout} {done.stderr}"
        return done.stdout + done.stderr if expect else done.stdout

    return run


def plan(problem: Json, begins: timedelta, ends: timedelta) -> Json:
    now = datetime.now(UTC)
    return {
        "title": "Commanded",
        "format": "icpc",
        "schedule": {"starts_at": (now + begins).isoformat(), "ends_at": (now + ends).isoformat()},
        "problems": [{"problem_id": problem["id"], "label": "A"}],
        "entry": {"during_contest": True},
    }


@pytest.fixture(scope="module")
def world(system: System, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Things that a command can name."""
    pupil, problem = system.person(), system.problem(system.one("setter"))
    contest = system.admin.post("/contests", plan(problem, -timedelta(hours=1), timedelta(hours=1)))["id"]
    path = f"/contests/{contest}"
    pupil.post(f"{path}/participants", {"display_name": pupil.name})
    question = pupil.post(f"{path}/clarifications", {"text": "May n be 0?"})["id"]
    submission = pupil.judged(pupil.submit(problem["id"], contest_id=contest))["id"]
    rejudges = [
        system.admin.post("/admin/rejudges", {"submission_id": submission, "reason": "a test"})["rejudge_id"]
        for _ in range(2)
    ]
    files = tmp_path_factory.mktemp("admin")
    written = {
        "list": "name,display_name\nnew-one,New One\n",
        "empty": "{}",
        "title": '{"title": "Renamed"}',
        "names": "nobody-of-this-name\n",
        "junk": "no package",
    }
    for name, text in written.items():
        (files / name).write_text(text)
    (files / "junk").rename(files / "junk.zip")
    return {
        "user": pupil.name, "user_id": pupil.id, "victim": system.person().id, "slug": problem["slug"],
        "spare": system.problem(system.one("setter"))["slug"],
        "contest": contest, "question": question, "submission": submission,
        "rejudge": rejudges[0], "other_rejudge": rejudges[1], "package": str(files / "package.zip"),
        **{name: str(files / name) for name in written}, "junk": str(files / "junk.zip"),
    }  # fmt: skip


def asked(system: System) -> dict[str, float]:
    """Return how often each route was asked for, by the server's own count."""
    counted = re.compile(r"^deepoj_http_requests_total\{(.*)\} (\S+)$", re.MULTILINE)
    found: dict[str, float] = {}
    for labels, times in counted.findall(system.bff.metrics()):
        label = dict(re.findall(r'(\w+)="([^"]*)"', labels))
        route = f"{label['method']} {label['route']}"
        found[route] = found.get(route, 0) + float(times)
    return found


def test_every_route_for_staff_has_a_command(system: System) -> None:
    document = system.guest.get("/openapi/openapi.json")
    for_staff = {
        f"{method.upper()} {path}"
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if operation["x-access"] != "public" and not path.startswith(_OWN)
        if operation["x-scope"] in {"manage", "admin", "account"}
    }
    assert len(for_staff) > 50
    assert for_staff - COMMANDS.keys() - WITHOUT_END == set(), (
        "add a command to deepoj.verbs.admin, and its row here"
    )


@pytest.mark.parametrize("route", COMMANDS)
def test_a_command_reaches_its_route(system: System, run: Run, world: dict[str, str], route: str) -> None:
    expect, line = COMMANDS[route]
    before = asked(system).get(route, 0)
    if line == "top --once":
        expect = int(system.admin.get("/admin/now")["sentence_code"] is not None)
    run(line.format_map(world), expect=expect)
    # It is counted when the answer has been sent.
    system.eventually(lambda: asked(system).get(route, 0) > before)


def test_accounts_come_from_a_list_with_a_sheet_of_passwords(
    run: Run, system: System, tmp_path: Path
) -> None:
    names = [f"team-{uuid4().hex[:8]}" for _ in range(2)]
    given, sheet = tmp_path / "teams.csv", tmp_path / "sheet.csv"
    given.write_text(f"name,display_name\n{names[0]},=1+1\n{names[1]},Two\n")
    tried = json.loads(run(f"admin accounts import {given} --dry-run --sheet {sheet} --json"))
    assert [each["outcome"] for each in tried] == ["created", "created"]
    assert not sheet.exists()
    assert run(f"admin accounts list {names[0]}").strip() == "no account fits"
    shown = run(f"admin accounts import {given} --sheet {sheet}")
    assert stat.S_IMODE(sheet.stat().st_mode) == 0o600
    rows = list(csv.DictReader(sheet.read_text().splitlines()))
    assert [row["display_name"] for row in rows] == ["'=1+1", "Two"]
    assert rows[1]["password"] not in shown
    assert system.log_in(names[1], rows[1]["password"]).name == names[1]
    again = json.loads(run("admin accounts import - --json", given=given.read_text()))
    assert {each["outcome"] for each in again} == {"exists"}


def test_a_sheet_that_cannot_be_written_makes_no_account(run: Run, tmp_path: Path) -> None:
    name, sheet = f"team-{uuid4().hex[:8]}", tmp_path / "sheet.csv"
    sheet.write_text("passwords of yesterday")
    for place, code in ((sheet, 2), (tmp_path / "missing" / "sheet.csv", 5)):
        run(f"admin accounts import - --sheet {place}", given=f"name\n{name}\n", expect=code)
    assert sheet.read_text() == "passwords of yesterday"
    refused = tmp_path / "refused.csv"
    run(f"admin accounts import - --sheet {refused}", given="no,columns\n", expect=8)
    assert not refused.exists()
    assert run(f"admin accounts list {name}").strip() == "no account fits"


def test_an_account_is_made_changed_suspended_and_deleted(run: Run, system: System) -> None:
    name = f"new-{uuid4().hex[:8]}"
    made = json.loads(run(f"admin accounts create {name} --role setter --display-name 'N. N.' --json"))
    system.log_in(name, made["password"])
    assert "N. N." in run("admin accounts list --role setter --limit 1000")
    assert "cannot be undone" in run(f"admin accounts password {name}", expect=2)
    system.log_in(name, made["password"])
    told = json.loads(run(f"admin accounts password {name} --yes --json"))
    system.log_in(name, told["password"])
    assert "is suspended" in run(f"admin accounts suspend {name} --reason 'a test'")
    login = {"login": name, "password": told["password"]}
    assert system.guest.post("/auth/login", login, 403)["reason"] == "account_suspended"
    assert "is active" in run(f"admin accounts restore {name}")
    assert "status" in run(f"admin accounts log {name}")
    run(f"admin accounts delete {name} --yes")
    run(f"admin accounts show {name}", expect=8)
    run("admin accounts show ../admin/audit-log", expect=8)
    run("admin accounts list", expect=8, who=system.one("judge"))


def test_a_rejudge_is_counted_started_watched_and_applied(run: Run, system: System) -> None:
    setter, pupil = system.one("setter"), system.person()
    problem = system.problem(setter, [("1 2\n", "4\n")])
    slug = problem["slug"]
    assert pupil.judged(pupil.submit(problem["id"]))["result"]["verdict"] == "WA"
    judging = setter.get(f"/problems/{problem['id']}/judging")["judging"]
    judging["cases"][0]["answer"] = system.store(setter, "3\n")
    draft = {name: problem[name] for name in ("slug", "level", "tags", "statements", "samples")}
    current = setter.get(f"/problems/{problem['id']}")["version"]
    setter.put(f"/problems/{problem['id']}", {"version": current, "draft": {**draft, "judging": judging}})
    counted = json.loads(run(f"admin rejudges count --problem {slug} --verdict WA --json"))
    assert [(each["outdated"], each["submissions"]) for each in counted["by_judge_hash"]] == [(True, 1)]
    run("admin rejudges start", expect=2)
    run(f"admin rejudges start --problem {slug} --submission {NOBODY}", expect=2)
    seen = json.loads(run(f"admin rejudges start --problem {slug} --reason 'wrong test' --watch --json"))
    assert (seen["judged"], seen["matrix"]) == (1, [{"old": "WA", "new": "AC", "count": 1}])
    listed = json.loads(run("admin rejudges list --json"))
    rejudge = next(
        each["id"] for each in listed if each["reason"] == "wrong test" and each["state"] == "open"
    )
    run(f"admin rejudges apply {rejudge}", expect=2)
    applied = json.loads(run(f"admin rejudges apply {rejudge} --yes --json"))
    assert (applied["state"], applied["applied"]) == ("applied", 1)
    shown = json.loads(run(f"admin rejudges show {rejudge} --json"))
    assert [(each["fate"], each["new_verdict"]) for each in shown["items"]] == [("applied", "AC")]
    assert "judging" not in run(f"admin rejudges discard {rejudge} --yes", expect=8)


def test_a_contest_is_ruled_on_after_a_dry_run_and_finished(run: Run, system: System) -> None:
    pupil, problem = system.person(), system.problem(system.one("setter"))
    draft = json.dumps(plan(problem, -timedelta(hours=1), timedelta(hours=1)))
    contest = json.loads(run("admin contests create - --json", given=draft))["id"]
    system.admin.post(f"/contests/{contest}/participants/import", {"names": [pupil.name]}, 200)
    submission = pupil.judged(pupil.submit(problem["id"], contest_id=contest))["id"]
    board = f"/contests/{contest}/scoreboard"
    system.eventually(lambda: bool(system.admin.get(board)["items"][0]["solved"]))
    before = system.admin.get(f"/contests/{contest}")["contest"]["schedule"]
    assert "would change 0 rows" in run(f"admin contests extend {contest} 15m --dry-run")
    assert system.admin.get(f"/contests/{contest}")["contest"]["schedule"] == before
    assert "1 → 0" in run(f"admin contests ignore {contest} {submission} --dry-run")
    run(f"admin contests ignore {contest} {submission} --reason copied")
    assert submission in run(f"admin contests ignored {contest}")
    assert "copied" in run(f"admin contests rulings {contest}")
    run(f"admin contests ignore {contest} {submission} --undo")
    assert "rows changed: 0" in run(f"admin contests recompute {contest} --account {pupil.name}")
    run(f"admin contests edit {contest} -", given='{"title": "Finals", "schedule": {"freezes_at": null}}')
    read = json.loads(run(f"admin contests draft {contest}"))
    assert (read["title"], read["problems"][0]["label"]) == ("Finals", "A")
    run(f"admin contests edit {contest} - --plan-version 0", given="{}", expect=8)
    run(f"admin contests edit {contest} -", given="[]", expect=2)
    run(f"admin contests extend {contest} 1w", expect=2)


def test_a_problem_goes_out_as_a_package_and_comes_back(run: Run, system: System, tmp_path: Path) -> None:
    problem, archive = system.problem(system.one("setter"), published=False), tmp_path / "sum.zip"
    slug = problem["slug"]
    assert "published" in run(f"admin problems publish {slug}")
    assert "hidden" in run(f"admin problems hide {slug}")
    run(f"admin problems export {slug} {archive}")
    assert any(name.endswith(".in") for name in zipfile.ZipFile(archive).namelist())
    run(f"admin problems export {slug} {archive}", expect=2)
    missing = tmp_path / "no.tar"
    run(f"admin problems export {slug} {missing} --revision 99", expect=8)
    assert list(tmp_path.glob("*.tar")) == list(tmp_path.glob(".*.part")) == []
    assert run(f"admin problems case {slug} 2 answer") == "11\n"
    assert "hard; a, b" in run(f"admin problems list-as {slug} --level hard --tag a --tag b")
    verified = json.loads(run(f"admin problems verify {slug} --json"))
    assert verified["ok"]
    run(f"admin problems delete {slug} --yes")
    run(f"admin problems revisions {slug}", expect=8)
