"""The wheels of all members run a system in an environment that has nothing else of this checkout."""

from __future__ import annotations

import subprocess
import urllib.request
import zipfile
from pathlib import Path

import pytest

from apps.cli.tests.up_process import PATIENCE, UpProcess, own_environ
from deepoj.checkout import find_checkout
from deepoj.checks.steps import find_uv

CHECKOUT = find_checkout()
pytestmark = pytest.mark.skipif(CHECKOUT is None, reason="wheels are built in a checkout")


def uv(*arguments: str | Path, **environ: str) -> str:
    assert CHECKOUT is not None
    command = [find_uv(CHECKOUT), *map(str, arguments)]
    done = subprocess.run(
        command, cwd=CHECKOUT, env=own_environ() | environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{arguments}: {done.stderr}"
    return done.stdout


def test_every_file_of_a_member_is_in_its_wheel(tmp_path: Path) -> None:
    assert CHECKOUT is not None
    listed = subprocess.run(["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a clone")
    wanted = {path.partition("/src/")[2] for path in listed.stdout.splitlines() if "/src/deepoj" in path}
    uv("build", "--all-packages", "--wheel", "--offline", "--out-dir", tmp_path)
    held = {name for wheel in tmp_path.glob("*.whl") for name in zipfile.ZipFile(wheel).namelist()}
    assert wanted - held == set()


def test_a_fresh_environment_with_only_the_wheels_serves_the_site_and_judges(
    new_data: Path, tmp_path: Path
) -> None:
    assert CHECKOUT is not None
    into = {"UV_PROJECT_ENVIRONMENT": str(tmp_path / "env")}
    # From the lock file and uv's cache, which the environment of this test was made from.
    uv("sync", "--frozen", "--offline", "--no-dev", "--no-editable", "--package", "deepoj", **into)
    program = str(tmp_path / "env" / "bin" / "deepoj")

    judged = subprocess.run(
        [
            program,
            "judge",
            CHECKOUT / "examples/aplusb",
            CHECKOUT / "examples/aplusb/submissions/accepted/sum.py",
        ],
        cwd=tmp_path,
        env=own_environ(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert judged.returncode == 0, judged.stderr
    environ = own_environ() | {
        "DEEPOJ_JUDGEMENT_PRECOMPILE": "false",
        "DEEPOJ_JUDGEMENT_CANARY_INTERVAL": "0s",
    }
    up = UpProcess(new_data, (program, "up", "--data", str(new_data), "--port", "0"), environ)
    try:
        up.wait_ready()
        for path in ("/", "/api/health", "/api/languages"):
            with urllib.request.urlopen(up.state().url + path, timeout=PATIENCE) as answer:  # noqa: S310 — our own
                assert answer.status == 200
    finally:
        up.stop()
