"""The file system every box starts from: built once by the factory, shared read-only by all boxes."""

import os
import shutil

from deepoj_sandbox.kernel import mounts

APP = "/app"
WORK = "/box"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_CONFIGURATION = ("/etc/alternatives", "/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk")
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
_ROOT_BYTES = 16 << 20
_ROOT_INODES = 4096


def build_root(staging: str, toolchains: tuple[str, ...]) -> None:
    """Assemble the root at `staging` and make it the root of this mount namespace."""
    mounts.make_private()
    mounts.tmpfs(staging, _ROOT_BYTES, _ROOT_INODES, 0o755)
    for path in (*_SYSTEM, *_CONFIGURATION):
        _provide(staging, path, path)
    for toolchain in toolchains:
        path, _, inside = toolchain.partition("=")
        _provide(staging, path, inside or path)
    for path in _COPIES:
        if os.path.isfile(path):
            shutil.copyfile(path, staging + path)
    os.makedirs(f"{staging}/dev")
    for name in _DEVICES:
        os.close(os.open(f"{staging}/dev/{name}", os.O_CREAT | os.O_WRONLY, 0o666))
        mounts.bind_device(f"/dev/{name}", f"{staging}/dev/{name}")
    for name, target in _LINKS.items():
        os.symlink(target, f"{staging}/{name}")
    for path in ("/proc", APP, WORK):
        os.mkdir(staging + path, 0o755)
    with open(f"{staging}/etc/passwd", "w", encoding="ascii") as accounts:
        accounts.write(_ACCOUNTS)
    mounts.pivot_into(staging)
    mounts.remount_bind("/", mounts.RDONLY | mounts.NOSUID | mounts.NODEV)


def _provide(staging: str, path: str, inside: str) -> None:
    """Show one host path read-only; merged-/usr links stay links, and what is absent stays absent."""
    if os.path.islink(path) and path in _SYSTEM:
        os.symlink(os.readlink(path), staging + inside)
    elif os.path.isdir(path):
        os.makedirs(staging + inside, exist_ok=True)
        mounts.bind_read_only(path, staging + inside)


def furnish(scratch_bytes: int, scratch_inodes: int, app_bytes: int, keeper_group: int) -> tuple[int, int]:
    """Mount a box's own parts over the shared root; return writable directories for the host."""
    # `gid` lets the keeper see the processes hidepid hides from everybody else; `subset=pid` leaves out
    # /proc/sys, kallsyms, sysrq-trigger and all else that is not a process.
    flags = mounts.RDONLY | mounts.NOSUID | mounts.NODEV | mounts.NOEXEC
    mounts.mount("proc", "/proc", "proc", flags, f"hidepid=2,gid={keeper_group},subset=pid")
    mounts.tmpfs(WORK, scratch_bytes, scratch_inodes, 0o1777)
    mounts.tmpfs(APP, app_bytes, _ROOT_INODES, 0o755)
    directory = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    app, work = os.open(APP, directory), os.open(WORK, directory)
    # The host keeps the writable mount through its descriptor; the box sees a read-only one above it.
    mounts.bind(APP, APP)
    mounts.remount_bind(APP, mounts.RDONLY | mounts.NOSUID | mounts.NODEV)
    return app, work
