"""Without cgroups, and without root: less exact, said so, and no less isolated."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import deepoj_sandbox
from deepoj_sandbox.cgroups.port import CgroupKind
from deepoj_sandbox.host.workshop import Workshop
from deepoj_sandbox.layers import probe
from deepoj_sandbox.request import SandboxLimits
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Laboratory, missing_tools

MB = 1 << 20
NOBODY = 65534
PROGRAMS = Path(__file__).parent / "programs"
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
MEMFD = """
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
int main(void) { int f = memfd_create("x", 0); printf("%d %d\\n", f, errno == ENOSYS); return 0; }
"""
FILL = """
#include <fcntl.h>
#include <unistd.h>
static char block[1 << 20];
int main(void) {
    int f = open("/tmp/fill", O_CREAT | O_WRONLY, 0600);
    for (int i = 0; i < 40; i++) write(f, block, sizeof block);
    return 0;
}
"""
# Reading untouched memory costs a page table every two mebibytes, and no page.
TABLES = """
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    volatile char *far = mmap(0, 1L << 37, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (long i = 0; i < 1L << 37; i += 1L << 21) { far[i]; if (!(i & 0xffffffff)) usleep(1000); }
    pause();
}
"""
# Each child is gone before anybody looks twice.
RELAY = """
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int waits = !strcmp(argv[1], "waits");
    long long spin = waits ? 5000000 : 60000000;
    if (!waits) signal(SIGCHLD, SIG_IGN);
    for (;;) {
        if (!fork()) {
            struct timespec used;
            do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
            while (used.tv_sec * 1000000000LL + used.tv_nsec < spin);
            _exit(0);
        }
        wait(0);
    }
}
"""
ORPHANS = """
#include <unistd.h>
int main(void) { for (int i = 0; i < 3; i++) if (!fork()) for (;;) ; pause(); }
"""


# The member leaves its channels so that nobody may open them; it owns them as much as the agent does.
TALK = """
import io, os, sys
from pathlib import Path
from deepoj_sandbox.host import files
from deepoj_sandbox.host.stdin import stdin_of
from deepoj_sandbox.host.streams import Nowhere
from deepoj_sandbox.host.talk import Aside, Part, run_talk
from deepoj_sandbox.host.workshop import Workshop
from deepoj_sandbox.request import SandboxLimits, RunRequest

member = "to = open('/proc/self/fd/4', 'w')\\nto.write('42')\\nto.close()\\n"
member += "import os\\nfor n in (3, 4): os.chmod(f'/proc/self/fd/{n}', 0)"
leader = "print(open('/proc/self/fd/3').read())\\n"
leader += "to = open('/proc/self/fd/4', 'w')" if sys.argv[2] == "waits" else ""
limits = SandboxLimits(cpu_ms=3000, wall_ms=20_000)
request = RunRequest(argv=("/usr/bin/python3", "/app/p.py"), limits=limits)
with Workshop(Path(sys.argv[1], "state")) as workshop:
    boxes = [workshop.make() for _ in range(2)]
    for box, text in zip(boxes, (leader, member)):
        files.put(box, "p.py", stdin_of(text.encode(), 1000), executable=False)
    said = io.BytesIO()
    asides = Aside(stdin_of(b"", 0), said), Aside(stdin_of(b"", 0), Nowhere())
    parts = [Part(box, request, io.BytesIO(), aside) for box, aside in zip(boxes, asides)]
    results = run_talk(parts[0], parts[1:], Path(sys.argv[1]))
    for box in boxes:
        box.close()
    print(said.getvalue().decode().strip(), results[1].status, max(each.wall_ms for each in results) < 10_000)
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
    finished = plain.attack(plain.c(ORPHANS, "-static"), limits=SandboxLimits(cpu_ms=300, wall_ms=20_000))
    assert finished.status is RunStatus.TLE
    assert 300 <= finished.result.cpu_ms < 5000


def test_no_cgroup_memory_is_policed_by_polling(plain: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=5000, wall_ms=20_000, memory_bytes=64 * MB)
    finished = plain.attack(plain.c(GRAB, "-static"), limits=limits)
    assert finished.status is RunStatus.MLE


def test_no_cgroup_files_in_memory_that_nobody_counts_cannot_be_had(plain: Laboratory) -> None:
    assert plain.attack(plain.c(MEMFD, "-static")).stdout == b"-1 1\n"


def test_no_cgroup_scratch_files_are_memory(plain: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=5000, wall_ms=20_000, memory_bytes=24 * MB)
    finished = plain.attack(plain.c(FILL, "-static"), limits=limits)
    assert finished.status is RunStatus.MLE
    roomy = plain.attack(plain.c(FILL, "-static"), limits=replace(limits, memory_bytes=64 * MB))
    assert (roomy.status, roomy.result.peak_bytes >= 40 * MB) == (RunStatus.OK, True)


def test_no_cgroup_page_tables_are_memory(plain: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=5000, wall_ms=20_000, memory_bytes=64 * MB)
    assert plain.attack(plain.c(TABLES, "-static"), limits=limits).status is RunStatus.MLE


@pytest.mark.parametrize("kind", ["waits", "ignores"])
def test_no_cgroup_cpu_of_short_lived_children_counts(plain: Laboratory, kind: str) -> None:
    limits = SandboxLimits(cpu_ms=400, wall_ms=30_000)
    finished = plain.attack(plain.c(RELAY, "-static"), kind, limits=limits)
    assert finished.status is RunStatus.TLE, finished.result
    assert 400 <= finished.result.cpu_ms < 5000


def test_no_cgroup_processes_are_still_limited(plain: Laboratory) -> None:
    finished = plain.attack(
        plain.c(MULTIPLY, "-static"), limits=SandboxLimits(processes=20, cpu_ms=5000, wall_ms=20_000)
    )
    assert finished.result.exit_code in range(15, 21)


def as_nobody(directory: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user without any right."""
    return python_as_nobody("-m", "deepoj_sandbox", name, "--state", str(directory / "state"), *arguments)


def python_as_nobody(*arguments: str) -> subprocess.CompletedProcess[str]:
    packages = Path(deepoj_sandbox.__file__).parents[1]
    return subprocess.run(
        ["/usr/bin/python3", *arguments],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"},
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


def compiled(directory: Path, name: str) -> Path:
    source, program = PROGRAMS / f"{name}.c", directory / name
    subprocess.run(["gcc", "-O1", "-w", "-static", str(source), "-o", str(program)], check=True)
    return program


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


@pytest.mark.parametrize("mode", [0o600, 0o400], ids=oct)
def test_rootless_input_cannot_be_touched_or_marked(rootless: Path, mode: int) -> None:
    if missing := missing_tools("gcc"):
        pytest.skip(missing)
    data = rootless / "1.in"
    data.write_bytes(b"20 22\n")
    os.chown(data, NOBODY, NOBODY)
    data.chmod(mode)
    before = data.stat()
    programs = [f"--put-program={name}={compiled(rootless, name)}" for name in ("tamper", "marks")]
    first = [f"--first={json.dumps(argv)}" for argv in (["/app/marks", "look"], ["/app/tamper"])]
    again = f"--first={json.dumps(['/app/marks', 'leave'])}"
    streams = ("--stdin", str(data), "--stdout", str(rootless / "out"), "--stderr", str(rootless / "err"))
    finished = as_nobody(rootless, "run", *programs, *streams, *first, again, "--", "/app/marks", "look")
    assert json.loads(finished.stdout)["verdict"] == "OK", finished
    assert (rootless / "out").read_bytes() == b"20 22\n", "a program sees what it was given, whatever it does"
    seen = (rootless / "err").read_text().splitlines()
    assert seen[:3] == seen[3:], "nothing is left for the next"
    after = data.stat()
    assert data.read_bytes() == b"20 22\n"
    assert (after.st_mode, after.st_mtime_ns, os.listxattr(data)) == (before.st_mode, before.st_mtime_ns, [])


def test_rootless_streams_open_by_name(rootless: Path) -> None:
    data = rootless / "1.in"
    data.write_bytes(b"20 22\n")
    os.chown(data, NOBODY, NOBODY)
    data.chmod(0o600)
    (rootless / "p.sh").write_text(
        "read a b < /dev/stdin; echo $((a + b)) > /dev/stdout; echo x > /dev/stderr"
    )
    streams = ("--stdin", str(data), "--stdout", str(rootless / "out"), "--stderr", str(rootless / "err"))
    finished = as_nobody(
        rootless, "run", "--put", f"p.sh={rootless / 'p.sh'}", *streams, "--", "/bin/sh", "/app/p.sh"
    )
    assert json.loads(finished.stdout)["verdict"] == "OK", (finished, (rootless / "err").read_text())
    assert ((rootless / "out").read_text(), (rootless / "err").read_text()) == ("42\n", "x\n")


@pytest.mark.parametrize("leader", ["reads", "waits"])
def test_rootless_programs_open_channels_by_name_and_cannot_hang_each_other(
    rootless: Path, leader: str
) -> None:
    talked = python_as_nobody("-c", TALK, str(rootless), leader)
    assert talked.stdout == "42 OK True\n", talked
