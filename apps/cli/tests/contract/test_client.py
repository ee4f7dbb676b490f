"""The client against a server over a real socket that says what each test wants to hear."""

from __future__ import annotations

import io
import json
import stat
import tarfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from deepoj.cli import cli
from deepoj.client.api import TRIES, Api
from deepoj.client.events import BREAKS, Event, events_in, follow
from deepoj.client.languages import guess
from deepoj.client.package_archive import format_of, opened
from deepoj.client.saved import Credential, SavedFile
from deepoj.client.wire import Language, User
from deepoj.errors import Exit, Failure
from deepoj.setter.events import Finished
from deepoj.verbs import contest, import_package
from deepoj.verbs.remote import server_url

ME = {"id": "1", "name": "ada", "display_name": "Ada", "role": "contestant", "email": None}
LATER = datetime.now(UTC) + timedelta(hours=1)


@dataclass
class Answer:
    status: int = 200
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    drop: bool = False
    """Close the connection instead."""

    def content(self) -> bytes:
        return json.dumps(self.body).encode() if self.raw is None else self.raw


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Scripted:
    url: str = ""
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    """By method and path; the last one is given again and again."""
    asked: list[Asked] = field(default_factory=list)

    def says(self, call: str, *answers: Answer) -> None:
        self.answers[call] = list(answers)

    def to(self, path: str) -> list[Asked]:
        return [each for each in self.asked if each.path.partition("?")[0] == path]


@pytest.fixture
def server() -> Iterator[Scripted]:
    scripted = Scripted()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            scripted.asked.append(Asked(self.command, self.path, headers, body))
            known = scripted.answers.get(f"{self.command} {self.path.partition('?')[0]}", [Answer(404)])
            answer = known.pop(0) if len(known) > 1 else known[0]
            if answer.drop:
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.content())

        do_GET = do_POST = answer  # noqa: N815 — http.server's names

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        scripted.url = f"http://127.0.0.1:{listening.server_port}"
        yield scripted
        listening.shutdown()
        thread.join()


@pytest.fixture
def saved(tmp_path: Path) -> SavedFile:
    return SavedFile(tmp_path / "deepoj" / "client.json")


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def api(server: Scripted, saved: SavedFile, pauses: list[float]) -> Iterator[Api]:
    api = Api(server.url, saved, sleep=pauses.append)
    yield api
    api.close()


def a_session(number: int) -> dict[str, object]:
    tokens = {
        "access_token": f"access {number}",
        "access_expires_at": LATER.isoformat(),
        "refresh_token": f"refresh {number}",
    }
    return {"user": ME, "tokens": tokens}


def logged_in(server: Scripted, saved: SavedFile, expires: datetime = LATER) -> None:
    credential = Credential(
        name="ada", access_token="access 0", access_expires_at=expires, refresh_token="refresh 0"
    )
    saved.keep(server.url, credential)


def test_a_log_in_is_kept_for_its_owner_alone(api: Api, server: Scripted, saved: SavedFile) -> None:
    server.says("POST /api/auth/login", Answer(body=a_session(1)))
    server.says("GET /api/users/me", Answer(body=ME))
    api.log_in("ada", "secret")
    assert stat.S_IMODE(saved.path.stat().st_mode) == 0o600
    assert "secret" not in saved.path.read_text()
    assert Api(server.url, saved).get("/api/users/me", User).name == "ada"
    assert server.asked[-1].headers["authorization"] == "Bearer access 1"


@pytest.mark.parametrize("expired", [True, False])
def test_an_access_token_is_renewed_before_it_expires_or_when_it_is_refused(
    server: Scripted, saved: SavedFile, *, expired: bool
) -> None:
    logged_in(server, saved, datetime.now(UTC) if expired else LATER)
    api = Api(server.url, saved)
    refused = Answer(401, {"detail": "no longer valid", "reason": "credential_refused"})
    server.says("GET /api/users/me", *([] if expired else [refused]), Answer(body=ME))
    server.says("POST /api/auth/refresh", Answer(body=a_session(1)))
    assert api.get("/api/users/me", User).name == "ada"
    assert server.asked[-1].headers["authorization"] == "Bearer access 1"
    assert saved.read().credentials[server.url].refresh_token == "refresh 1"


def test_a_session_that_is_over_is_forgotten_and_says_what_to_do(server: Scripted, saved: SavedFile) -> None:
    logged_in(server, saved)
    api = Api(server.url, saved)
    server.says("GET /api/users/me", Answer(401, {"detail": "no"}))
    server.says("POST /api/auth/refresh", Answer(401, {"reason": "refresh_token_reused"}))
    with pytest.raises(Failure, match="deepoj login") as failed:
        api.get("/api/users/me", User)
    assert failed.value.code is Exit.NOT_SIGNED_IN
    assert saved.read().credentials == {}


def test_what_another_command_renewed_is_used(server: Scripted, saved: SavedFile) -> None:
    logged_in(server, saved)
    api = Api(server.url, saved)
    saved.keep(server.url, Credential(access_token="access 7", refresh_token="refresh 7"))
    server.says("GET /api/users/me", Answer(401), Answer(body=ME))
    api.get("/api/users/me", User)
    assert server.asked[-1].headers["authorization"] == "Bearer access 7"
    assert server.to("/api/auth/refresh") == []


def test_an_api_token_goes_before_what_is_saved(server: Scripted, saved: SavedFile) -> None:
    logged_in(server, saved)
    server.says("GET /api/users/me", Answer(body=ME))
    Api(server.url, saved, "doj_api_x").get("/api/users/me", User)
    assert server.asked[-1].headers["authorization"] == "Bearer doj_api_x"


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, Exit.REFUSED), (403, Exit.REFUSED), (404, Exit.REFUSED), (409, Exit.REFUSED),
     (429, Exit.LATER), (503, Exit.LATER), (500, Exit.FAILED)],
)  # fmt: skip
def test_a_refusal_is_a_sentence_with_the_servers_reason(
    api: Api, server: Scripted, status: int, code: Exit
) -> None:
    body = {"detail": "it cannot be", "reason": "because", "errors": [{"field": "x", "message": "is odd"}]}
    server.says("GET /api/x", Answer(status, body))
    with pytest.raises(Failure, match=r"it cannot be; x: is odd \(because\)") as failed:
        api.get("/api/x", User)
    assert failed.value.code is code


def test_what_is_no_deep_oj_is_said_to_be_none(api: Api, server: Scripted) -> None:
    server.says("GET /api/x", Answer(raw=b"<html>"))
    with pytest.raises(Failure, match="something unexpected"):
        api.get("/api/x", User)


def test_a_short_wait_is_waited_and_a_long_one_is_told(
    api: Api, server: Scripted, pauses: list[float]
) -> None:
    server.says("GET /api/x", Answer(429, headers={"retry-after": "3"}), Answer(body=ME))
    assert api.get("/api/x", User).name == "ada"
    assert pauses == [3.0]
    server.says("GET /api/x", Answer(429, {"detail": "quota used up"}, {"retry-after": "3600"}))
    with pytest.raises(Failure, match="quota used up"):
        api.get("/api/x", User)
    assert pauses == [3.0]


def test_a_lost_answer_is_asked_for_again_only_where_that_is_harmless(api: Api, server: Scripted) -> None:
    server.says("POST /api/x", Answer(drop=True), Answer(body=ME))
    headers = {"idempotency-key": "k"}
    assert api.post("/api/x", User, {}, headers=headers, repeatable=True).name == "ada"
    assert [each.headers["idempotency-key"] for each in server.to("/api/x")] == ["k", "k"]
    server.says("POST /api/y", Answer(drop=True), Answer(body=ME))
    with pytest.raises(Failure) as failed:
        api.post("/api/y", User, {})
    assert failed.value.code is Exit.UNREACHABLE
    assert len(server.to("/api/y")) == 1


def test_a_server_that_is_not_there_is_named(saved: SavedFile, pauses: list[float]) -> None:
    api = Api("http://127.0.0.1:1", saved, sleep=pauses.append)
    with pytest.raises(Failure, match=r"127\.0\.0\.1:1 cannot be reached .* deepoj up") as failed:
        api.get("/api/x", User)
    assert failed.value.code is Exit.UNREACHABLE
    assert len(pauses) == TRIES - 1


STREAM = {"content-type": "text/event-stream"}


def test_a_broken_stream_goes_on_after_the_last_event(api: Api, server: Scripted) -> None:
    server.says(
        "GET /events",
        Answer(
            raw=b": still here\n\nid: 1\nevent: a\ndata: one\n\nid: 2\nevent: a\ndata: tw", headers=STREAM
        ),
        Answer(503),
        Answer(raw=b"id: 2\nevent: a\ndata: two\n\nevent: end\ndata: {}\n\n", headers=STREAM),
    )
    seen = [event.data for event in follow(api, "/events", sleep=lambda _: None)]
    assert seen == ["one", "two"]
    assert [each.headers.get("last-event-id") for each in server.to("/events")] == [None, "1", "1"]


def test_a_stream_that_never_speaks_is_given_up(api: Api, server: Scripted) -> None:
    server.says("GET /events", Answer(headers=STREAM, raw=b""))
    with pytest.raises(Failure) as failed:
        list(follow(api, "/events", sleep=lambda _: None))
    assert failed.value.code is Exit.UNREACHABLE
    assert len(server.asked) == BREAKS


def test_an_error_in_a_stream_and_a_204_end_it(api: Api, server: Scripted) -> None:
    server.says("GET /events", Answer(204, raw=b""))
    assert list(follow(api, "/events")) == []
    server.says("GET /events", Answer(raw=b'event: error\ndata: {"detail": "gone", "status": 404}\n\n'))
    with pytest.raises(Failure, match="gone"):
        list(follow(api, "/events"))


def test_events_are_read_as_the_standard_says() -> None:
    lines = [": comment", "event: a", "data: one", "data:two", "id: 7", "", "data", "", "event: b", ""]
    assert list(events_in(lines)) == [Event("a", "one\ntwo", "7"), Event("message", "")]


@pytest.mark.parametrize(
    ("file", "allowed", "slug"),
    [("a.cpp", (), "cpp20"), ("a.CC", ("cpp17",), "cpp17"), ("a.py", (), "python3"), ("Main.java", (), None),
     ("a.txt", (), None), ("a.cpp", ("python3",), None)],
)  # fmt: skip
def test_a_language_follows_from_the_name_and_what_can_be_judged(
    file: str, allowed: tuple[str, ...], slug: str | None
) -> None:
    known = [Language(slug=each, name=each, available=True) for each in ("cpp17", "cpp20", "python3")]
    known.append(Language(slug="java17", name="Java", available=False))
    if slug is not None:
        assert guess(file, known, allowed) == slug
        return
    with pytest.raises(Failure, match="--language"):
        guess(file, known, allowed)


@pytest.mark.parametrize(
    ("text", "url"),
    [("judge.example.org", "https://judge.example.org"), ("localhost:8000", "http://localhost:8000"),
     ("https://judge.example.org/", "https://judge.example.org"), ("http://[::1]:80/x", "http://[::1]:80")],
)  # fmt: skip
def test_a_server_is_named_as_people_name_it(text: str, url: str) -> None:
    assert server_url(text) == url


def test_a_directory_is_packed_without_junk_and_with_what_links_lead_to(
    tmp_path: Path,
) -> None:
    package = tmp_path / "two-sum"
    (package / "data" / "secret").mkdir(parents=True)
    (package / ".git").mkdir()
    (package / ".git" / "config").write_text("x")
    (package / "problem.yaml").write_text("name: x\n")
    (package / "data" / "secret" / "1.in").write_text("1\n")
    assert format_of(package) == "tar"
    with opened(package) as archive, tarfile.open(fileobj=io.BytesIO(archive.read())) as tar:
        names = tar.getnames()
    assert names == [
        "two-sum/data", "two-sum/data/secret", "two-sum/data/secret/1.in", "two-sum/problem.yaml",
    ]  # fmt: skip
    (package / "two.in").symlink_to("data/secret/1.in")
    (package / "link").symlink_to("/etc/hostname")
    with pytest.raises(Failure, match="leaves the package: --follow-links"):
        opened(package)
    (package / "nowhere").symlink_to("nowhere")
    with opened(package, follow_links=True) as archive, tarfile.open(fileobj=archive) as tar:
        assert {"two-sum/link", "two-sum/two.in"} == set(tar.getnames()) - set(names) - {"two-sum"}
        assert all(each.isfile() or each.isdir() or each.islnk() for each in tar)
    (package / "data" / "loop").symlink_to("..")
    with pytest.raises(Failure, match="a directory that it lies in"):
        opened(package, follow_links=True)
    with pytest.raises(Failure, match=r"\.zip or \.tar"):
        format_of(package / "problem.yaml")


@pytest.fixture
def deepoj(
    server: Scripted, saved: SavedFile, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Run a command as a shell would."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(saved.path.parents[1]))
    monkeypatch.setenv("DEEPOJ_SERVER", server.url)
    monkeypatch.delenv("DEEPOJ_API_TOKEN", raising=False)

    def run(*arguments: str, given: str | None = None) -> tuple[int, str, str]:
        done = CliRunner().invoke(cli, list(arguments), input=given)
        return done.exit_code, done.stdout, done.stderr

    return run


def test_log_in_whoami_and_log_out(
    deepoj: Callable[..., tuple[int, str, str]], server: Scripted, saved: SavedFile
) -> None:
    server.says("POST /api/auth/login", Answer(body=a_session(1)))
    server.says("GET /api/users/me", Answer(body=ME))
    server.says("POST /api/auth/logout", Answer(204, raw=b""))
    assert deepoj("login", "ada", given="secret\n") == (
        0, f"logged in to {server.url} as ada (contestant)\n", "",
    )  # fmt: skip
    assert json.loads(server.to("/api/auth/login")[0].body) == {"login": "ada", "password": "secret"}
    assert deepoj("whoami")[1] == f"ada (contestant) on {server.url}\n"
    assert deepoj("logout", "--everywhere")[0] == 0
    assert json.loads(server.asked[-1].body) == {"refresh_token": "refresh 1", "everywhere": True}
    assert saved.read().credentials == {}
    assert deepoj("login", "--token", given="doj_api_x\n")[0] == 0
    assert saved.read().credentials[server.url].api_token == "doj_api_x"


def test_the_password_of_a_contest_is_read_and_never_an_argument(
    deepoj: Callable[..., tuple[int, str, str]], server: Scripted, saved: SavedFile
) -> None:
    logged_in(server, saved)
    participant = {"user_id": "1", "display_name": "The Sorters"}
    server.says("POST /api/contests/c1/participants", Answer(201, body=participant))
    code, said, _ = deepoj(
        "contest", "join", "c1", "--name", "The Sorters", "--password", "--json", given="open sesame\n"
    )
    assert (code, json.loads(said)["display_name"]) == (0, "The Sorters")
    assert json.loads(server.asked[-1].body) == {"display_name": "The Sorters", "password": "open sesame"}
    assert deepoj("contest", "join", "c1", "--password", "open sesame")[0] == 2
    assert deepoj("contest", "join", "c1", "--name", "x")[1] == "signed up as The Sorters\n"
    assert json.loads(server.asked[-1].body)["password"] == ""


def test_a_log_out_can_be_told_to_a_program(
    deepoj: Callable[..., tuple[int, str, str]], server: Scripted, saved: SavedFile
) -> None:
    logged_in(server, saved)
    server.says("POST /api/auth/logout", Answer(204, raw=b""))
    code, said, _ = deepoj("logout", "--json")
    assert (code, json.loads(said)) == (0, {"server": server.url, "everywhere": False})


def test_a_board_is_watched_by_a_program_line_by_line(
    deepoj: Callable[..., tuple[int, str, str]],
    server: Scripted,
    saved: SavedFile,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(contest, "_PACE", 0.0)
    logged_in(server, saved)
    board = json.dumps({"items": [], "page": {"next_cursor": None}, "sequence": 1, "view": "public"})
    events = f"id: 1\nevent: board\ndata: {board}\n\nid: 2\nevent: reload\ndata: {{}}\n\n".encode()
    stream = {"content-type": "text/event-stream"}
    refusal = {"detail": "not for you", "reason": "not_found", "status": 404}
    server.says(
        "GET /api/contests/c1/events",
        Answer(raw=events, headers=stream),
        Answer(raw=events, headers=stream),
        Answer(404, body=refusal, headers={"content-type": "application/problem+json"}),
    )
    code, said, _ = deepoj("contest", "board", "c1", "--watch", "--json")
    assert (code, said) == (8, "[]\n[]\n")


def test_an_import_sends_the_packed_directory_and_tells_what_became_of_it(
    deepoj: Callable[..., tuple[int, str, str]], server: Scripted, tmp_path: Path
) -> None:
    (tmp_path / "two-sum").mkdir()
    (tmp_path / "two-sum" / "problem.yaml").write_text("name: Two sum\n")
    problem = {"id": "7", "slug": "two-sum", "title": "Two sum", "revision": 2}
    lines = [
        {"progress": {"stage": "storing", "done": 1, "total": 2}},
        {"done": {"problem": problem, "warnings": ["no samples"]}},
    ]
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    server.says("POST /api/problems/import", Answer(raw=body))
    code, said, complained = deepoj("import", str(tmp_path / "two-sum"), "--slug", "two-sum")
    assert (code, said) == (0, "imported two-sum, revision 2: Two sum\n")
    assert complained == "warning: no samples\n"
    asked = server.asked[-1]
    assert asked.path == "/api/problems/import?format=tar&slug=two-sum"
    with tarfile.open(fileobj=io.BytesIO(asked.body)) as tar:
        assert tar.getnames() == ["two-sum/problem.yaml"]
    made = [{**problem, "slug": name, "title": name} for name in ("a", "b")]
    left_out = [{"name": "C", "code": "package_unsupported", "message": "it has a special judge"}]
    several = {"problem": problem, "problems": made, "left_out": left_out, "format": "fps"}
    server.says("POST /api/problems/import", Answer(raw=json.dumps({"done": several}).encode()))
    (tmp_path / "many.xml").write_text("<fps/>")
    code, said, complained = deepoj("import", str(tmp_path / "many.xml"))
    assert (code, said) == (1, "imported a, revision 2: a (fps)\nimported b, revision 2: b (fps)\n")
    assert complained == "left out C: it has a special judge\n"
    with tarfile.open(fileobj=io.BytesIO(server.asked[-1].body)) as tar:
        assert tar.getnames() == ["many.xml"]
    refused = {"error": {"detail": "no test data", "reason": "package_invalid", "status": 400}}
    server.says("POST /api/problems/import", Answer(raw=json.dumps(refused).encode()))
    code, said, complained = deepoj("import", str(tmp_path / "two-sum"))
    assert (code, said) == (8, "")
    assert "no test data (package_invalid)" in complained


def test_tests_that_a_server_may_not_make_are_made_here_and_sent(
    deepoj: Callable[..., tuple[int, str, str]],
    server: Scripted,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def makes(role: str, arguments: Sequence[str]) -> Iterator[Finished]:
        assert (role, arguments[:2]) == ("make-tests", ["--", str(tmp_path / "add.zip")])
        Path(arguments[2]).write_bytes(b"with tests")
        yield Finished(ok=True)

    monkeypatch.setattr(import_package, "events", makes)
    (tmp_path / "add.zip").write_bytes(b"without")
    refused = {"error": {"detail": "make them", "reason": "package_not_made", "status": 400}}
    done = {"done": {"problem": {"id": "7", "slug": "add", "title": "Add", "revision": 1}, "warnings": []}}
    answers = [Answer(raw=json.dumps(each).encode()) for each in (refused, done)]
    server.says("POST /api/problems/import", *answers)
    told = ("--title", "Add", "--time-ms", "700", "--memory-mib", "64")
    assert deepoj("import", str(tmp_path / "add.zip"), *told)[:2] == (0, "imported add, revision 1: Add\n")
    assert server.asked[-1].path.endswith("?format=zip&title=Add&time_ms=700&memory_mib=64")
    assert [each.body for each in server.asked[-2:]] == [b"without", b"with tests"]


# Titles and names that would set the title of the window, change its colours, turn the line round, or be read
# as markup or as the name of a picture.
ID = "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11"
HOSTILE = "[bold red]x[/] :x: \x1b]0;owned\x07\x1b[31m\x9b31m\u202e\x08\x7f"
COMMANDS = (
    ("whoami",), ("whoami", "--json"), ("login", "ada"), ("problems",), ("problems", "p"),
    ("problems", "--json"), ("submit", "p", "main.py"), ("status", "--mine"), ("status", "s"),
    ("status", "s", "--json"),
    ("contest", "list"), ("contest", "join", "c"), ("contest", "board", "c"), ("import", "package"),
    ("admin", "accounts", "list"), ("admin", "accounts", "show", "x"), ("admin", "dead-letters", "list"),
    ("admin", "rejudges", "board", ID, ID), ("admin", "problems", "verify", ID),
    ("problems", "refused"), ("problems", "broken"),
)  # fmt: skip


def hostile(value: object) -> object:
    """Return an answer with the hostile text in place of every empty one."""
    if isinstance(value, dict):
        return {key: hostile(each) for key, each in value.items()}
    if isinstance(value, list):
        return [hostile(each) for each in value]
    return HOSTILE if value == "" else value


def hostile_answers() -> dict[str, object]:
    page = {"next_cursor": None}
    user = {"id": "1", "name": "", "display_name": "", "role": "", "email": ""}
    case = {"number": 1, "name": "", "verdict": "", "message": ""}
    result = {
        "verdict": "CE",
        "score": 0,
        "time_ms": 0,
        "memory_bytes": 0,
        "cases": [case],
        "compile_output": "",
    }
    judged = {"id": "", "problem_id": "", "language": "", "status": "finished", "result": result}
    waits = {**judged, "status": "", "reason": "", "result": None}
    problem = {"id": "p", "slug": "", "title": "", "level": "", "tags": [""], "revision": 1}
    told = {
        "statements": [{"locale": "en", "title": "", "markdown": ""}],
        "samples": [{"input": "", "output": ""}],
    }
    times = {"starts_at": LATER.isoformat(), "ends_at": LATER.isoformat()}
    contest = {"id": "", "title": "", "format": "", "phase": "", "schedule": times}
    row = {"rank": 1, "participant": {"user_id": "1", "display_name": ""}, "cells": [{"label": ""}]}
    account = {**user, "status": "", "bio": "", "avatar": ""}
    letter = {"submission_id": "", "reason": "", "last_error": "", "attempts": 1, "language": ""}
    finding = {"severity": "", "about": "", "message": ""}
    return {
        "GET /api/users": {"items": [account], "page": page},
        "GET /api/users/by-name/x": account,
        "GET /api/admin/dead-letters": {"items": [letter], "page": page},
        f"GET /api/contests/{ID}/rejudges/{ID}/preview": {
            "submissions": 1,
            "judged": 1,
            "changes": [{"user_id": "", "reason": "", "after": row}],
        },
        f"POST /api/problems/{ID}/verify": {"done": {"ok": False, "findings": [finding]}},
        "GET /api/users/me": user,
        "POST /api/auth/login": {**a_session(1), "user": user},
        "GET /api/languages": {"items": [{"slug": "python3", "name": "", "available": True}]},
        "GET /api/problems": {"items": [problem], "page": page},
        "GET /api/problems/p": {**problem, **told},
        "POST /api/submissions": {"submission_id": "", "repeated": False},
        "GET /api/submissions": {"items": [judged, waits], "page": page},
        "GET /api/submissions/s": {"submission": judged},
        "GET /api/contests": {"items": [contest], "page": page},
        "GET /api/contests/c": {"contest": {**contest, "format": "icpc"}},
        "POST /api/contests/c/participants": row["participant"],
        "GET /api/contests/c/scoreboard": {"items": [row], "page": page},
        "POST /api/problems/import": {"done": {"problem": problem, "warnings": [""]}},
    }


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_what_strangers_wrote_does_not_speak_to_the_terminal(
    deepoj: Callable[..., tuple[int, str, str]],
    server: Scripted,
    saved: SavedFile,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "main.py").write_text("print()\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "problem.yaml").write_text("name: x\n")
    logged_in(server, saved)
    for call, answer in hostile_answers().items():
        server.says(call, Answer(body=hostile(answer)))
    refusal = {"title": "", "detail": "", "reason": "", "errors": [{"field": "", "message": ""}]}
    server.says("GET /api/problems/refused", Answer(400, hostile(refusal)))
    server.says("GET /api/problems/broken", Answer(200, raw=HOSTILE.encode()))
    code, said, complained = deepoj(*arguments, given="secret\n")
    shown = said + complained
    assert code in {0, 1, 8} or arguments[-1] == "broken", shown
    assert not set(shown) & set("\x1b\x07\x08\x7f\x9b\u202e"), shown
    if arguments[-1] != "broken":
        assert "[bold red]x[/] :x: " in shown
