"""Making a caller's file safe to be a program's standard input.

A program can reopen /proc/self/fd/0 with any mode the file's permissions allow. So test data must not
be writable by strangers, and what the caller passes is never passed on as it is.
"""

import fcntl
import os
import stat

from deepoj_sandbox.errors import BadRequest, SandboxError

_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
# Below this, page cache charged to the box cannot falsify its memory noticeably.
_WARM_FROM = 256 << 10
# One call reads no more than the device's read-ahead window.
_WARM_STEP = 128 << 10


def safe_stdin(descriptor: int, limit: int) -> int:
    """Return a new read-only descriptor, at offset zero, for what the caller passed."""
    state = os.fstat(descriptor)
    if stat.S_ISFIFO(state.st_mode) or _is_null(state):
        return _reopen(descriptor) if _is_null(state) else _read_end(descriptor)
    if not stat.S_ISREG(state.st_mode):
        raise BadRequest("stdin", "must be a regular file, a pipe or /dev/null")
    if state.st_size > limit:
        raise BadRequest("stdin", f"is larger than {limit} bytes")
    if state.st_mode & 0o022 and not _sealed(descriptor):
        return _sealed_copy(descriptor, state.st_size)
    if state.st_size >= _WARM_FROM:
        _warm(descriptor, state.st_size)
    return _reopen(descriptor)


def _is_null(state: os.stat_result) -> bool:
    return stat.S_ISCHR(state.st_mode) and state.st_rdev == os.makedev(1, 3)


def _read_end(descriptor: int) -> int:
    if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY:
        raise BadRequest("stdin", "must be the read end of a pipe")
    return os.dup(descriptor)


def _reopen(descriptor: int) -> int:
    return os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)


def _sealed(descriptor: int) -> bool:
    try:
        return fcntl.fcntl(descriptor, fcntl.F_GET_SEALS) & fcntl.F_SEAL_WRITE != 0
    except OSError:  # EINVAL: not a memfd
        return False


def _sealed_copy(descriptor: int, size: int) -> int:
    copy = os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        done = 0
        while done < size and (sent := os.sendfile(copy, descriptor, done, size - done)):
            done += sent
        seal(copy)
        return _reopen(copy)
    except OSError as error:
        raise SandboxError("copy stdin", error.errno or 0) from error
    finally:
        os.close(copy)


def seal(memfd: int) -> None:
    fcntl.fcntl(memfd, fcntl.F_ADD_SEALS, _SEALS)


def _warm(descriptor: int, size: int) -> None:
    """Have the page cache filled by us: it is charged to whoever touches a page first."""
    for offset in range(0, size, _WARM_STEP):
        os.posix_fadvise(descriptor, offset, _WARM_STEP, os.POSIX_FADV_WILLNEED)
