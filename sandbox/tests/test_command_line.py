"""The one-shot command and selfcheck, as processes."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from deepoj_sandbox import judge_json
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.layers import Layers
from deepoj_sandbox.result import RunResult, RunStatus

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: boxes with users of their own")
FIELDS = {
    "schema_version", "job_id", "attempt_id", "verdict", "time_ms", "mem_kb", "exit_signal", "sandbox_error",
    "status", "time_used", "memory_used", "exit_code", "error",
}  # fmt: skip


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deepoj_sandbox", *arguments], capture_output=True, text=True, check=False
    )


def run(state: Path, *arguments: str) -> dict[str, str | int]:
    finished = command("run", "--state", str(state), *arguments)
    assert finished.stdout.count("\n") == 1, finished
    answer: dict[str, str | int] = json.loads(finished.stdout)
    assert set(answer) >= FIELDS
    return answer


@needs_root
def test_inv_7_the_one_shot_command_speaks_judge_json_v1(state: Path, tmp_path: Path) -> None:
    program = tmp_path / "main.py"
    program.write_text("print(int(input()) * 2)\nopen('left', 'w').write('file')\n")
    (tmp_path / "in").write_text("21\n")
    answer = run(
        state,
        *("--job-id", "job_123", "--attempt-id", "4", "--put", f"main.py={program}"),
        *("--stdin", str(tmp_path / "in"), "--stdout", str(tmp_path / "out")),
        *("--take", f"left={tmp_path / 'left'}"),
        *("--", "/usr/bin/python3", "/app/main.py"),
    )
    assert (answer["schema_version"], answer["job_id"], answer["attempt_id"]) == (1, "job_123", 4)
    assert (answer["verdict"], answer["status"], answer["exit_code"]) == ("OK", "Finished", 0)
    assert answer["sandbox_error"] == ""
    assert answer["time_ms"] == answer["time_used"]
    assert answer["mem_kb"] == answer["memory_used"]
    assert (tmp_path / "out").read_text() == "42\n"
    assert (tmp_path / "left").read_text() == "file"


@needs_root
@pytest.mark.parametrize(
    ("arguments", "verdict", "exit_signal"),
    [
        (("--", "/bin/false"), "RE", 0),
        (("--wall-ms", "200", "--", "/bin/sleep", "9"), "TLE", 9),
        (("--cpu-ms", "100", "--", "/usr/bin/yes"), "OLE", 9),
        (("--output-bytes", "10", "--", "/usr/bin/yes"), "OLE", 9),
    ],
)
def test_verdicts_of_the_command(
    state: Path, arguments: tuple[str, ...], verdict: str, exit_signal: int
) -> None:
    answer = run(state, *arguments)
    assert (answer["verdict"], answer["exit_signal"]) == (verdict, exit_signal)


@needs_root
def test_our_failure_is_se_with_the_step(state: Path) -> None:
    finished = command("run", "--state", str(state), "--", "/app/absent")
    answer = json.loads(finished.stdout)
    assert finished.returncode == 1
    assert (answer["verdict"], answer["sandbox_error"]) == ("SE", "spawn:2")
    assert set(answer) >= FIELDS


@pytest.mark.parametrize(
    "arguments",
    [
        ("--cpu-ms", "-5", "--", "/bin/true"),
        ("--", "/bin/../true"),
        ("--", "true"),
        ("--put", "../x=/etc/hostname", "--", "/bin/true"),
        ("--take", "/etc/x=y", "--", "/bin/true"),
        ("--put", "nothing", "--", "/bin/true"),
    ],
)
def test_a_bad_request_is_refused_before_anything_is_made(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    finished = command("run", "--state", str(tmp_path / "state"), *arguments)
    assert finished.returncode == 2
    assert finished.stderr.startswith("bad request: ")
    assert not (tmp_path / "state").exists()


@needs_root
def test_selfcheck_names_every_layer(state: Path) -> None:
    finished = command("selfcheck", "--state", str(state), "--json")
    report = json.loads(finished.stdout)
    assert report["sufficient"] is True
    assert set(report["namespaces"]) == {"mnt", "pid", "net", "ipc", "uts", "cgroup"}
    assert finished.returncode == (1 if report["degraded"] else 0)
    assert "seccomp              True" in command("selfcheck", "--state", str(state)).stdout


@needs_root
def test_selfcheck_without_the_right_to_end_boxes_says_so_and_leaves_none(tmp_path: Path) -> None:
    state = tmp_path / "state"  # its own: in the one that tests share others may have boxes
    without = (
        "setpriv",
        "--bounding-set=-kill",
        sys.executable,
        "-m",
        "deepoj_sandbox",
        "selfcheck",
        "--json",
    )
    finished = subprocess.run([*without, "--state", state], capture_output=True, text=True, check=False)
    report = json.loads(finished.stdout)
    assert (finished.returncode, report["sufficient"], report["failed_step"]) == (2, False, "end box")
    command_lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")]
    assert not [line for line in command_lines if bytes(state) in line]


@pytest.mark.parametrize("name", ["run", "agent", "selfcheck"])
def test_help_has_an_example(name: str) -> None:
    finished = command(name, "--help")
    assert finished.returncode == 0
    assert "example:" in finished.stdout


GOOD = Layers(
    namespaces=("mnt", "pid", "net", "ipc", "uts", "cgroup"),
    user_namespace=False,
    root=True,
    seccomp=True,
    no_new_privileges=True,
    no_capabilities=True,
    rlimits=True,
    own_user=True,
    cgroup="v1",
)


def test_below_namespaces_seccomp_and_rlimits_is_not_sufficient() -> None:
    assert GOOD.sufficient
    assert not replace(GOOD, namespaces=("mnt", "pid")).sufficient
    assert not replace(GOOD, seccomp=False).sufficient
    assert not replace(GOOD, rlimits=False).sufficient
    assert not replace(GOOD, root=False).sufficient
    assert not replace(GOOD, no_capabilities=False).sufficient
    assert replace(GOOD, cgroup="none").sufficient
    assert replace(GOOD, cgroup="none").degraded


RESULT = RunResult(
    status=RunStatus.WALL_TLE,
    exit_code=None,
    signal=9,
    cpu_ns=12_345_678,
    wall_ns=2_000_000_000,
    peak_bytes=2048 * 1024,
    stdout_bytes=0,
    stderr_bytes=0,
    stdout_truncated=False,
    stderr_truncated=False,
)


def test_a_wall_limit_is_tle_with_the_wall_time() -> None:
    answer = json.loads(judge_json.of_result(RESULT, "j", 1))
    assert (answer["verdict"], answer["time_ms"], answer["mem_kb"]) == ("TLE", 2000, 2048)
    assert answer["error"] == "wall clock limit"


def test_a_failure_carries_step_and_errno() -> None:
    answer = json.loads(judge_json.of_failure(SandboxError("mount box", 1), "j", 1))
    assert (answer["verdict"], answer["sandbox_error"]) == ("SE", "mount box:1")
