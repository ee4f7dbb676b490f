"""The settings of a worker: what is written is what is read, by us and by whoever sources the file."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from stat import S_IMODE

import pytest

from deepoj.errors import Exit, Failure
from deepoj.worker.join import HostSettings
from deepoj.worker.reach import reached
from deepoj.worker.settings_file import read_settings, worker_environ, write_settings
from deepoj.worker.unit import write_unit

AWKWARD = {
    "DEEPOJ_A": "a b\"c\\d$e`f'#;=",
    "DEEPOJ_B": "",
    "DEEPOJ_C": "rediss://x:p%40ss@h:1/0",
    "DEEPOJ_D": "ü",
}
TOLD = HostSettings(
    name="judge-1", env="live", record_address="oj.example:7001", question_address="oj.example:7002",
    redis_url="rediss://hosts:secret@oj.example:6379", s3_endpoint="https://oj.example:9000",
    s3_bucket="deepoj", s3_access_key="key", s3_secret_key="hidden", tls="server",
    authorities="no certificate",
)  # fmt: skip


def test_settings_are_read_as_they_were_written_and_by_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "etc" / "worker.env"
    write_settings(path, {"DEEPOJ_OLD": "x"})
    write_settings(path, AWKWARD)
    assert read_settings(path) == AWKWARD
    assert S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["worker.env"]


@pytest.mark.parametrize("sign", ["\n", "\r", "\0", "\x1b", "\u2028"])
def test_a_server_cannot_add_lines(tmp_path: Path, sign: str) -> None:
    with pytest.raises(Failure) as failure:
        write_settings(tmp_path / "worker.env", {"DEEPOJ_A": f"x{sign}LD_PRELOAD=/tmp/x.so"})
    assert failure.value.code is Exit.REFUSED
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("line", ["no equals sign", "A=b c", 'A="b'])
def test_a_line_that_is_no_setting_is_shown(tmp_path: Path, line: str) -> None:
    path = tmp_path / "worker.env"
    path.write_text(line)
    with pytest.raises(Failure, match="no setting"):
        read_settings(path)


def test_a_worker_gets_what_was_told_and_nothing_of_postgresql(tmp_path: Path) -> None:
    settings = tmp_path / "etc" / "worker.env"
    environ = worker_environ(TOLD, "host_x", settings, tmp_path / "home", (None, None))
    assert not list(tmp_path.iterdir()), "so far nothing is written"
    write_settings(settings, environ, TOLD.authorities)
    assert Path(environ["DEEPOJ_TLS_CA"]).read_text() == "no certificate"
    assert environ["DEEPOJ_SERVICE_TOKEN"] == "host_x"
    assert environ["DEEPOJ_JUDGEMENT_WORKER_NAME"] == "judge-1"
    assert not [name for name in environ if "POSTGRES" in name]


def test_authorities_that_are_none_are_refused() -> None:
    with pytest.raises(Failure) as failure:
        reached(TOLD, "host_x", (None, None))
    assert failure.value.code is Exit.REFUSED


def test_the_unit_passes_systemds_own_check(tmp_path: Path) -> None:
    settings = tmp_path / "worker.env"
    write_settings(settings, AWKWARD)
    unit = write_unit(settings)
    try:
        done = subprocess.run(
            ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        pytest.skip("systemd-analyze is not here")
    assert not [line for line in done.stderr.splitlines() if "deepoj-worker" in line], done.stderr


NOT_TO_BE_WRITTEN = "half of it \udc80"


@pytest.mark.parametrize("trusting", [NOT_TO_BE_WRITTEN, "others"], ids=["authorities", "settings"])
def test_a_join_that_fails_while_it_writes_leaves_a_worker_what_it_runs_by(
    tmp_path: Path, trusting: str
) -> None:
    path, broken = tmp_path / "worker.env", tmp_path / "broken"
    write_settings(path, AWKWARD, "ours")
    unit = write_unit(path)
    before = {each: each.read_text() for each in (path, unit)}
    if trusting != NOT_TO_BE_WRITTEN:
        path.with_name(f"worker.env.{os.getpid()}").touch()  # in the way of the draft
    with pytest.raises((OSError, ValueError)):
        write_settings(path, {"DEEPOJ_NEW": str(broken)}, trusting)
    assert {each: each.read_text() for each in before} == before
    assert (tmp_path / "authorities.pem").read_text() == ("ours" if trusting != "others" else "others")
    assert len(list(tmp_path.iterdir())) == len(("settings", "authorities", "unit"))
