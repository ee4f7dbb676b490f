"""Mounts: what a box's file system is made of."""

import os

from deepoj_sandbox.kernel import libc

RDONLY = 0x1
NOSUID = 0x2
NODEV = 0x4
NOEXEC = 0x8
REMOUNT = 0x20
NOATIME = 0x400
BIND = 0x1000
REC = 0x4000
PRIVATE = 0x40000
_DETACH = 2
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
# In a user namespace a bind keeps its source's flags locked: a remount that omits one gets EPERM.
_KEEP = {os.ST_NOSUID: NOSUID, os.ST_NODEV: NODEV, os.ST_NOEXEC: NOEXEC, os.ST_NOATIME: NOATIME}


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    libc.call("mount", source.encode(), target.encode(), kind.encode(), flags, data.encode() or None)


def make_private() -> None:
    libc.call("mount", b"none", b"/", None, REC | PRIVATE, None)


def tmpfs(target: str, size: int, inodes: int, mode: int) -> None:
    mount("tmpfs", target, "tmpfs", NOSUID | NODEV, f"size={size},nr_inodes={inodes},mode={mode:o}")


def tmpfs_for_programs(target: str, size: int, inodes: int, mode: int) -> None:
    """A tmpfs whose files lie in large pages where the kernel can: programs start faster from these."""
    options = f"size={size},nr_inodes={inodes},mode={mode:o}"
    try:
        mount("tmpfs", target, "tmpfs", NOSUID | NODEV, f"{options},huge=within_size")
    except OSError:  # EINVAL: built without transparent huge pages
        mount("tmpfs", target, "tmpfs", NOSUID | NODEV, options)


def bind_read_only(source: str, target: str) -> None:
    """Bind a tree and forbid writing, set-uid and device nodes in it.

    MS_BIND ignores every flag but MS_REC, so the restriction takes a second call.
    """
    bind_tree(source, target)
    remount_bind(target, RDONLY | NOSUID | NODEV)


def bind_device(source: str, target: str) -> None:
    bind(source, target)
    remount_bind(target, NOSUID | NOEXEC)


def bind(source: str, target: str) -> None:
    libc.call("mount", source.encode(), target.encode(), None, BIND, None)


def bind_tree(source: str, target: str) -> None:
    libc.call("mount", source.encode(), target.encode(), None, BIND | REC, None)


def detach(target: str) -> None:
    libc.call("umount2", target.encode(), _DETACH)


def remount_bind(target: str, flags: int) -> None:
    present = os.statvfs(target).f_flag
    locked = sum(flag for seen, flag in _KEEP.items() if present & seen and flag != NODEV)
    libc.call("mount", None, target.encode(), None, REMOUNT | BIND | flags | locked, None)


def pivot_into(root: str) -> None:
    """Make `root` the root and drop the old one entirely.

    With both arguments "." the old root ends up stacked on the new one, from where it is detached.
    """
    os.chdir(root)
    libc.syscall(_PIVOT_ROOT[os.uname().machine], b".", b".")
    detach(".")
    os.chdir("/")
