"""Programs that look for what is not theirs, and programs that plant something for the host to open."""

import os
import secrets
from pathlib import Path

import pytest

from deepoj_sandbox.errors import BadRequest
from deepoj_sandbox.host import files
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.stdin import safe_stdin
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Laboratory

FORBIDDEN = (
    "/etc/shadow", "/etc/hosts", "/etc/resolv.conf", "/root", "/home", "/run", "/srv", "/mnt",
    "/var/log", "/var/lib/dpkg", "/var/cache",
    "/sys", "/sys/fs/cgroup", "/boot", "/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/tty",
    "/dev/console", "/dev/fuse", "/dev/kvm", "/proc/kcore", "/proc/kallsyms", "/proc/sysrq-trigger",
    "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/keys", "/proc/config.gz",
    "/proc/cmdline", "/proc/mounts", "/proc/net/tcp", "/proc/1/mem", "/proc/1/environ", "/proc/1/root",
    "/proc/1/fd", "/proc/1/cwd", "/proc/1/maps", "/proc/1/status", "/proc/1/cmdline",
)  # fmt: skip
WRITABLE = (
    "/proc/self/oom_score_adj", "/proc/self/uid_map", "/proc/self/setgroups", "/proc/self/coredump_filter",
    "/proc/self/attr/current", "/usr/x", "/usr/lib/x", "/lib/x", "/bin/x", "/etc/x", "/x", "/dev/x", "/app/x",
    "/var/x", "/var/lib/x", "/etc/ld.so.preload", "/etc/ld.so.cache", "/usr/bin/env",
)  # fmt: skip
TRY_OPEN = b"""
import os, sys
reading = sys.argv[1] == "r"
for path in sys.stdin.read().split():
    for flags in (os.O_RDONLY, os.O_DIRECTORY) if reading else (os.O_WRONLY | os.O_CREAT,):
        try:
            descriptor = os.open(path, flags)
        except OSError:
            continue
        try:
            os.listdir(descriptor) if reading else os.write(descriptor, b"0")
        except NotADirectoryError:
            pass
        except OSError:
            continue
        print(path)
"""
FIND = b"""
import os, sys
for top, names, leaves in os.walk("/", followlinks=False):
    if top.startswith("/usr/"):
        names.clear()
    for name in names + leaves:
        if sys.argv[1] in name:
            print(os.path.join(top, name))
"""
CHROOT_ESCAPE = """
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    mkdir("jail", 0700);
    int up = open("/", O_RDONLY);
    printf("%d", chroot("jail"));
    fchdir(up);
    for (int i = 0; i < 64; i++) chdir("..");
    printf(" %d", chroot("."));
    printf(" %d\\n", access("etc/shadow", F_OK));
    return 0;
}
"""
LIST_DESCRIPTORS = """
#include <fcntl.h>
#include <stdio.h>
int main(void) { for (int i = 0; i < 4096; i++) if (fcntl(i, F_GETFD) != -1) printf("%d ", i); return 0; }
"""


def python(laboratory: Laboratory, box: Box, program: bytes, *arguments: str, stdin: bytes = b"") -> bytes:
    laboratory.put(box, "program.py", program)
    finished = laboratory.attack_in(box, "/usr/bin/python3", "/app/program.py", *arguments, stdin=stdin)
    assert finished.status is RunStatus.OK, finished.stderr
    return finished.stdout


def test_the_hosts_files_cannot_be_opened(laboratory: Laboratory, box: Box) -> None:
    assert python(laboratory, box, TRY_OPEN, "r", stdin=" ".join(FORBIDDEN).encode()) == b""


def test_nothing_outside_the_scratch_directory_can_be_written(laboratory: Laboratory, box: Box) -> None:
    assert python(laboratory, box, TRY_OPEN, "w", stdin=" ".join(WRITABLE).encode()) == b""


def test_another_boxs_files_test_data_and_answers_cannot_be_found(
    laboratory: Laboratory, box: Box, tmp_path: Path
) -> None:
    token = f"answer{secrets.token_hex(8)}"
    (tmp_path / f"{token}.ans").write_text("42")
    neighbour = laboratory.workshop.make()
    try:
        laboratory.put(neighbour, f"{token}.ans", b"42")
        laboratory.run(neighbour, "/usr/bin/touch", f"{token}.out")
        assert python(laboratory, box, FIND, token) == b""
    finally:
        neighbour.close()


def test_the_only_visible_process_is_the_program(laboratory: Laboratory, box: Box) -> None:
    program = b"import os\nprint([n for n in os.listdir('/proc') if n.isdigit()] == [str(os.getpid())])\n"
    assert python(laboratory, box, program) == b"True\n"


def test_environment_has_no_secret_of_the_hosts(
    laboratory: Laboratory, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEPOJ_SERVICE_TOKEN", "do-not-leak")
    finished = laboratory.attack_in(box, "/bin/cat", "/proc/self/environ")
    names = {entry.split(b"=")[0] for entry in finished.stdout.split(b"\0") if entry}
    assert names == {b"PATH", b"HOME", b"TMPDIR", b"LANG"}


def test_no_descriptor_but_stdio_is_open(laboratory: Laboratory) -> None:
    finished = laboratory.attack(laboratory.c(LIST_DESCRIPTORS, "-static"))
    assert finished.stdout.split() == [b"0", b"1", b"2"]


def test_chroot_is_no_way_out(laboratory: Laboratory) -> None:
    assert laboratory.attack(laboratory.c(CHROOT_ESCAPE, "-static")).stdout == b"-1 -1 -1\n"


PLANTS = {
    "link": "import os; os.symlink('/etc/shadow', 'out')",
    "link to its own file": "import os; open('real', 'w').write('x'); os.symlink('real', 'out')",
    "dangling link": "import os; os.symlink('nowhere', 'out')",
    "fifo": "import os; os.mkfifo('out')",
    "directory": "import os; os.mkdir('out')",
    "directory link": "import os; os.symlink('/', 'sub')",
    "parent link": "import os; os.symlink('..', 'sub')",
    "magic link": "import os; os.symlink('/proc/self/root', 'sub')",
}


@pytest.mark.parametrize("plant", PLANTS)
def test_what_is_no_regular_file_is_not_taken(laboratory: Laboratory, box: Box, plant: str) -> None:
    laboratory.put(box, "p.py", PLANTS[plant].encode())
    laboratory.put(box, "hello", laboratory.c("int main(void) { return 0; }", "-static"), executable=True)
    before = laboratory.footprint(box)
    assert laboratory.run(box, "/usr/bin/python3", "/app/p.py").status is RunStatus.OK
    for name in ("out", "sub/etc/passwd", "sub/usr/bin/env"):
        with pytest.raises(BadRequest):
            files.take(box, name, 1 << 20)
    laboratory.expect_clean(box, before)
    assert laboratory.run(box, "/app/hello").status is RunStatus.OK


def test_device_nodes_cannot_be_made(laboratory: Laboratory, box: Box) -> None:
    program = (
        b"import os, stat\n"
        b"for kind in (stat.S_IFCHR, stat.S_IFBLK):\n"
        b"    try: os.mknod('out', kind | 0o666, os.makedev(1, 5))\n"
        b"    except PermissionError: print('refused')\n"
    )
    assert python(laboratory, box, program) == b"refused\nrefused\n"


def test_a_planted_link_does_not_redirect_what_the_host_puts(
    laboratory: Laboratory, box: Box, tmp_path: Path
) -> None:
    laboratory.put(
        box, "p.py", f"import os; os.symlink('{tmp_path}', 'sub'); os.symlink('/etc/passwd', 'in')".encode()
    )
    assert laboratory.run(box, "/usr/bin/python3", "/app/p.py").status is RunStatus.OK
    box.dirty = False  # as if the caller had asked to keep the scratch directory
    source = os.memfd_create("x")
    try:
        for name in ("sub/file", "in"):
            with pytest.raises((BadRequest, Exception), match=r"taken|put file"):
                files.put(box, name, source, into_work=True)
    finally:
        os.close(source)
        box.dirty = True
    assert list(tmp_path.iterdir()) == []


def test_stdin_must_be_a_file_or_nothing(tmp_path: Path) -> None:
    directory = os.open(tmp_path, os.O_RDONLY)
    reader, writer = os.pipe()
    try:
        for descriptor in (directory, reader, writer):
            with pytest.raises(BadRequest, match="stdin"):
                safe_stdin(descriptor, 1000)
    finally:
        for descriptor in (directory, reader, writer):
            os.close(descriptor)


def test_input_has_a_size_limit(tmp_path: Path) -> None:
    data = tmp_path / "1.in"
    data.write_bytes(b"x" * 11)
    with data.open("rb") as given, pytest.raises(BadRequest, match="larger than 10 bytes"):
        safe_stdin(given.fileno(), 10)
