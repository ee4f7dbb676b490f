"""The operator's side of judge hosts, on servers of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from click.testing import CliRunner

from deepoj.cli import cli
from deepoj.errors import Exit
from deepoj_migrations import upgrade


@pytest.fixture
def system(external: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    upgrade(external["DEEPOJ_POSTGRES_URL"], "record")
    for name, value in external.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("system")
def test_hosts_are_invited_listed_and_revoked(capfd: pytest.CaptureFixture[str]) -> None:
    def worker(*arguments: str) -> tuple[int, str, str]:
        """Return the exit code and what the process of record wrote."""
        capfd.readouterr()
        done = CliRunner().invoke(cli, ["worker", *arguments])
        return done.exit_code, *capfd.readouterr()

    code, token, complaint = worker("invite", "judge-1")
    assert code == Exit.OK, complaint
    assert token.startswith("host_")
    as_json = worker("hosts", "--json")[1]
    [listed] = json.loads(as_json)
    assert (listed["name"], listed["revoked_at"]) == ("judge-1", None)
    assert worker("revoke", "judge-1")[0] == Exit.OK
    table = worker("hosts")[1]
    assert "revoked" in table
    assert token.strip() not in as_json + table
    code, _, complaint = worker("revoke", "judge-2")
    assert (code, "there is no judge host judge-2" in complaint) == (Exit.FAILED, True)
    assert worker("invite", "no points.")[0] == Exit.FAILED
