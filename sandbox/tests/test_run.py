"""What one run is: output, files, limits, and what is told about it."""

import os
import resource
import signal
from threading import Event

import pytest

from deepoj_sandbox.errors import BadRequest, SandboxError
from deepoj_sandbox.host import files
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.drive import run
from deepoj_sandbox.request import BoxSpec, RunRequest, SandboxLimits
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Laboratory

EXIT_WITH = """
#include <stdlib.h>
int main(int argc, char **argv) { return atoi(argv[1]); }
"""
DIE_BY = """
#include <signal.h>
#include <stdlib.h>
int main(int argc, char **argv) { signal(atoi(argv[1]), SIG_DFL); raise(atoi(argv[1])); return 99; }
"""


def test_output_and_errors_come_back_apart(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "program.py", b"import sys\nprint(input())\nprint('oops', file=sys.stderr)\n")
    finished = laboratory.run(box, "/usr/bin/python3", "/app/program.py", stdin="grüße\n".encode())
    assert (finished.stdout, finished.stderr) == ("grüße\n".encode(), b"oops\n")
    assert finished.status is RunStatus.OK
    assert (finished.result.stdout_bytes, finished.result.stderr_bytes) == (8, 5)
    assert not finished.result.stdout_truncated


def test_every_exit_code_is_reported(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "exit", laboratory.c(EXIT_WITH, "-static"), executable=True)
    for code in range(256):
        result = laboratory.run(box, "/app/exit", str(code)).result
        assert (result.exit_code, result.signal) == (code, None)
        assert result.status is (RunStatus.RE if code else RunStatus.OK)


FATAL = sorted(
    signal.valid_signals()
    - {
        signal.SIGCHLD,
        signal.SIGCONT,
        signal.SIGURG,
        signal.SIGWINCH,
        signal.SIGSTOP,
        signal.SIGTSTP,
        signal.SIGTTIN,
        signal.SIGTTOU,
    }
)


def test_every_fatal_signal_is_reported(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "die", laboratory.c(DIE_BY, "-static"), executable=True)
    for number in FATAL:
        result = laboratory.run(box, "/app/die", str(int(number))).result
        assert (result.exit_code, result.signal) == (None, int(number)), signal.strsignal(number)
        assert result.status is (RunStatus.OLE if number == signal.SIGXFSZ else RunStatus.RE)


def test_scratch_is_empty_for_every_run_unless_kept(laboratory: Laboratory, box: Box) -> None:
    assert laboratory.run(box, "/usr/bin/touch", "left").status is RunStatus.OK
    assert laboratory.run(box, "/bin/ls", keep_scratch=True).stdout == b"left\n"
    assert laboratory.run(box, "/bin/ls").stdout == b""


def test_files_are_taken_by_name(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "data/input.txt", b"content")
    assert laboratory.run(box, "/bin/cp", "/app/data/input.txt", "out.txt").status is RunStatus.OK
    assert files.take(box, "out.txt", 100) == b"content"
    with pytest.raises(BadRequest, match="larger"):
        files.take(box, "out.txt", 3)
    with pytest.raises(BadRequest, match="No such file"):
        files.take(box, "other.txt", 100)


def test_what_a_program_left_is_listed_without_following_links(laboratory: Laboratory, box: Box) -> None:
    program = (
        b"import os\nos.makedirs('a/b')\nopen('a/b/c', 'w')\nopen('d$e', 'w')\n"
        b"os.symlink('/usr', 'usr')\nos.mkfifo('f')\n"
    )
    laboratory.put(box, "p.py", program)
    assert laboratory.run(box, "/usr/bin/python3", "/app/p.py").status is RunStatus.OK
    assert files.listing(box) == ["a/b/c", "d$e"]
    assert files.take(box, "a/b/c", 10) == b""


def test_a_file_put_into_work_belongs_to_the_program(laboratory: Laboratory, box: Box) -> None:
    laboratory.run(box, "/usr/bin/touch", "old")
    source = os.memfd_create("x")
    os.write(source, b"in")
    files.put(box, "sub/input.txt", source, into_work=True)
    os.close(source)
    assert laboratory.run(box, "/bin/cp", "sub/input.txt", "copy", keep_scratch=True).status is RunStatus.OK
    assert laboratory.run(box, "/bin/ls", keep_scratch=True).stdout == b"copy\nsub\n"
    assert laboratory.run(box, "/bin/ls").stdout == b""


def test_a_program_cannot_change_what_the_host_put(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "data", b"original")
    assert laboratory.run(box, "/bin/cp", "/usr/bin/env", "/app/data").status is RunStatus.RE
    assert laboratory.run(box, "/bin/rm", "-f", "/app/data").status is RunStatus.RE
    assert laboratory.run(box, "/bin/cat", "/app/data").stdout == b"original"


def test_a_missing_program_is_our_failure_with_step_and_errno(laboratory: Laboratory, box: Box) -> None:
    with pytest.raises(SandboxError, match="spawn: No such file") as caught:
        laboratory.run(box, "/app/absent")
    assert (caught.value.step, caught.value.code) == ("spawn", 2)
    assert box.closed, "a spawner's error destroys the box"


def test_inv_10_kill_and_clean_up_can_be_repeated(laboratory: Laboratory) -> None:
    box = laboratory.workshop.make()
    box.kill()
    box.kill()
    box.close()
    box.close()
    box.kill()
    with pytest.raises(SandboxError):
        laboratory.run(box, "/bin/true")


def test_output_cap_prevents_oom(laboratory: Laboratory, box: Box) -> None:
    """However much comes, the host keeps no more than the cap."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    limits = SandboxLimits(cpu_ms=5000, wall_ms=20_000, output_bytes=1 << 20)
    for _ in range(3):
        finished = laboratory.run(box, "/usr/bin/yes", "x" * 1000, limits=limits)
        assert finished.status is RunStatus.OLE
        assert len(finished.stdout) == 1 << 20
        assert finished.result.stdout_truncated
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024
    assert laboratory.run(box, "/bin/true").status is RunStatus.OK


def test_arguments_reach_the_program_as_they_are(laboratory: Laboratory, box: Box) -> None:
    finished = laboratory.run(box, "/bin/echo", "a b", "*", "~", "(x)", "é")
    assert finished.stdout == "a b * ~ (x) é\n".encode()


def test_environment_is_what_was_asked_and_nothing_else(laboratory: Laboratory, box: Box) -> None:
    request = RunRequest(argv=("/usr/bin/env",), environment=("A=1", "B=two words"))
    assert laboratory.run_request(box, request).stdout == b"A=1\nB=two words\n"


def test_dual_timeouts_wall_and_cpu(laboratory: Laboratory, box: Box) -> None:
    limits = SandboxLimits(cpu_ms=200, wall_ms=30_000)
    spin = laboratory.c("int main(void) { for (;;) ; }", "-static")
    laboratory.put(box, "spin", spin, executable=True)
    busy = laboratory.run(box, "/app/spin", limits=limits).result
    assert busy.status is RunStatus.TLE
    assert 200 <= busy.cpu_ms < 3000
    asleep = laboratory.run(box, "/bin/sleep", "30", limits=SandboxLimits(cpu_ms=200, wall_ms=300)).result
    assert asleep.status is RunStatus.WALL_TLE
    assert asleep.cpu_ms < 200
    assert 300 <= asleep.wall_ms < 20_000


DEADLOCK = """
import threading
first, second = threading.Lock(), threading.Lock()
first.acquire(), second.acquire()
threading.Thread(target=first.acquire).start()
second.acquire()
"""
AWAKE = """
import time
for _ in range(25):
    end = time.process_time() + 0.02
    while time.process_time() < end: pass
    time.sleep(0.08)
"""


def test_a_program_that_only_sleeps_is_ended_long_before_its_wall_limit(
    laboratory: Laboratory, box: Box
) -> None:
    limits = SandboxLimits(cpu_ms=5000, wall_ms=60_000, idle_ms=400)
    laboratory.put(box, "deadlock.py", DEADLOCK.encode())
    for argv in (("/bin/sleep", "600"), ("/usr/bin/python3", "/app/deadlock.py")):
        asleep = laboratory.run(box, *argv, limits=limits).result
        assert asleep.status is RunStatus.WALL_TLE
        assert 400 <= asleep.wall_ms < 30_000
    assert laboratory.run(box, "/bin/true", limits=limits).result.status is RunStatus.OK


WAITS_FOR_A_THREAD = """
import threading
def compute():
    for _ in range(3_000_000): pass
threading.Thread(target=compute).start()
"""


def test_a_program_whose_first_thread_waits_for_another_is_not_idle(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "threads.py", WAITS_FOR_A_THREAD.encode())
    limits = SandboxLimits(cpu_ms=20_000, wall_ms=60_000, idle_ms=20)
    assert (
        laboratory.run(box, "/usr/bin/python3", "/app/threads.py", limits=limits).result.status
        is RunStatus.OK
    )


def test_a_program_that_computes_now_and_then_is_not_idle(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "awake.py", AWAKE.encode())
    limits = SandboxLimits(cpu_ms=20_000, wall_ms=60_000, idle_ms=1000)
    assert (
        laboratory.run(box, "/usr/bin/python3", "/app/awake.py", limits=limits).result.status is RunStatus.OK
    )


class SlowReader:
    """Takes what a program writes only after a while."""

    def __init__(self, seconds: float) -> None:
        self.wait = Event()
        self.seconds = seconds
        self.taken = 0

    def write(self, data: bytes) -> None:
        self.wait.wait(self.seconds)
        self.seconds = 0
        self.taken += len(data)


def test_a_program_that_waits_for_us_to_take_its_output_is_not_idle(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "flood.py", b"print(10_000_000 * 'x')")
    limits = SandboxLimits(cpu_ms=20_000, wall_ms=60_000, idle_ms=100)
    request = RunRequest(argv=("/usr/bin/python3", "/app/flood.py"), limits=limits)
    reader = SlowReader(1.0)
    stdin = os.open(os.devnull, os.O_RDONLY)
    try:
        result = run(box, request, stdin, reader, SlowReader(0))
    finally:
        os.close(stdin)
    assert (result.status, reader.taken) == (RunStatus.OK, 10_000_001)


def test_a_run_can_be_pinned_to_one_processor(laboratory: Laboratory, box: Box) -> None:
    cpu = max(os.sched_getaffinity(0))
    request = RunRequest(argv=("/bin/grep", "Cpus_allowed_list", "/proc/self/status"), pin_cpu=cpu)
    assert laboratory.run_request(box, request).stdout.split() == [b"Cpus_allowed_list:", str(cpu).encode()]
    unpinned = RunRequest(argv=("/usr/bin/nproc",))
    expected = len(os.sched_getaffinity(0))
    assert laboratory.run_request(box, unpinned).stdout == f"{expected}\n".encode()


@pytest.mark.parametrize(
    ("limits", "shell_name", "expected"),
    [
        (SandboxLimits(open_files=24), "Max open files", b"24"),
        (SandboxLimits(stack_bytes=9 << 20), "Max stack size", b"9437184"),
        (SandboxLimits(file_bytes=4096), "Max file size", b"4096"),
        (SandboxLimits(address_space_bytes=1 << 30), "Max address space", b"1073741824"),
    ],
)
def test_rlimits_of_a_run(
    laboratory: Laboratory, box: Box, limits: SandboxLimits, shell_name: str, expected: bytes
) -> None:
    finished = laboratory.run(box, "/bin/grep", shell_name, "/proc/self/limits", limits=limits)
    assert finished.stdout.split()[3] == expected
    # The next run of the same box may have more again.
    wide = SandboxLimits(open_files=64)
    assert laboratory.run(box, "/bin/grep", shell_name, "/proc/self/limits", limits=wide).stdout.split()[
        3
    ] != (expected)


def test_scratch_size_and_inodes_are_the_boxes(laboratory: Laboratory) -> None:
    box = laboratory.workshop.make(BoxSpec(scratch_bytes=1 << 20, scratch_inodes=16))
    try:
        big = laboratory.run(box, "/bin/dd", "if=/dev/zero", "of=big", "bs=64k", "count=64")
        assert b"No space left" in big.stderr
        many = laboratory.run(box, "/usr/bin/touch", *(f"f{number}" for number in range(40)))
        assert b"No space left" in many.stderr
        assert laboratory.run(box, "/bin/ls").stdout == b""
    finally:
        box.close()


def test_a_second_box_is_another_user(laboratory: Laboratory, box: Box) -> None:
    other = laboratory.workshop.make()
    try:
        users = {laboratory.run(each, "/usr/bin/id", "-u").stdout for each in (box, other)}
        assert len(users) == 2
        assert b"0\n" not in users
    finally:
        other.close()
