"""The stack needs no root: started by root for the rest of this suite, here by nobody."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.cli.tests.up_process import UpProcess, own_environ

NOBODY = 65534
RUNS_HERE = "import os, sys, deepoj.verbs.up; os.access(sys.executable, os.X_OK) or sys.exit(sys.executable)"


def _environ() -> dict[str, str]:
    """Let another interpreter of the same version find what is installed for this one."""
    installed = [path for path in sys.path if path and not path.startswith(sys.base_prefix)]
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return own_environ() | {"PYTHONPATH": ":".join(installed), "PATH": programs, "HOME": "/nonexistent"}


def _python_for_nobody() -> tuple[str, ...]:
    become = shutil.which("setpriv")
    if os.geteuid() != 0 or become is None:
        pytest.skip("only root can become an ordinary user, and only with setpriv")
    prefix = (become, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    said = ""
    for python in (sys.executable, f"/usr/bin/python{version}"):
        probe = [*prefix, python, "-c", RUNS_HERE]
        done = subprocess.run(probe, env=_environ(), capture_output=True, text=True, check=False, cwd="/")
        if done.returncode == 0:
            return (*prefix, python)
        said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    pytest.skip(f"an ordinary user cannot run what is installed here: {said}")


def test_an_ordinary_user_can_run_the_stack(new_data: Path, toy_up: Callable[..., UpProcess]) -> None:
    python = _python_for_nobody()
    os.chown(new_data.parent, NOBODY, NOBODY)
    up = toy_up(python=python, environ=_environ())
    up.wait_ready()
    running = up.state()
    owners = {Path(f"/proc/{each.pid}").stat().st_uid for each in running.processes}
    assert owners == {NOBODY}
    assert up.stop() == 0
    assert up.left_behind(running) == []


def test_doctor_says_that_an_ordinary_user_isolates_less(new_data: Path) -> None:
    os.chown(new_data.parent, NOBODY, NOBODY)
    command = [*_python_for_nobody(), "-m", "deepoj", "doctor", "--json", "--data", str(new_data)]
    done = subprocess.run(command, env=_environ(), capture_output=True, text=True, check=False, cwd="/")
    assert done.stdout, done.stderr
    found = {each["name"]: each for each in json.loads(done.stdout)}
    if found["sandbox"]["status"] != "ok":
        pytest.skip(f"no boxes for users here: {found['sandbox']['found']}")
    assert found["isolation"]["status"] == "warning"
    assert "rootless" in found["isolation"]["found"]
    assert "as root" in found["isolation"]["remedy"]
