"""Standard input of a run: a sealed copy of its own.

A program can reopen /proc/self/fd/0, lock it and mark it, and where it runs as our own user also change its
mode. So it never gets a file of the host's, but a copy without a name that ends with the run. The copy is
charged to us, not to the program: one input limit for each box at work.
"""

import fcntl
import os
import stat
from collections.abc import Callable

from deepoj_sandbox.errors import BadRequest, SandboxError

_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
_CHUNK = 1 << 16


def safe_stdin(given: int, limit: int) -> int:
    """Return a new descriptor, at offset zero, with what the caller's file holds."""
    state = os.fstat(given)
    if stat.S_ISCHR(state.st_mode) and state.st_rdev == os.makedev(1, 3):
        return stdin_of(b"", limit)
    if not stat.S_ISREG(state.st_mode):
        raise BadRequest("stdin", "must be a regular file or /dev/null")
    _check_size(state.st_size, limit)
    return _sealed(lambda offset: os.pread(given, min(state.st_size - offset, _CHUNK), offset))


def stdin_of(content: bytes, limit: int) -> int:
    """Return a new descriptor, at offset zero, with these bytes."""
    _check_size(len(content), limit)
    return _sealed(lambda offset: content[offset:])


def _check_size(size: int, limit: int) -> None:
    if size > limit:
        raise BadRequest("stdin", f"is larger than {limit} bytes")


def _sealed(part: Callable[[int], bytes]) -> int:
    try:
        copy = os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            done = 0
            while chunk := part(done):
                done += os.pwrite(copy, chunk, done)
            fcntl.fcntl(copy, fcntl.F_ADD_SEALS, _SEALS)
        except BaseException:
            os.close(copy)
            raise
    except OSError as error:
        raise SandboxError("copy stdin", error.errno or 0) from error
    return copy
