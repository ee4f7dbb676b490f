"""System calls of x86_64 by number."""

from typing import Final

AUDIT_ARCH: Final = 0xC000003E

_FILES: Final = {
    "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "lseek": 8,
    "pread64": 17, "pwrite64": 18, "readv": 19, "writev": 20, "access": 21, "pipe": 22, "dup": 32,
    "dup2": 33, "sendfile": 40, "fsync": 74, "fdatasync": 75, "truncate": 76,
    "ftruncate": 77, "getdents": 78, "getcwd": 79, "chdir": 80, "fchdir": 81, "rename": 82, "mkdir": 83,
    "rmdir": 84, "creat": 85, "link": 86, "unlink": 87, "symlink": 88, "readlink": 89, "chmod": 90,
    "fchmod": 91, "chown": 92, "fchown": 93, "lchown": 94, "umask": 95, "utime": 132, "mknod": 133,
    "statfs": 137, "fstatfs": 138, "readahead": 187, "getxattr": 191, "lgetxattr": 192, "fgetxattr": 193,
    "listxattr": 194, "llistxattr": 195, "flistxattr": 196, "getdents64": 217, "fadvise64": 221,
    "utimes": 235, "openat": 257, "mkdirat": 258, "mknodat": 259, "fchownat": 260, "futimesat": 261,
    "newfstatat": 262, "unlinkat": 263, "renameat": 264, "linkat": 265, "symlinkat": 266,
    "readlinkat": 267, "fchmodat": 268, "faccessat": 269, "splice": 275, "tee": 276,
    "sync_file_range": 277, "vmsplice": 278, "utimensat": 280, "fallocate": 285, "dup3": 292,
    "pipe2": 293, "preadv": 295, "pwritev": 296, "renameat2": 316, "copy_file_range": 326,
    "preadv2": 327, "pwritev2": 328, "statx": 332, "close_range": 436, "faccessat2": 439,
}  # fmt: skip

_MEMORY: Final = {
    "mprotect": 10, "munmap": 11, "brk": 12, "mremap": 25, "msync": 26, "mincore": 27,
    "madvise": 28, "mlock": 149, "munlock": 150, "mlockall": 151, "munlockall": 152,
    "get_mempolicy": 239, "membarrier": 324, "mlock2": 325, "pkey_mprotect": 329,
    "pkey_alloc": 330, "pkey_free": 331,
}  # fmt: skip

_WAITING: Final = {
    "poll": 7, "select": 23, "pause": 34, "nanosleep": 35, "getitimer": 36, "alarm": 37, "setitimer": 38,
    "gettimeofday": 96, "times": 100, "time": 201, "futex": 202, "epoll_create": 213,
    "timer_create": 222, "timer_settime": 223, "timer_gettime": 224, "timer_getoverrun": 225,
    "timer_delete": 226, "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230,
    "epoll_wait": 232, "epoll_ctl": 233, "pselect6": 270, "ppoll": 271, "set_robust_list": 273,
    "get_robust_list": 274, "epoll_pwait": 281, "signalfd": 282, "timerfd_create": 283, "eventfd": 284,
    "timerfd_settime": 286, "timerfd_gettime": 287, "signalfd4": 289, "eventfd2": 290,
    "epoll_create1": 291, "epoll_pwait2": 441, "futex_waitv": 449,
}  # fmt: skip

_PROCESSES: Final = {
    "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "sched_yield": 24, "getpid": 39,
    "fork": 57, "vfork": 58, "execve": 59, "exit": 60, "wait4": 61, "kill": 62, "uname": 63,
    "getrlimit": 97, "getrusage": 98, "sysinfo": 99, "getuid": 102, "getgid": 104, "geteuid": 107,
    "getegid": 108, "setpgid": 109, "getppid": 110, "getpgrp": 111, "setsid": 112, "getgroups": 115,
    "setresuid": 117, "getresuid": 118, "setresgid": 119, "getresgid": 120, "getpgid": 121,
    "getsid": 124, "capget": 125, "rt_sigpending": 127, "rt_sigtimedwait": 128, "rt_sigqueueinfo": 129,
    "rt_sigsuspend": 130, "sigaltstack": 131, "getpriority": 140,
    "sched_getparam": 143, "sched_getscheduler": 145,
    "sched_get_priority_max": 146, "sched_get_priority_min": 147, "sched_rr_get_interval": 148,
    "prctl": 157, "arch_prctl": 158, "gettid": 186, "tkill": 200, "sched_getaffinity": 204,
    "set_tid_address": 218, "restart_syscall": 219, "exit_group": 231, "tgkill": 234, "waitid": 247,
    "rt_tgsigqueueinfo": 297, "getcpu": 309, "sched_getattr": 315, "getrandom": 318, "execveat": 322,
    "rseq": 334, "pidfd_send_signal": 424, "pidfd_open": 434,
}  # fmt: skip

# The far end of a pair can only be held by the same box: socket() itself stays refused.
_PAIRS: Final = {
    "sendto": 44, "recvfrom": 45, "sendmsg": 46, "recvmsg": 47, "shutdown": 48, "getsockname": 51,
    "getpeername": 52, "setsockopt": 54, "getsockopt": 55,
}  # fmt: skip

ALLOWED: Final[dict[str, int]] = _FILES | _MEMORY | _WAITING | _PROCESSES | _PAIRS

# Decided by their arguments, and the one that installs the filter.
DECIDED: Final = {
    "mmap": 9, "ioctl": 16, "socketpair": 53, "clone": 56, "fcntl": 72, "flock": 73, "personality": 135,
    "setpriority": 141, "sched_setscheduler": 144, "prlimit64": 302, "seccomp": 317, "memfd_create": 319,
}  # fmt: skip

# The table was complete up to here when the oldest supported C library was written: a program expects
# ENOSYS, and falls back, only for what came later.
LAST_OLD: Final = 334
