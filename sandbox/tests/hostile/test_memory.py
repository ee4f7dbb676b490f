"""Programs that want more memory than they may have, by every way there is."""

import signal
from dataclasses import replace

import pytest

from deepoj_sandbox.request import BoxSpec, SandboxLimits
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Laboratory

MB = 1 << 20
# Time enough for a kernel that is emulated.
LIMITS = SandboxLimits(
    cpu_ms=30_000, wall_ms=90_000, memory_bytes=48 * MB, file_bytes=1 << 30, stack_bytes=1 << 30
)
HEAP = """
#include <stdlib.h>
#include <string.h>
int main(void) { for (;;) { char *p = malloc(1 << 20); if (!p) return 1; memset(p, 1, 1 << 20); } }
"""
STACK = """
#include <string.h>
static int deeper(int n) {
    volatile char page[4096];
    memset((char *)page, n, sizeof page);
    return deeper(n + 1) + page[7];
}
int main(void) { return deeper(1); }
"""
SHARED = """
#include <string.h>
#include <sys/mman.h>
int main(void) {
    for (;;) {
        char *p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) return 1;
        memset(p, 1, 1 << 20);
    }
}
"""
SCRATCH = """
#include <fcntl.h>
#include <unistd.h>
static char block[1 << 20];
int main(void) {
    int f = open("/tmp/fill", O_CREAT | O_WRONLY, 0600);
    while (write(f, block, sizeof block) > 0) ;
    return 3;
}
"""
SHM = """
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    int f = shm_open("/grab", O_CREAT | O_RDWR, 0600);
    if (f < 0 || ftruncate(f, 256 << 20)) return 4;
    char *p = mmap(0, 256 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    if (p == MAP_FAILED) return 5;
    memset(p, 1, 256 << 20);
    return 3;
}
"""
MEMFD = """
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>
static char block[1 << 20];
int main(void) { int f = memfd_create("x", 0); while (write(f, block, sizeof block) > 0) ; return 3; }
"""
SPREAD = """
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 10; i++) if (!fork()) { memset(malloc(10 << 20), 1, 10 << 20); pause(); }
    while (wait(0) > 0) ;
    return 0;
}
"""
SYSV = """
#include <errno.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
int main(void) {
    printf("%d", shmget(IPC_PRIVATE, 1 << 20, 0600 | IPC_CREAT));
    printf(" %d", msgget(IPC_PRIVATE, 0600 | IPC_CREAT));
    printf(" %d\\n", semget(IPC_PRIVATE, 1, 0600 | IPC_CREAT));
    return 0;
}
"""
# Files in memory that only messages on their way hold, and only files in these messages hold the sockets:
# no process can reach them, and the kernel frees them when it comes to it.
CYCLE = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
static void pass(int through, int what) {
    char room[CMSG_SPACE(sizeof(int))] = {0}, byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {0, 0, &part, 1, room, sizeof room};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET; header->cmsg_type = SCM_RIGHTS; header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &what, sizeof what);
    sendmsg(through, &message, 0);
}
static char block[1 << 20];
int main(int argc, char **argv) {
    int ends[2];
    memset(block, 1, sizeof block);
    if (atoi(argv[1])) socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    for (int left = atoi(argv[1]); left > 0; left -= 8) {
        int file = memfd_create("held", 0);
        for (int i = 0; i < 8; i++) write(file, block, sizeof block);
        pass(ends[0], file);
        close(file);
    }
    if (atoi(argv[1])) { pass(ends[0], ends[1]); pass(ends[1], ends[0]); close(ends[0]); close(ends[1]); }
    char *kept = malloc((size_t)atoi(argv[2]) << 20);
    memset(kept, 1, (size_t)atoi(argv[2]) << 20);
    return 0;
}
"""


@pytest.mark.parametrize(
    "source",
    [HEAP, STACK, SHARED, SCRATCH, SHM, MEMFD, SPREAD],
    ids=["heap", "stack", "mmap", "tmpfs", "shm", "memfd", "many processes"],
)
def test_more_than_the_limit_is_mle(laboratory: Laboratory, source: str) -> None:
    program = laboratory.c(source, "-static", "-O0")
    finished = laboratory.attack(program, limits=LIMITS, spec=BoxSpec(scratch_bytes=512 * MB))
    assert finished.status is RunStatus.MLE
    assert finished.result.peak_bytes >= LIMITS.memory_bytes


def test_a_full_scratch_directory_is_no_memory_error(laboratory: Laboratory) -> None:
    finished = laboratory.attack(
        laboratory.c(SCRATCH, "-static"),
        limits=SandboxLimits(memory_bytes=256 * MB, cpu_ms=5000),
        spec=BoxSpec(scratch_bytes=16 * MB),
    )
    assert (finished.status, finished.result.exit_code) == (RunStatus.RE, 3)


def test_a_small_stack_ends_in_a_segmentation_fault(laboratory: Laboratory) -> None:
    limits = SandboxLimits(memory_bytes=256 * MB, stack_bytes=8 * MB)
    finished = laboratory.attack(laboratory.c(STACK, "-static", "-O0"), limits=limits)
    assert (finished.status, finished.result.signal) == (RunStatus.RE, signal.SIGSEGV)


def test_memory_that_outlives_processes_cannot_be_had(laboratory: Laboratory) -> None:
    assert laboratory.attack(laboratory.c(SYSV, "-static")).stdout == b"-1 -1 -1\n"


def test_python_past_its_limit_is_mle(laboratory: Laboratory) -> None:
    box = laboratory.workshop.make()
    try:
        laboratory.put(box, "p.py", b"kept = []\nwhile True: kept.append(bytearray(1 << 20))\n")
        finished = laboratory.attack_in(box, "/usr/bin/python3", "/app/p.py", limits=LIMITS)
        assert finished.status is RunStatus.MLE
    finally:
        box.close()


def test_memory_that_an_earlier_run_left_is_not_forgiven_to_a_later_one(laboratory: Laboratory) -> None:
    limits = replace(LIMITS, memory_bytes=64 * MB)
    box = laboratory.workshop.make()
    try:
        laboratory.put(box, "cycle", laboratory.c(CYCLE, "-static"), executable=True)
        for _ in range(3):
            laboratory.run(box, "/app/cycle", "48", "1", limits=limits)
        finished = laboratory.run(box, "/app/cycle", "0", "90", limits=limits)
        assert finished.status is RunStatus.MLE, finished
    finally:
        box.close()


def test_what_a_run_left_does_not_cost_the_next_its_memory(laboratory: Laboratory) -> None:
    limits = replace(LIMITS, memory_bytes=64 * MB)
    box = laboratory.workshop.make()
    try:
        laboratory.put(box, "cycle", laboratory.c(CYCLE, "-static"), executable=True)
        for _ in range(3):
            left = laboratory.run(box, "/app/cycle", "48", "1", limits=limits)
            assert (left.status, left.result.peak_bytes >= 48 * MB) == (RunStatus.OK, True)
            after = laboratory.run(box, "/app/cycle", "0", "40", limits=limits)
            assert (after.status, after.result.peak_bytes < 45 * MB) == (RunStatus.OK, True), after
    finally:
        box.close()


def test_files_that_are_kept_for_the_next_run_count_there_too(laboratory: Laboratory) -> None:
    box = laboratory.workshop.make()
    try:
        laboratory.run(box, "/bin/dd", "if=/dev/zero", "of=f", "bs=1M", "count=30", limits=LIMITS)
        after = laboratory.run(box, "/bin/true", limits=LIMITS, keep_scratch=True)
        assert 30 * MB <= after.result.peak_bytes < 36 * MB
        laboratory.put(box, "cycle", laboratory.c(CYCLE, "-static"), executable=True)
        laboratory.run(box, "/bin/dd", "if=/dev/zero", "of=f", "bs=1M", "count=30", limits=LIMITS)
        full = laboratory.run(box, "/app/cycle", "0", "30", limits=LIMITS, keep_scratch=True)
        assert full.status is RunStatus.MLE
    finally:
        box.close()
