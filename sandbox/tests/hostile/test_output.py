"""Programs that write too much, or nowhere."""

import pytest

from deepoj_sandbox.request import BoxSpec, SandboxLimits
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Laboratory

FLOOD = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char block[4096];
int main(int argc, char **argv) {
    memset(block, 'x', sizeof block);
    for (;;) write(atoi(argv[1]), block, sizeof block);
}
"""
CLOSE_ALL = """
#include <unistd.h>
int main(void) { close(0); close(1); close(2); for (int i = 0; i < 100; i++) write(1, "x", 1); return 7; }
"""
SPARSE = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int f = open("sparse", O_CREAT | O_RDWR, 0600);
    long long size = atoll(argv[1]);
    if (pwrite(f, "x", 1, size - 1) != 1) return 4;
    return 0;
}
"""
MANY_FILES = """
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char name[32];
    int made = 0;
    for (; made < 1000000; made++) {
        sprintf(name, "f%d", made);
        int f = open(name, O_CREAT | O_WRONLY, 0);
        if (f < 0) break;
        close(f);
    }
    printf("%d\\n", made);
    return 0;
}
"""
DEEP = """
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    int depth = 0;
    while (depth < 100000 && !mkdir("directory", 0700) && !chdir("directory")) {
        chmod("..", 0);
        chmod(".", 0300);
        depth++;
    }
    printf("%d\\n", depth);
    return 0;
}
"""
NONBLOCKING = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    fcntl(1, F_SETFL, O_NONBLOCK);
    fcntl(1, F_SETPIPE_SZ, 4096);
    write(1, "done", 4);
    return 0;
}
"""
SLOW_THEN_MUCH = """
#include <string.h>
#include <unistd.h>
static char block[1 << 20];
int main(void) {
    usleep(20000);
    memset(block, 'y', sizeof block);
    for (int i = 0; i < 8; i++)
        for (int done = 0; done < sizeof block;) done += write(1, block + done, sizeof block - done);
    return 0;
}
"""


@pytest.mark.parametrize("stream", [1, 2])
def test_a_flood_is_stopped_at_its_cap(laboratory: Laboratory, stream: int) -> None:
    limits = SandboxLimits(cpu_ms=5000, wall_ms=20_000, output_bytes=100_000, error_bytes=50_000)
    finished = laboratory.attack(laboratory.c(FLOOD, "-static"), str(stream), limits=limits)
    result = finished.result
    assert finished.status is RunStatus.OLE
    assert (result.stdout_truncated, result.stderr_truncated) == (stream == 1, stream == 2)
    assert len(finished.stdout if stream == 1 else finished.stderr) == (100_000 if stream == 1 else 50_000)


def test_output_up_to_the_cap_is_whole(laboratory: Laboratory) -> None:
    limits = SandboxLimits(output_bytes=8 << 20, cpu_ms=5000)
    finished = laboratory.attack(laboratory.c(SLOW_THEN_MUCH, "-static"), limits=limits)
    assert finished.status is RunStatus.OK
    assert finished.stdout == b"y" * (8 << 20)
    assert not finished.result.stdout_truncated


def test_closing_stdio_is_no_crime(laboratory: Laboratory) -> None:
    finished = laboratory.attack(laboratory.c(CLOSE_ALL, "-static"))
    assert (finished.status, finished.result.exit_code) == (RunStatus.RE, 7)


def test_changing_the_pipe_does_not_change_the_next_run(laboratory: Laboratory) -> None:
    assert laboratory.attack(laboratory.c(NONBLOCKING, "-static")).stdout == b"done"


def test_a_file_past_the_size_limit_is_ole_sparse_or_not(laboratory: Laboratory) -> None:
    program = laboratory.c(SPARSE, "-static")
    assert laboratory.attack(program, "1099511627776").status is RunStatus.OLE
    assert laboratory.attack(program, str(32 << 20)).status is RunStatus.OK


def test_files_are_counted(laboratory: Laboratory) -> None:
    spec = BoxSpec(scratch_inodes=500)
    finished = laboratory.attack(laboratory.c(MANY_FILES, "-static"), spec=spec)
    assert finished.status is RunStatus.OK
    assert 400 < int(finished.stdout) < 500


def test_a_directory_deeper_than_any_path_is_wiped(laboratory: Laboratory) -> None:
    finished = laboratory.attack(laboratory.c(DEEP, "-static"))
    assert finished.status is RunStatus.OK
    assert int(finished.stdout) > 1000
