"""System calls of aarch64 by number: those of x86_64, without those that a newer one replaced."""

from typing import Final

AUDIT_ARCH: Final = 0xC00000B7

_FILES: Final = {
    "getxattr": 8, "lgetxattr": 9, "fgetxattr": 10, "listxattr": 11, "llistxattr": 12, "flistxattr": 13,
    "getcwd": 17, "dup": 23, "dup3": 24, "mknodat": 33, "mkdirat": 34, "unlinkat": 35, "symlinkat": 36,
    "linkat": 37, "renameat": 38, "statfs": 43, "fstatfs": 44, "truncate": 45, "ftruncate": 46,
    "fallocate": 47, "faccessat": 48, "chdir": 49, "fchdir": 50, "fchmod": 52, "fchmodat": 53,
    "fchownat": 54, "fchown": 55, "openat": 56, "close": 57, "pipe2": 59, "getdents64": 61, "lseek": 62,
    "read": 63, "write": 64, "readv": 65, "writev": 66, "pread64": 67, "pwrite64": 68, "preadv": 69,
    "pwritev": 70, "sendfile": 71, "vmsplice": 75, "splice": 76, "tee": 77, "readlinkat": 78,
    "newfstatat": 79, "fstat": 80, "fsync": 82, "fdatasync": 83, "sync_file_range": 84, "utimensat": 88,
    "umask": 166, "readahead": 213, "fadvise64": 223, "renameat2": 276, "copy_file_range": 285,
    "preadv2": 286, "pwritev2": 287, "statx": 291, "close_range": 436, "faccessat2": 439,
}  # fmt: skip

_MEMORY: Final = {
    "brk": 214, "munmap": 215, "mremap": 216, "mprotect": 226, "msync": 227, "mlock": 228, "munlock": 229,
    "mlockall": 230, "munlockall": 231, "mincore": 232, "madvise": 233, "get_mempolicy": 236,
    "membarrier": 283, "mlock2": 284, "pkey_mprotect": 288, "pkey_alloc": 289, "pkey_free": 290,
}  # fmt: skip

_WAITING: Final = {
    "eventfd2": 19, "epoll_create1": 20, "epoll_ctl": 21, "epoll_pwait": 22, "pselect6": 72, "ppoll": 73,
    "signalfd4": 74, "timerfd_create": 85, "timerfd_settime": 86, "timerfd_gettime": 87, "futex": 98,
    "set_robust_list": 99, "get_robust_list": 100, "nanosleep": 101, "getitimer": 102, "setitimer": 103,
    "timer_create": 107, "timer_gettime": 108, "timer_getoverrun": 109, "timer_settime": 110,
    "timer_delete": 111, "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115, "times": 153,
    "gettimeofday": 169, "epoll_pwait2": 441, "futex_waitv": 449,
}  # fmt: skip

_PROCESSES: Final = {
    "capget": 90, "exit": 93, "exit_group": 94, "waitid": 95, "set_tid_address": 96,
    "sched_getscheduler": 120, "sched_getparam": 121, "sched_getaffinity": 123, "sched_yield": 124,
    "sched_get_priority_max": 125, "sched_get_priority_min": 126, "sched_rr_get_interval": 127,
    "restart_syscall": 128, "kill": 129, "tkill": 130, "tgkill": 131, "sigaltstack": 132,
    "rt_sigsuspend": 133, "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigpending": 136,
    "rt_sigtimedwait": 137, "rt_sigqueueinfo": 138, "rt_sigreturn": 139, "getpriority": 141,
    "setresuid": 147, "getresuid": 148, "setresgid": 149, "getresgid": 150, "setpgid": 154, "getpgid": 155,
    "getsid": 156, "setsid": 157, "getgroups": 158, "uname": 160, "getrlimit": 163, "getrusage": 165,
    "prctl": 167, "getcpu": 168, "getpid": 172, "getppid": 173, "getuid": 174, "geteuid": 175,
    "getgid": 176, "getegid": 177, "gettid": 178, "sysinfo": 179, "execve": 221, "rt_tgsigqueueinfo": 240,
    "wait4": 260, "sched_getattr": 275, "getrandom": 278, "execveat": 281, "rseq": 293,
    "pidfd_send_signal": 424, "pidfd_open": 434,
}  # fmt: skip

# The far end of a pair can only be held by the same box: socket() itself stays refused.
_PAIRS: Final = {
    "getsockname": 204, "getpeername": 205, "sendto": 206, "recvfrom": 207, "setsockopt": 208,
    "getsockopt": 209, "shutdown": 210, "sendmsg": 211, "recvmsg": 212,
}  # fmt: skip

ALLOWED: Final[dict[str, int]] = _FILES | _MEMORY | _WAITING | _PROCESSES | _PAIRS

DECIDED: Final = {
    "fcntl": 25, "ioctl": 29, "flock": 32, "personality": 92, "sched_setscheduler": 119, "setpriority": 140,
    "socketpair": 199, "clone": 220, "mmap": 222, "prlimit64": 261, "seccomp": 277, "memfd_create": 279,
}  # fmt: skip

LAST_OLD: Final = 293
