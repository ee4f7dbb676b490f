"""Programs that multiply, hide or outlive their parent."""

import pytest

from deepoj_sandbox.request import SandboxLimits
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Laboratory

FORK_BOMB = """
#include <unistd.h>
int main(void) { for (;;) fork(); }
"""
THREAD_BOMB = """
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *sleeper(void *unused) { pause(); return 0; }
int main(void) {
    pthread_t thread;
    int made = 0;
    while (made < 100000 && !pthread_create(&thread, 0, sleeper, 0)) made++;
    printf("%d\\n", made);
    fflush(stdout);
    _exit(0);
}
"""
FORK_COUNT = """
#include <stdio.h>
#include <unistd.h>
int main(void) {
    int made = 0;
    for (int i = 0; i < 1000; i++) {
        int child = fork();
        if (child == 0) { pause(); _exit(0); }
        if (child > 0) made++;
    }
    printf("%d\\n", made);
    return 0;
}
"""
DAEMON = """
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
int main(void) {
    if (fork()) { usleep(50000); return 0; }
    setsid();
    if (fork()) _exit(0);
    signal(SIGTERM, SIG_IGN); signal(SIGHUP, SIG_IGN);
    close(0); close(1); close(2);
    for (;;) { int f = open("alive", O_CREAT | O_WRONLY, 0600); if (f >= 0) close(f); usleep(1000); }
}
"""
ORPHAN = """
#include <time.h>
#include <unistd.h>
static double used(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
int main(void) {
    int done[2];
    char byte;
    pipe(done);
    if (fork()) { read(done[0], &byte, 1); return 0; }
    if (fork()) _exit(0);
    while (used() < 0.3) ;
    write(done[1], "x", 1);
    pause();
}
"""
KILL_ALL = """
#include <signal.h>
#include <stdio.h>
#include <sys/types.h>
int main(void) {
    for (int number = 1; number < 65; number++) kill(1, number);
    for (int pid = 2; pid < 40000; pid++) if (pid != getpid()) kill(pid, SIGKILL);
    kill(-1, SIGKILL);
    printf("survived\\n");
    return 0;
}
"""
STOP_SELF = "#include <signal.h>\nint main(void) { raise(SIGSTOP); return 0; }"
STUBBORN = """
#include <signal.h>
int main(void) {
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    for (;;) ;
}
"""
SIGCHLD_FLOOD = """
#include <signal.h>
#include <unistd.h>
int main(void) {
    fork();
    for (;;) { kill(1, SIGCHLD); for (volatile int i = 0; i < 100; i++) ; }
}
"""
SLEEPY_FLOOD = """
#include <signal.h>
#include <unistd.h>
int main(void) { for (;;) { kill(1, SIGCHLD); usleep(100); } }
"""
PTHREAD = ("-static", "-pthread")


def test_fork_bomb_ends_at_the_cpu_limit_of_the_whole_box(laboratory: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=400, wall_ms=30_000, processes=24)
    finished = laboratory.attack(laboratory.c(FORK_BOMB, "-static"), limits=limits)
    assert finished.status is RunStatus.TLE
    assert finished.result.cpu_ms < 8000, "CPU of every process counts against the one limit"


@pytest.mark.parametrize("source", [THREAD_BOMB, FORK_COUNT])
def test_processes_and_threads_are_counted_together(laboratory: Laboratory, source: str) -> None:
    limits = SandboxLimits(cpu_ms=2000, wall_ms=8000, processes=24)
    finished = laboratory.attack(laboratory.c(source, *PTHREAD), limits=limits)
    assert finished.status is RunStatus.OK
    assert int(finished.stdout) == 23


def test_a_daemon_dies_with_its_run(laboratory: Laboratory) -> None:
    finished = laboratory.attack(laboratory.c(DAEMON, "-static"))
    assert finished.status is RunStatus.OK


def test_cpu_of_an_orphan_is_counted(laboratory: Laboratory) -> None:
    finished = laboratory.attack(laboratory.c(ORPHAN, "-static"))
    assert finished.status is RunStatus.OK
    assert 300 <= finished.result.cpu_ms < 3000


def test_an_orphan_counts_against_the_cpu_limit(laboratory: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=100, wall_ms=30_000)
    assert laboratory.attack(laboratory.c(ORPHAN, "-static"), limits=limits).status is RunStatus.TLE


def test_no_signal_reaches_the_keeper_or_another_box(laboratory: Laboratory) -> None:
    neighbour = laboratory.workshop.make()
    try:
        finished = laboratory.attack(laboratory.c("#include <unistd.h>\n" + KILL_ALL, "-static"))
        assert finished.stdout == b"survived\n"
        assert laboratory.run(neighbour, "/bin/true").status is RunStatus.OK
    finally:
        neighbour.close()


def test_a_program_that_stops_itself_ends_at_the_wall_limit(laboratory: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=1000, wall_ms=300)
    finished = laboratory.attack(laboratory.c(STOP_SELF, "-static"), limits=limits)
    assert finished.status is RunStatus.WALL_TLE


def test_ignoring_every_signal_does_not_help(laboratory: Laboratory) -> None:
    finished = laboratory.attack(
        laboratory.c(STUBBORN, "-static"), limits=SandboxLimits(cpu_ms=200, wall_ms=30_000)
    )
    assert (finished.status, finished.result.signal) == (RunStatus.TLE, 9)


def test_keeping_the_keeper_awake_does_not_suspend_limits(laboratory: Laboratory) -> None:
    busy = laboratory.attack(
        laboratory.c(SIGCHLD_FLOOD, "-static"), limits=SandboxLimits(cpu_ms=300, wall_ms=30_000)
    )
    assert busy.status is RunStatus.TLE
    assert busy.result.cpu_ms < 8000
    idle = laboratory.attack(
        laboratory.c(SLEEPY_FLOOD, "-static"), limits=SandboxLimits(cpu_ms=5000, wall_ms=500)
    )
    assert idle.status is RunStatus.WALL_TLE
    assert idle.result.wall_ms < 30_000


def test_python_cannot_outlive_its_run(laboratory: Laboratory) -> None:
    box = laboratory.workshop.make()
    program = (
        b"import os, time\n"
        b"for _ in range(8):\n"
        b"    if os.fork() == 0:\n"
        b"        os.setsid()\n"
        b"        while True: time.sleep(0.01)\n"
    )
    try:
        laboratory.put(box, "p.py", program)
        assert laboratory.attack_in(box, "/usr/bin/python3", "/app/p.py").status is RunStatus.OK
    finally:
        box.close()
