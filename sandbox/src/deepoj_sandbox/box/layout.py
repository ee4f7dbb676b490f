"""The file system every box starts from: built once by the factory, shared read-only by all boxes."""

import os
import shutil
from pathlib import Path

from deepoj_sandbox.box.wire import Blueprint
from deepoj_sandbox.kernel import mounts

APP = "/app"
WORK = "/box"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# What compilers and runtimes below /usr read outside of it.
_CONFIGURATION = (
    "/etc/alternatives", "/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk",
    "/etc/mono", "/var/lib/ghc",
)  # fmt: skip
_COPIES = ("/etc/ld.so.cache",)
_DEVICES = ("null", "zero", "full", "random", "urandom")
_LINKS = {
    "dev/fd": "/proc/self/fd",
    "dev/stdin": "/proc/self/fd/0",
    "dev/stdout": "/proc/self/fd/1",
    "dev/stderr": "/proc/self/fd/2",
    # One directory under three names: one size limit, one inode limit, one place to wipe.
    "dev/shm": WORK,
    "tmp": WORK,
}
_ACCOUNTS = "root:x:0:0::/:/bin/false\nbox:x:1000:1000::/box:/bin/false\n"
# In a user namespace the kernel lets proc be mounted only where a whole one is visible already.
_HOST_PROC = "/host-proc"
_ROOT_BYTES = 16 << 20
_ROOT_INODES = 4096


def build_root(staging: str, toolchains: tuple[str, ...], *, rootless: bool) -> None:
    """Assemble the root at `staging` and make it the root of this mount namespace."""
    root = Path(staging)
    mounts.make_private()
    mounts.tmpfs(staging, _ROOT_BYTES, _ROOT_INODES, 0o755)
    for path in (*_SYSTEM, *_CONFIGURATION):
        _provide(staging, Path(path), path)
    for toolchain in toolchains:
        outside, _, inside = toolchain.partition("=")
        _provide(staging, Path(outside), inside or outside)
    for path in _COPIES:
        if Path(path).is_file():
            shutil.copyfile(path, staging + path)
    (root / "dev").mkdir()
    for name in _DEVICES:
        (root / "dev" / name).touch()
        mounts.bind_device(f"/dev/{name}", f"{staging}/dev/{name}")
    for name, target in _LINKS.items():
        (root / name).symlink_to(target)
    for path in ("/proc", APP, WORK):
        Path(staging + path).mkdir()
    if rootless:
        Path(staging + _HOST_PROC).mkdir()
        mounts.bind_tree("/proc", staging + _HOST_PROC)
    (root / "etc/passwd").write_text(_ACCOUNTS)
    mounts.pivot_into(staging)
    mounts.remount_bind("/", mounts.RDONLY | mounts.NOSUID | mounts.NODEV)


def _provide(staging: str, path: Path, inside: str) -> None:
    """Show one host path read-only; merged-/usr links stay links, and what is absent stays absent."""
    target = Path(staging + inside)
    if path.is_symlink() and str(path) in _SYSTEM:
        target.symlink_to(path.readlink())
    elif path.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        mounts.bind_read_only(str(path), str(target))


def furnish(blueprint: Blueprint, *, rootless: bool) -> tuple[int, int]:
    """Mount a box's own parts over the shared root; return writable directories for the host."""
    # `gid` lets the keeper see the processes hidepid hides from everybody else; `subset=pid` leaves out
    # /proc/sys, kallsyms, sysrq-trigger and all else that is not a process.
    flags = mounts.RDONLY | mounts.NOSUID | mounts.NODEV | mounts.NOEXEC
    group = f",gid={blueprint.keeper}" if not rootless else ""
    mounts.mount("proc", "/proc", "proc", flags, f"hidepid=2,subset=pid{group}")
    if rootless:
        mounts.detach(_HOST_PROC)
    mounts.tmpfs(WORK, blueprint.scratch_bytes, blueprint.scratch_inodes, 0o1777)
    mounts.tmpfs_for_programs(APP, blueprint.app_bytes, _ROOT_INODES, 0o755)
    directory = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    app, work = os.open(APP, directory), os.open(WORK, directory)
    # The host keeps the writable mount through its descriptor; the box sees a read-only one above it.
    mounts.bind(APP, APP)
    mounts.remount_bind(APP, mounts.RDONLY | mounts.NOSUID | mounts.NODEV)
    return app, work
