"""Without root, in a cgroup version 2 subtree that was delegated to the user, as systemd does it."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import deepoj_sandbox
from deepoj_sandbox.cgroups.directories import remove_tree
from deepoj_sandbox.kernel.mounts import mounted

MB = 1 << 20
NOBODY = 65534
TOUCH = "import sys; held = b'x' * (int(sys.argv[1]) << 20)"


@pytest.fixture
def delegated() -> Iterator[tuple[Path, Path]]:
    """A group that belongs to nobody, and a directory for the state."""
    points = [Path(each.point) for each in mounted() if each.kind == "cgroup2"]
    if os.geteuid() != 0 or not points:
        pytest.skip("needs root and a cgroup2 mount")
    if not {"memory", "pids"} <= set((points[0] / "cgroup.controllers").read_text().split()):
        pytest.skip("needs the controllers in cgroup version 2: python -m sandbox.kernels")
    (points[0] / "cgroup.subtree_control").write_text("+memory +pids")
    group = points[0] / f"deepoj-delegated-{os.getpid()}"
    group.mkdir()
    for path in (group, *(group / name for name in ("cgroup.procs", "cgroup.subtree_control"))):
        os.chown(path, NOBODY, NOBODY)
    with tempfile.TemporaryDirectory() as name:
        os.chown(name, NOBODY, NOBODY)
        yield group, Path(name)
    remove_tree(group)


def in_group(
    delegated: tuple[Path, Path], name: str, *arguments: str, times: int = 1
) -> list[dict[str, object]]:
    """Run the command so often, from one shell that entered the group once; return what each run said."""
    group, directory = delegated
    enter = f'echo $$ > {group}/cgroup.procs && exec "$@"'
    repeat = ("sh", "-c", f'for turn in $(seq {times}); do "$@"; done', "sh")
    become = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    command = ("/usr/bin/python3", "-m", "deepoj_sandbox", name, "--state", str(directory / "state"))
    finished = subprocess.run(
        ["sh", "-c", enter, "sh", *become, *repeat, *command, *arguments],
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(Path(deepoj_sandbox.__file__).parents[1]),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    answers = [json.loads(line) for line in finished.stdout.splitlines()]
    assert len(answers) == times, finished
    return answers


def test_a_delegated_subtree_is_used(delegated: tuple[Path, Path]) -> None:
    (report,) = in_group(delegated, "selfcheck", "--json")
    assert (report["sufficient"], report["cgroup"]) == (True, "v2"), report
    assert report["degraded"] == ["rootless: every box runs as the agent's own user"]


def test_a_second_agent_uses_the_subtree_that_the_first_one_arranged(delegated: tuple[Path, Path]) -> None:
    reports = in_group(delegated, "selfcheck", "--json", times=3)
    assert [report["cgroup"] for report in reports] == ["v2"] * 3, reports
    groups = [path.name for path in delegated[0].rglob("*") if path.is_dir()]
    assert groups == ["supervisor"], "no leaf within the leaf"


def run_touching(delegated: tuple[Path, Path], *megabytes: int) -> dict[str, object]:
    """Run a program that touches so much, once for each number in one box; tell of the last."""
    if shutil.which("python3", path="/usr/bin") is None:
        pytest.skip("needs /usr/bin/python3")
    source = delegated[1] / "touch.py"
    source.write_text(TOUCH)
    source.chmod(0o644)
    *first, last = [["/usr/bin/python3", "/app/touch.py", str(each)] for each in megabytes]
    limits = ("--memory-bytes", str(64 * MB), "--cpu-ms", "20000", "--wall-ms", "60000")
    before = [word for argv in first for word in ("--first", json.dumps(argv))]
    (answer,) = in_group(delegated, "run", "--put", f"touch.py={source}", *limits, *before, "--", *last)
    return answer


def test_memory_is_told_for_each_run(delegated: tuple[Path, Path]) -> None:
    after = run_touching(delegated, 50, 20)
    assert after["verdict"] == "OK", json.dumps(after)
    assert 20 * 1024 <= int(str(after["mem_kb"])) < 40 * 1024, "its own peak, not the one before"


def test_memory_is_limited(delegated: tuple[Path, Path]) -> None:
    over = run_touching(delegated, 90)
    assert over["verdict"] == "MLE", json.dumps(over)
