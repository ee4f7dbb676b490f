"""The operator's side of judge hosts, on servers of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from functools import partial

import pytest

from apps.cli.tests.up_process import own_environ
from deepoj.errors import Exit
from deepoj_migrations import upgrade


@pytest.fixture
def system(external: Mapping[str, str]) -> Mapping[str, str]:
    upgrade(external["DEEPOJ_POSTGRES_URL"], "record")
    return external


def worker(environ: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deepoj", "worker", *arguments],
        env=own_environ() | dict(environ), capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_hosts_are_invited_listed_and_revoked(system: Mapping[str, str]) -> None:
    run = partial(worker, system)
    made = run("invite", "judge-1")
    assert made.returncode == Exit.OK, made.stderr
    assert made.stdout.startswith("host_")
    as_json = run("hosts", "--json").stdout
    [listed] = json.loads(as_json)
    assert (listed["name"], listed["revoked_at"]) == ("judge-1", None)
    assert run("revoke", "judge-1").returncode == Exit.OK
    table = run("hosts").stdout
    assert "revoked" in table
    assert made.stdout.strip() not in as_json + table
    unknown = run("revoke", "judge-2")
    assert (unknown.returncode, "there is no judge host judge-2" in unknown.stderr) == (Exit.FAILED, True)
    assert run("invite", "no points.").returncode == Exit.FAILED
