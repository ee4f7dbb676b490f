"""The whole system as processes on real servers, and people who use it."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from deepoj_kit.embedded.free_ports import free_ports
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess
from deepoj_kit.testing import servers as embedded
from deepoj_kit.testing.databases import own_database
from deepoj_kit.testing.services import Service, ServiceStarter, http_get
from deepoj_kit.testing.together import addresses, start_together, store_settings
from deepoj_migrations import upgrade

PASSWORD = "correct horse battery"  # noqa: S105 — of accounts that live as long as the benchmark
SERVICES = ("question", "record", "game", "user")
# What protects a public system from one client would measure itself.
LIMITS = {
    "hash_memory": "64", "hash_passes": "1", "captcha_resend": "1ms", "access_validity": "1h",
    "address_tries": "1000000", "account_tries": "1000000", "pair_tries": "1000000",
    "mail_address_tries": "1000000", "mailbox_tries": "1000000", "submit_burst": "1000000",
    "submit_in_flight": "1000000", "submit_daily": "1000000", "queue_high_water": "10000000",
    "streams_of_one": "10000", "streams": "10000",
}  # fmt: skip
_MAIL_SECONDS = 30.0
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Stage:
    home: Path
    stores: embedded.Servers
    settings: dict[str, str]
    start: ServiceStarter
    port: int
    processes: dict[str, Service]
    http: httpx.Client
    tokens: list[str] = field(default_factory=list)

    def call(self, method: str, path: str, body: object = None, token: str = "") -> Any:  # noqa: ANN401 — JSON
        headers = {"authorization": f"Bearer {token}"} if token else {}
        answer = self.http.request(method, f"/api{path}", json=body, headers=headers)
        if not answer.is_success:
            raise RuntimeError(f"{method} {path}: {answer.text}")
        return answer.json()

    def log_in(self, name: str, password: str) -> str:
        session = self.call("POST", "/auth/login", {"login": name, "password": password})
        return str(session["tokens"]["access_token"])

    def admin(self) -> str:
        made = json.loads((self.home / "admin.json").read_text())
        return self.log_in(made["name"], made["password"])

    def people(self, number: int) -> list[str]:
        """Return the access tokens of so many contestants; they are signed up once."""
        while len(self.tokens) < number:
            self.tokens.append(self._sign_up(f"bench{uuid4().hex[:10]}"))
        return self.tokens[:number]

    def _sign_up(self, name: str) -> str:
        email = f"{name}@example.org"
        self.http.post("/api/auth/captchas", json={"email": email, "purpose": "register"}).raise_for_status()
        body = {"name": name, "email": email, "password": PASSWORD, "captcha": self._captcha(email)}
        self.call("POST", "/auth/register", body)
        return self.log_in(name, PASSWORD)

    def _captcha(self, email: str) -> str:
        deadline = time.monotonic() + _MAIL_SECONDS
        while time.monotonic() < deadline:
            for letter in (self.home / "mail").glob(f"*-{email}.eml"):
                if code := re.search(r"^ {4}(\S+)$", letter.read_text(), re.MULTILINE):
                    return code[1]
            time.sleep(0.01)
        raise TimeoutError(f"no mail for {email}")

    def problem(self, *, slug: str = "", time_ms: int = 2000, answer: bytes = b"1 2\n") -> Any:  # noqa: ANN401 — JSON
        """Publish a problem with a statement of ordinary length."""
        admin = self.admin()
        headers = {"authorization": f"Bearer {admin}", "content-type": "application/octet-stream"}
        stored = self.http.post("/api/problems/objects", content=answer, headers=headers)
        case = stored.raise_for_status().json()["object"]
        made = self.call("POST", "/problems", _draft(slug, case, time_ms), admin)
        return self.call("PUT", f"/problems/{made['id']}/published", {"enabled": True}, admin)

    @contextmanager
    def judge(self, runner: str = "noop") -> Iterator[None]:
        """Judge with a worker that runs nothing, unless told otherwise: what is left is ours."""
        worker = self.start("deepoj_judgement", self.settings | {"runner": runner})
        yield
        worker.process.stop()

    @contextmanager
    def bare_server(self) -> Iterator[tuple[RunningProcess, int]]:
        [port] = free_ports(1)
        argv = (sys.executable, "-m", "benchmarks.http.bare", f"127.0.0.1:{port}")
        ready = f"http://127.0.0.1:{port}/"
        process = RunningProcess(
            ProcessSpec("bare", argv, ready=lambda: http_get(ready)[0] != 0), self.home / "bare.log"
        )
        try:
            process.wait_ready()
            yield process, port
        finally:
            process.kill()


def _draft(slug: str, case: object, time_ms: int) -> dict[str, object]:
    statement = "Given two numbers *a* and *b* on one line, print their sum on a line of its own. " * 25
    return {
        "slug": slug or f"sum-{uuid4().hex[:12]}",
        "level": "easy",
        "tags": [],
        "limits": {"time_ms": time_ms, "memory_bytes": 256 << 20, "output_bytes": 1 << 16},
        "statements": [{"locale": "en", "title": "Sum", "markdown": statement}],
        "samples": [{"input": "1 2\n", "output": "3\n"}],
        "judging": {
            "cases": [{"name": "1", "input": case, "answer": case}],
            "checker": {"builtin": {"mode": "tokens", "ignore_trailing_space": True}},
        },
    }


def cpu_seconds(process: RunningProcess) -> float:
    """CPU time so far, which a busy machine falsifies least."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def resident_bytes(process: RunningProcess) -> int:
    return int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * _PAGE


def _migrate(url: str) -> None:
    for service in (*SERVICES, "judgement"):
        upgrade(url, service)


@contextmanager
def stage(log_level: str, trace_ratio: str, limits: Mapping[str, str] = LIMITS) -> Iterator[Stage]:
    with ExitStack() as cleanup:
        temporary = tempfile.TemporaryDirectory(prefix="deepoj-bench-", ignore_cleanup_errors=True)
        home = Path(cleanup.enter_context(temporary))
        stores = embedded.start(cleanup, ephemeral=False)
        database = cleanup.enter_context(own_database(stores))
        _migrate(database)
        own = addresses(home, (*SERVICES, "judgement"))
        settings = dict(limits) | store_settings(stores, database) | own | {
            "mail_outbox": str(home / "mail"), "first_admin_file": str(home / "admin.json"),
            "home": str(home / "worker"), "sandbox_state": str(home / "sandbox"), "cores": "1",
            "canary_interval": "0s",
            "log_level": log_level, "trace_ratio": trace_ratio,
        }  # fmt: skip
        [port] = free_ports(1)
        listen = f"127.0.0.1:{port}"
        programs: dict[str, tuple[str, str, str | None]] = {
            name: (f"deepoj_{name}", "serve", None) for name in SERVICES
        }
        programs |= {"relay": ("deepoj_record", "relay", None), "bff": ("deepoj_bff", "serve", listen)}
        start = ServiceStarter(home, cleanup)
        processes = start_together(start, settings, programs)
        http = cleanup.enter_context(httpx.Client(base_url=f"http://{listen}", timeout=60))
        yield Stage(home, stores, settings, start, port, processes, http)
