"""Programs that try the system calls a contestant never needs."""

import errno
import signal

import pytest

from deepoj_sandbox.host.box import Box
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Laboratory

# Each line calls one thing and prints "name errno"; -1 stands for success.
PROBE = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#define TRY(name, call) \\
    do { errno = 0; long r = (long)(call); printf("%s %d\\n", name, r == -1 ? errno : -1); } while (0)
static char buffer[4096];
int main(void) {
    struct iovec here = {buffer, 8}, there = {(void *)0x400000, 8};
    struct timespec zero = {0, 0};
    struct timeval zero_tv = {0, 0};
    struct timex adjust = {.modes = ADJ_OFFSET};
    struct rlimit more = {1 << 20, 1 << 20};
    struct sched_param realtime = {.sched_priority = 1}, ordinary = {0};
    cpu_set_t cpus;
    CPU_ZERO(&cpus); CPU_SET(0, &cpus);
    TRY("ptrace traceme", ptrace(PTRACE_TRACEME, 0, 0, 0));
    TRY("ptrace attach", ptrace(PTRACE_ATTACH, 1, 0, 0));
    TRY("process_vm_readv", process_vm_readv(1, &here, 1, &there, 1, 0));
    TRY("process_vm_writev", process_vm_writev(1, &here, 1, &there, 1, 0));
    TRY("mount", mount("none", "/box", "tmpfs", 0, 0));
    TRY("mount proc", mount("proc", "/box", "proc", 0, 0));
    TRY("umount", umount2("/app", MNT_DETACH));
    TRY("pivot_root", syscall(SYS_pivot_root, ".", "."));
    TRY("chroot", chroot("."));
    TRY("open_tree", syscall(428, AT_FDCWD, "/", 1));
    TRY("fsopen", syscall(430, "tmpfs", 0));
    TRY("mount_setattr", syscall(442, AT_FDCWD, "/", 0, buffer, 32));
    TRY("unshare user", unshare(CLONE_NEWUSER));
    TRY("unshare net", unshare(CLONE_NEWNET));
    TRY("setns", setns(0, 0));
    TRY("clone user", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    TRY("clone pid", syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0));
    TRY("clone3", syscall(435, buffer, 64));
    TRY("socket inet", socket(AF_INET, SOCK_STREAM, 0));
    TRY("socket inet6", socket(AF_INET6, SOCK_DGRAM, 0));
    TRY("socket raw", socket(AF_INET, SOCK_RAW, 1));
    TRY("socket packet", socket(AF_PACKET, SOCK_RAW, 0));
    TRY("socket unix", socket(AF_UNIX, SOCK_STREAM, 0));
    TRY("socket netlink", socket(AF_NETLINK, SOCK_RAW, 0));
    TRY("socket vsock", socket(40, SOCK_STREAM, 0));
    TRY("socket alg", socket(38, SOCK_SEQPACKET, 0));
    TRY("socketpair inet", socketpair(AF_INET, SOCK_STREAM, 0, (int[2]){0, 0}));
    TRY("io_uring_setup", syscall(425, 8, buffer));
    TRY("io_setup", syscall(SYS_io_setup, 8, buffer));
    TRY("bpf", syscall(SYS_bpf, 0, buffer, 64));
    TRY("perf_event_open", syscall(SYS_perf_event_open, buffer, 0, -1, -1, 0));
    TRY("userfaultfd", syscall(SYS_userfaultfd, 0));
    TRY("keyctl", syscall(SYS_keyctl, 0, -3, 1));
    TRY("add_key", syscall(SYS_add_key, "user", "x", "y", 1, -3));
    TRY("request_key", syscall(SYS_request_key, "user", "x", 0, 0));
    TRY("clock_settime", clock_settime(CLOCK_REALTIME, &zero));
    TRY("settimeofday", settimeofday(&zero_tv, 0));
    TRY("adjtimex", adjtimex(&adjust));
    TRY("clock_adjtime", syscall(SYS_clock_adjtime, 0, &adjust));
    TRY("sethostname", sethostname("x", 1));
    TRY("reboot", syscall(SYS_reboot, 0, 0, 0, 0));
    TRY("swapon", syscall(SYS_swapon, "x", 0));
    TRY("init_module", syscall(SYS_init_module, buffer, 1, ""));
    TRY("finit_module", syscall(SYS_finit_module, 0, "", 0));
    TRY("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 0));
    TRY("iopl", syscall(SYS_iopl, 3));
    TRY("ioperm", syscall(SYS_ioperm, 0, 1, 1));
    TRY("modify_ldt", syscall(SYS_modify_ldt, 0, buffer, 16));
    TRY("syslog", syscall(SYS_syslog, 3, buffer, 10));
    TRY("open_by_handle_at", syscall(SYS_open_by_handle_at, 0, buffer, 0));
    TRY("name_to_handle_at", syscall(SYS_name_to_handle_at, AT_FDCWD, "/", buffer, buffer, 0));
    TRY("fanotify_init", syscall(SYS_fanotify_init, 0, 0));
    TRY("quotactl", syscall(SYS_quotactl, 0, 0, 0, 0));
    TRY("acct", syscall(SYS_acct, 0));
    TRY("kcmp", syscall(SYS_kcmp, 1, 1, 0, 0, 0));
    TRY("pidfd_getfd", syscall(438, 0, 0, 0));
    TRY("process_madvise", syscall(440, 0, &here, 1, 4, 0));
    TRY("mq_open", syscall(SYS_mq_open, "x", O_CREAT, 0600, 0));
    TRY("migrate_pages", syscall(SYS_migrate_pages, 1, 1, buffer, buffer));
    TRY("sync", (sync(), syscall(SYS_syncfs, 0)));
    TRY("sched_setaffinity", sched_setaffinity(0, sizeof cpus, &cpus));
    TRY("setrlimit", setrlimit(RLIMIT_NOFILE, &more));
    TRY("setrlimit old", syscall(SYS_setrlimit, RLIMIT_FSIZE, &more));
    TRY("prlimit secret", syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, &more, 0, 0, 0));
    TRY("personality", syscall(SYS_personality, 0x0400000));
    TRY("setuid", syscall(SYS_setuid, 0));
    TRY("setresuid", syscall(SYS_setresuid, 0, 0, 0));
    TRY("setgroups", syscall(SYS_setgroups, 0, buffer));
    TRY("realtime", sched_setscheduler(0, SCHED_FIFO, &realtime));
    TRY("nice", setpriority(PRIO_PROCESS, 0, -5));
    TRY("renice the keeper", setpriority(PRIO_PROCESS, 1, 19));
    TRY("renice the user", setpriority(PRIO_USER, 0, 19));
    TRY("renice a group", setpriority(PRIO_PGRP, 1, 19));
    TRY("idle the keeper", sched_setscheduler(1, SCHED_IDLE, &ordinary));
    TRY("mknod", syscall(SYS_mknod, "device", 0020666, 0x105));
    TRY("tiocsti", syscall(SYS_ioctl, 0, 0x5412, buffer));
    TRY("huge pages", mmap(0, 2 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0));
    TRY("shared huge pages", mmap(0, 2 << 20, PROT_READ, MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0));
    TRY("huge memfd", memfd_create("x", MFD_HUGETLB));
    TRY("huge shm", syscall(SYS_shmget, 0, 2 << 20, 04000 | 01000 | 0600));
    int file = open("/usr/bin/env", O_RDONLY), directory = open("/box", O_RDONLY);
    uint64_t hint = 2;
    TRY("dnotify", fcntl(directory, F_NOTIFY, DN_CREATE | DN_MULTISHOT));
    TRY("lease", fcntl(file, F_SETLEASE, F_RDLCK));
    TRY("write hint", fcntl(file, F_SET_RW_HINT, &hint));
    TRY("signal of a file", fcntl(1, F_SETSIG, SIGUSR1));
    TRY("owner of a file", fcntl(1, F_SETOWN, getpid()));
    return 0;
}
"""
REFUSALS = {errno.EPERM, errno.ENOSYS, errno.EACCES}
DNS = """
#include <netdb.h>
#include <stdio.h>
int main(void) {
    struct addrinfo *found;
    puts(getaddrinfo("example.org", "80", 0, &found) ? "unresolved" : "resolved");
    return 0;
}
"""
INT80 = """
int main(void) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");  /* i386 getpid */
    return 0;
}
"""
X32 = """
#include <unistd.h>
int main(void) { syscall(0x40000000 + 39); return 0; }
"""
LOWER_SELF = """
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
int main(void) {
    struct sched_param ordinary = {0};
    printf("%d", setpriority(PRIO_PROCESS, 0, 5));
    printf(" %d\\n", sched_setscheduler(0, SCHED_BATCH, &ordinary));
    return 0;
}
"""
# A lock that one open file takes must not be seen through another: the other could be another box's.
LOCKS = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>
static int shared(void) { return open("/usr/bin/env", O_RDONLY); }
int main(void) {
    struct flock read_lock = {.l_type = F_RDLCK}, asked = {.l_type = F_WRLCK}, open_asked = asked;
    int mine = shared();
    printf("%d", flock(mine, LOCK_EX));
    printf(" %d", fcntl(mine, F_SETLK, &read_lock));
    printf(" %d", fcntl(mine, F_OFD_SETLK, &read_lock));
    fflush(stdout);
    if (!fork()) {
        int other = shared();
        printf(" %d", flock(other, LOCK_EX | LOCK_NB));
        printf(" %d", fcntl(other, F_GETLK, &asked) || asked.l_type != F_UNLCK);
        printf(" %d\\n", fcntl(other, F_OFD_GETLK, &open_asked) || open_asked.l_type != F_UNLCK);
        return 0;
    }
    wait(0);
    return 0;
}
"""
LOCKING_PYTHON = b"""
import fcntl, sqlite3
with open("lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    fcntl.lockf(lock, fcntl.LOCK_EX)
base = sqlite3.connect("data.db")
base.execute("create table t (x)")
base.execute("insert into t values (7)")
base.commit()
print(base.execute("select x from t").fetchone()[0])
"""
SETUID_COPY = """
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    chmod("copy", 06755);
    execl("/usr/bin/su", "su", "-c", "id", (char *)0);
    execl("/usr/bin/id", "id", "-u", (char *)0);
    return 3;
}
"""
KILL_UNSHARE_LOOP = """
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
int main(void) {
    int granted = 0;
    for (int bit = 0; bit < 32; bit++) if (unshare(1u << bit) == 0) granted++;
    printf("%d\\n", granted);
    return 0;
}
"""


def test_privileged_and_dangerous_calls_are_refused(laboratory: Laboratory) -> None:
    finished = laboratory.attack(laboratory.c(PROBE))
    assert finished.status is RunStatus.OK, finished
    seen = dict(line.rsplit(" ", 1) for line in finished.stdout.decode().splitlines())
    assert len(seen) == PROBE.count("    TRY(")
    granted = {name: code for name, code in seen.items() if int(code) not in REFUSALS}
    assert granted == {}


def test_a_program_may_lower_its_own_priority(laboratory: Laboratory) -> None:
    finished = laboratory.attack(laboratory.c(LOWER_SELF))
    assert finished.stdout == b"0 0\n"


def test_no_flag_of_unshare_is_granted(laboratory: Laboratory) -> None:
    assert laboratory.attack(laboratory.c(KILL_UNSHARE_LOOP, "-static")).stdout == b"0\n"


def test_names_do_not_resolve(laboratory: Laboratory) -> None:
    assert laboratory.attack(laboratory.c(DNS)).stdout == b"unresolved\n"


@pytest.mark.parametrize("source", [INT80, X32], ids=["i386", "x32"])
def test_another_system_call_table_means_death(laboratory: Laboratory, source: str) -> None:
    finished = laboratory.attack(laboratory.c(source, "-static"))
    assert (finished.status, finished.result.signal) == (RunStatus.RE, signal.SIGSYS)


def test_set_uid_programs_gain_nothing(laboratory: Laboratory) -> None:
    finished = laboratory.attack(laboratory.c(SETUID_COPY, "-static"))
    assert finished.status is not RunStatus.OK or finished.stdout.strip() not in {b"0", b"root"}
    assert b"uid=0" not in finished.stdout


def test_boxes_cannot_talk_by_locks_on_files_they_share(laboratory: Laboratory) -> None:
    assert laboratory.attack(laboratory.c(LOCKS, "-static")).stdout == b"0 0 0 0 0 0\n"


def test_programs_that_lock_their_own_files_work(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "main.py", LOCKING_PYTHON)
    assert laboratory.run(box, "/usr/bin/python3", "/app/main.py").stdout == b"7\n"
