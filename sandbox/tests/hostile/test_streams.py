"""Standard streams are a run's own: they can be reopened by name, and nothing done to them lasts."""

import os
import shutil
from pathlib import Path

import pytest

from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.stdin import safe_stdin
from deepoj_sandbox.request import RunRequest, SandboxLimits
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Finished, Laboratory

PROGRAMS = Path(__file__).parents[1] / "programs"
C_READS_STDIN_BY_NAME = r"""
#include <stdio.h>
int main(void) {
    long a, b;
    freopen("/dev/stdin", "r", stdin);
    freopen("/dev/stdout", "w", stdout);
    freopen("/dev/stderr", "w", stderr);
    scanf("%ld %ld", &a, &b);
    fprintf(stderr, "complaint\n");
    printf("%ld\n", a + b);
    return 0;
}
"""
PYTHON_READS_STDIN_BY_NAME = b"""
with open('/dev/stdin') as given, open('/dev/stdout', 'w') as answer, open('/dev/stderr', 'w') as complaint:
    print(sum(map(int, given.read().split())), file=answer)
    print('complaint', file=complaint)
"""
NODE_READS_STDIN_BY_NAME = b"""
const fs = require('fs');
const [a, b] = fs.readFileSync('/dev/stdin', 'utf8').trim().split(/\\s+/).map(Number);
fs.writeFileSync('/dev/stdout', `${a + b}\\n`);
fs.writeFileSync('/dev/stderr', 'complaint\\n');
"""
SHELL_READS_STDIN_BY_NAME = b"""
read a b < /dev/stdin
echo $((a + b)) > /dev/stdout
echo complaint > /dev/stderr
"""


def given_by(laboratory: Laboratory, box: Box, data: Path, *argv: str) -> Finished:
    """Run with the host's file as the caller would pass it."""
    with data.open("rb") as given:
        stdin = safe_stdin(given.fileno(), 1 << 20)
        return laboratory.run_descriptor(box, RunRequest(argv=argv, limits=laboratory.limits), stdin)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A file as the cache of a server keeps it: nobody but its owner may read it."""
    path = tmp_path / "1.in"
    path.write_bytes(b"20 22\n")
    path.chmod(0o600)
    return path


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o644, 0o666], ids=oct)
def test_what_a_program_does_to_its_input_reaches_no_file_and_no_later_run(
    laboratory: Laboratory, box: Box, data: Path, mode: int
) -> None:
    data.chmod(mode)
    laboratory.put(
        box, "tamper", laboratory.c((PROGRAMS / "tamper.c").read_text(), "-static"), executable=True
    )
    before = data.stat()
    for _ in range(2):
        finished = given_by(laboratory, box, data, "/app/tamper")
        assert (finished.status, finished.stdout) == (RunStatus.OK, b"20 22\n")
    after = data.stat()
    assert data.read_bytes() == b"20 22\n"
    assert (after.st_mode, after.st_mtime_ns, os.listxattr(data)) == (before.st_mode, before.st_mtime_ns, [])


def test_what_a_program_leaves_on_its_streams_is_not_there_for_the_next(
    laboratory: Laboratory, box: Box, data: Path
) -> None:
    laboratory.put(box, "marks", laboratory.c((PROGRAMS / "marks.c").read_text(), "-static"), executable=True)
    first = given_by(laboratory, box, data, "/app/marks", "look")
    left = given_by(laboratory, box, data, "/app/marks", "leave")
    second = given_by(laboratory, box, data, "/app/marks", "look")
    assert (first.status, left.status, second.status) == (RunStatus.OK,) * 3
    assert first.stderr.count(b"lock 0 signal 0 owner 0") == 3
    assert second.stderr == first.stderr


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("python3", PYTHON_READS_STDIN_BY_NAME),
        ("node", NODE_READS_STDIN_BY_NAME),
        ("sh", SHELL_READS_STDIN_BY_NAME),
    ],
    ids=["python", "node", "shell"],
)
def test_scripts_open_their_streams_by_name(
    laboratory: Laboratory, box: Box, data: Path, name: str, source: bytes
) -> None:
    interpreter = shutil.which(name, path="/usr/bin:/bin")
    if interpreter is None:
        pytest.skip(f"needs {name} in /usr/bin")
    laboratory.put(box, "program", source)
    finished = given_by(laboratory, box, data, interpreter, "/app/program")
    assert (finished.status, finished.stdout) == (RunStatus.OK, b"42\n"), finished.stderr
    assert finished.stderr == b"complaint\n"


def test_c_programs_open_their_streams_by_name(laboratory: Laboratory, box: Box, data: Path) -> None:
    laboratory.put(box, "sum", laboratory.c(C_READS_STDIN_BY_NAME, "-static"), executable=True)
    finished = given_by(laboratory, box, data, "/app/sum")
    assert (finished.status, finished.stdout, finished.stderr) == (RunStatus.OK, b"42\n", b"complaint\n")


def test_what_is_written_by_name_follows_what_was_written_before(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "p.sh", b"echo one; echo two > /dev/stdout; echo three; echo four > /dev/fd/1\n")
    assert laboratory.run(box, "/bin/sh", "/app/p.sh").stdout == b"one\ntwo\nthree\nfour\n"


def test_an_input_is_a_file_that_can_be_mapped_sized_and_read_twice(laboratory: Laboratory, box: Box) -> None:
    program = (
        b"import mmap, os\n"
        b"text = bytes(mmap.mmap(0, 0, prot=mmap.PROT_READ))\n"
        b"print(os.fstat(0).st_size, os.read(0, 99) == text, os.pread(0, 99, 0) == text)\n"
        b"print(open('/dev/stdin', 'rb').read() == text, os.lseek(0, 0, 0), os.read(0, 99) == text)\n"
    )
    laboratory.put(box, "p.py", program)
    finished = laboratory.run(box, "/usr/bin/python3", "/app/p.py", stdin=b"20 22\n")
    assert finished.stdout == b"6 True True\nTrue 0 True\n", finished.stderr


def test_streams_do_not_tell_where_the_host_keeps_its_files(
    laboratory: Laboratory, box: Box, data: Path
) -> None:
    program = b"import os\nfor f in range(3): print(os.readlink(f'/proc/self/fd/{f}'))\n"
    laboratory.put(box, "p.py", program)
    finished = given_by(laboratory, box, data, "/usr/bin/python3", "/app/p.py")
    assert data.name.encode() not in finished.stdout
    assert finished.stdout.startswith(b"/memfd:stdin (deleted)\npipe:")


def test_packets_on_a_pipe_are_all_heard(laboratory: Laboratory, box: Box) -> None:
    program = (
        b"import fcntl, os\n"
        b"fcntl.fcntl(1, fcntl.F_SETFL, os.O_DIRECT)\n"
        b"for word in (b'one ', b'two ', b'three'): os.write(1, word)\n"
    )
    laboratory.put(box, "p.py", program)
    assert laboratory.run(box, "/usr/bin/python3", "/app/p.py").stdout == b"one two three"


def test_a_flood_through_a_reopened_stream_is_stopped_at_its_cap(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "p.sh", b"exec yes > /dev/stdout\n")
    limits = SandboxLimits(cpu_ms=5000, wall_ms=20_000, output_bytes=100_000)
    finished = laboratory.run(box, "/bin/sh", "/app/p.sh", limits=limits)
    assert (finished.status, len(finished.stdout)) == (RunStatus.OLE, 100_000)


def test_marks_on_devices_do_not_last(laboratory: Laboratory, box: Box) -> None:
    program = (
        b"import os\n"
        b"for name in ('null', 'zero', 'full', 'random', 'urandom'):\n"
        b"    path = '/dev/' + name\n"
        b"    os.close(os.open(path, os.O_RDWR))\n"
        b"    for change in (lambda: os.utime(path), lambda: os.chmod(path, 0o666)):\n"
        b"        try: change()\n"
        b"        except OSError: continue\n"
        b"        print('marked', path)\n"
    )
    laboratory.put(box, "p.py", program)
    finished = laboratory.run(box, "/usr/bin/python3", "/app/p.py")
    assert (finished.status, finished.stdout) == (RunStatus.OK, b""), finished.stderr
