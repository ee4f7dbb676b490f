"""Without cgroups, and without root: less exact, said so, and no less isolated."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import deepoj_sandbox
from deepoj_sandbox.cgroups.port import CgroupKind
from deepoj_sandbox.host.workshop import Workshop
from deepoj_sandbox.layers import probe
from deepoj_sandbox.request import Limits
from deepoj_sandbox.result import Status
from deepoj_sandbox.testing import Laboratory, missing_tools

MB = 1 << 20
NOBODY = 65534
GRAB = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 400; i++) { memset(malloc(1 << 20), 1, 1 << 20); usleep(500); }
    return 0;
}
"""
MULTIPLY = """
#include <unistd.h>
int main(void) {
    int made = 0;
    for (; made < 250; made++) {
        int child = fork();
        if (child < 0) break;
        if (!child) pause();
    }
    return made;
}
"""
ORPHANS = """
#include <unistd.h>
int main(void) { for (int i = 0; i < 3; i++) if (!fork()) for (;;) ; pause(); }
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    if os.geteuid() != 0:
        pytest.skip("needs root")
    if missing := missing_tools("gcc"):
        pytest.skip(missing)
    with Workshop(tmp_path_factory.mktemp("state"), cgroup=CgroupKind.NONE) as workshop:
        yield Laboratory(workshop, tmp_path_factory.mktemp("programs"))


def test_no_cgroup_is_reported_as_degraded_and_sufficient(plain: Laboratory) -> None:
    layers = probe(plain.workshop)
    assert layers.sufficient
    assert "cgroup" in layers.degraded[0]


def test_no_cgroup_cpu_of_every_process_counts(plain: Laboratory) -> None:
    finished = plain.attack(plain.c(ORPHANS, "-static"), limits=Limits(cpu_ms=300, wall_ms=20_000))
    assert finished.status is Status.TLE
    assert 300 <= finished.result.cpu_ms < 5000


def test_no_cgroup_memory_is_policed_by_polling(plain: Laboratory) -> None:
    limits = Limits(cpu_ms=5000, wall_ms=20_000, memory_bytes=64 * MB)
    finished = plain.attack(plain.c(GRAB, "-static"), limits=limits)
    assert finished.status is Status.MLE


def test_no_cgroup_processes_are_still_limited(plain: Laboratory) -> None:
    finished = plain.attack(
        plain.c(MULTIPLY, "-static"), limits=Limits(processes=20, cpu_ms=5000, wall_ms=20_000)
    )
    assert finished.result.exit_code in range(15, 21)


def as_nobody(directory: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user without any right."""
    packages = Path(deepoj_sandbox.__file__).parents[1]
    return subprocess.run(
        ["/usr/bin/python3", "-m", "deepoj_sandbox", name, "--state", str(directory / "state"), *arguments],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"},
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def rootless() -> Iterator[Path]:
    """A directory anybody may use; below pytest's own nobody else may."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to become somebody else")
    if not Path("/usr/bin/python3").exists():
        pytest.skip("needs /usr/bin/python3")
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o777)
        answer = as_nobody(directory, "selfcheck", "--json")
        try:
            report = json.loads(answer.stdout)
        except ValueError:
            pytest.skip(f"this user cannot run the package: {answer.stderr[-200:]}")
        if not report["sufficient"]:
            pytest.skip(f"no user namespaces for users here: {report}")
        yield directory


def test_rootless_has_every_required_layer(rootless: Path) -> None:
    answer = as_nobody(rootless, "selfcheck", "--json")
    report = json.loads(answer.stdout)
    assert answer.returncode == 1, "degraded"
    assert report["user_namespace"] is True
    assert report["cgroup"] in {"none", "v2"}
    assert len(report["degraded"]) >= 1


def test_rootless_runs_and_limits(rootless: Path) -> None:
    finished = as_nobody(rootless, "run", "--stdout", str(rootless / "out"), "--", "/usr/bin/id", "-u")
    assert json.loads(finished.stdout)["verdict"] == "OK", finished
    assert (rootless / "out").read_text() == "1000\n"
    slow = as_nobody(rootless, "run", "--wall-ms", "300", "--", "/bin/sleep", "20")
    assert json.loads(slow.stdout)["verdict"] == "TLE"


def test_rootless_cannot_reach_the_host(rootless: Path) -> None:
    secret = rootless / "secret"
    secret.write_text("x")
    secret.chmod(0o644)
    for path in (str(secret), "/etc/hostname", "/proc/1/environ"):
        finished = as_nobody(rootless, "run", "--", "/bin/cat", path)
        assert json.loads(finished.stdout)["verdict"] == "RE", finished
    written = as_nobody(rootless, "run", "--", "/usr/bin/touch", "/app/x")
    assert json.loads(written.stdout)["verdict"] == "RE", "/app is read-only even for its owner"
