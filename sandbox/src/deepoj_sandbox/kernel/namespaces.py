"""Namespaces: what a box cannot see."""

import os

from deepoj_sandbox.kernel import libc

NEWNS = 0x00020000
NEWCGROUP = 0x02000000
NEWUTS = 0x04000000
NEWIPC = 0x08000000
NEWUSER = 0x10000000
NEWPID = 0x20000000
NEWNET = 0x40000000

# Everything a box unshares itself; the pid namespace is entered by being forked into it.
BOX_FLAGS = NEWNS | NEWNET | NEWIPC | NEWUTS | NEWCGROUP


def unshare(flags: int) -> None:
    libc.call("unshare", flags)


def fork_into_new_pid_namespace(own_namespace: int) -> int:
    """Fork a child that is PID 1 of a fresh pid namespace.

    `unshare(NEWPID)` moves only future children, and a second one fails with EINVAL until the caller
    has gone back: hence the setns, which the child does not need.
    """
    unshare(NEWPID)
    try:
        child = os.fork()
    except OSError:
        libc.call("setns", own_namespace, NEWPID)
        raise
    if child:
        libc.call("setns", own_namespace, NEWPID)
    return child


def map_single_user(inside: int, user: int, group: int) -> None:
    """Give a fresh user namespace its only identity: what an unprivileged owner may write."""
    for name, text in (
        # An unprivileged gid map is refused while setgroups is possible.
        ("setgroups", "deny"),
        ("uid_map", f"{inside} {user} 1"),
        ("gid_map", f"{inside} {group} 1"),
    ):
        descriptor = os.open(f"/proc/self/{name}", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)
