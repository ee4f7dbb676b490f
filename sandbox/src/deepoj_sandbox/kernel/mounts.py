"""Mounts: what a box's file system is made of."""

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from deepoj_sandbox.kernel import libc

RDONLY = 0x1
NOSUID = 0x2
NODEV = 0x4
NOEXEC = 0x8
REMOUNT = 0x20
BIND = 0x1000
REC = 0x4000
PRIVATE = 0x40000
_DETACH = 2
_OCTAL = re.compile(r"\\([0-7]{3})")
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
# In a user namespace a bind keeps its source's flags locked: a remount that omits one gets EPERM. Those
# about access times stay as they are when a remount names none.
_KEEP = {os.ST_NOSUID: NOSUID, os.ST_NODEV: NODEV, os.ST_NOEXEC: NOEXEC}


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
    """Bind a tree and forbid writing, set-uid and device nodes in it and in every mount below.

    MS_BIND ignores every flag but MS_REC and a remount does one mount, so each takes a call of its own
    (mount_setattr could do them all, since Linux 5.12).
    """
    bind_tree(source, target)
    top = os.path.realpath(target)
    remount_bind(top, RDONLY | NOSUID | NODEV)
    for below in mounted():
        if below.point.startswith(top + "/"):
            # Covered by another mount: no path leads there.
            with _suppressed(errno.ENOENT, errno.EINVAL):
                remount_bind(below.point, RDONLY | NOSUID | NODEV)


class Mounted(NamedTuple):
    kind: str
    options: str
    point: str


def mounted() -> list[Mounted]:
    """Every mount of this namespace; the kernel writes odd characters of a path as three octal digits."""
    found = []
    text = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
    for line in text.removesuffix("\n").split("\n"):
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        point = _OCTAL.sub(lambda match: chr(int(match[1], 8)), before.split(" ")[4])
        found.append(Mounted(kind, options, point))
    return found


@contextlib.contextmanager
def _suppressed(*codes: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in codes:
            raise


def bind_device(source: str, target: str) -> None:
    """Bind a device node. Read-only keeps its times and mode, not what is written to the device."""
    bind(source, target)
    remount_bind(target, RDONLY | NOSUID | NOEXEC)


def bind(source: str, target: str) -> None:
    libc.call("mount", source.encode(), target.encode(), None, BIND, None)


def bind_tree(source: str, target: str) -> None:
    libc.call("mount", source.encode(), target.encode(), None, BIND | REC, None)


def detach(target: str) -> None:
    libc.call("umount2", target.encode(), _DETACH)


def remount_bind(target: str, flags: int) -> None:
    present = os.statvfs(target).f_flag
    locked = sum(flag for seen, flag in _KEEP.items() if present & seen and flag != NODEV)
    libc.call("mount", None, os.fsencode(target), None, REMOUNT | BIND | flags | locked, None)


def pivot_into(root: str) -> None:
    """Make `root` the root and drop the old one entirely.

    With both arguments "." the old root ends up stacked on the new one, from where it is detached.
    """
    os.chdir(root)
    libc.syscall(_PIVOT_ROOT[os.uname().machine], b".", b".")
    detach(".")
    os.chdir("/")
