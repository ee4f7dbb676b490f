"""Run a program so that it cannot outlive the process that started it.

Executed as a script in front of the real program: `python -I launch.py PARENT SIGNAL USER -- PROGRAM ARG…`.
PARENT is the pid of the process that starts it, SIGNAL what the kernel sends when the thread that started it
ends. USER is `same`, or `nobody` to map root to an unprivileged id inside a user namespace, for servers that
refuse to run as root; files made there still belong to the user outside.
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1
CLONE_NEWUSER = 0x10000000
NOBODY = 65534


def launched(argv: tuple[str, ...], death_signal: int, user: str = "same") -> list[str]:
    """Return the command line that runs a program this way as a child of ours."""
    launch = [__file__, str(os.getpid()), str(int(death_signal)), user, "--"]
    # -S as well as -I: the launcher needs the standard library only, and starts in half the time.
    return [sys.executable, "-I", "-S", *launch, *argv]


def main() -> None:
    parent, death_signal, user, _, *argv = sys.argv[1:]
    libc = ctypes.CDLL(None, use_errno=True)
    if user == "nobody":
        _become_nobody(libc)
    _check(libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0), "prctl")
    if os.getppid() != int(parent):
        sys.exit(0)  # the parent died before the signal was armed
    os.execvp(argv[0], argv)  # noqa: S606 — argv only, no shell


def _become_nobody(libc: ctypes.CDLL) -> None:
    uid, gid = os.getuid(), os.getgid()
    _check(libc.unshare(CLONE_NEWUSER), "unshare")
    _write("/proc/self/setgroups", "deny")  # the kernel asks for this before an unprivileged gid map
    _write("/proc/self/uid_map", f"{NOBODY} {uid} 1")
    _write("/proc/self/gid_map", f"{NOBODY} {gid} 1")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123 — pathlib costs 10 ms of imports here
        file.write(text)


def _check(result: int, call: str) -> None:
    if result != 0:
        sys.exit(f"{call}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    main()
