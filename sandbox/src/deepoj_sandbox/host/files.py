"""Putting files into a box and taking them out, without ever following what a program planted."""

import contextlib
import os
import stat

from deepoj_sandbox.errors import BadRequest, SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.kernel import descriptors
from deepoj_sandbox.request import check_name

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL


def put(box: Box, name: str, source: int, *, executable: bool = False, into_work: bool = False) -> int:
    """Copy the file `source` into the box; return its size.

    Into /app, which the program can only read, or into the scratch directory it starts in.
    """
    parts = check_name(name).split("/")
    if not stat.S_ISREG(os.fstat(source).st_mode):
        raise BadRequest("file", "must be a regular file")
    if into_work and box.dirty:
        box.reset()
    directory = box.work if into_work else box.app
    owner = box.user if into_work and os.geteuid() == 0 else -1
    try:
        for depth in range(1, len(parts)):
            _make_directory(directory, "/".join(parts[:depth]), owner)
        target = descriptors.open_beneath(directory, name, _CREATE)
        try:
            # Not at its opening: the host's umask would take from it, and the program is another user.
            os.fchmod(target, 0o755 if executable else 0o644)
            return _copy(source, target, owner)
        finally:
            os.close(target)
    except FileExistsError:
        raise BadRequest("name", "is taken") from None
    except OSError as error:
        raise SandboxError("put file", error.errno or 0) from error


def _make_directory(root: int, path: str, owner: int) -> None:
    parent, _, last = path.rpartition("/")
    above = descriptors.open_beneath(root, parent or ".", os.O_PATH | os.O_DIRECTORY)
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(last, dir_fd=above)
            os.chmod(last, 0o755, dir_fd=above)  # noqa: S103 -- the program is another user, and only reads
            os.chown(last, owner, owner, dir_fd=above, follow_symlinks=False)
    finally:
        os.close(above)


def _copy(source: int, target: int, owner: int) -> int:
    size = os.fstat(source).st_size
    done = 0
    while done < size:
        sent = os.sendfile(target, source, done, size - done)
        if not sent:
            break
        done += sent
    os.fchown(target, owner, owner)
    return done


def listing(box: Box, limit: int = 1000) -> list[str]:
    """Names of the regular files a program left, without following anything, at most `limit`."""
    names: list[str] = []
    pending = ["."]
    while pending and len(names) < limit:
        place = pending.pop()
        try:
            directory = descriptors.open_beneath(box.work, place, os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            continue  # deeper than a path can be, or not ours to read: nothing that could be taken
        with os.scandir(directory) as entries:
            for entry in entries:
                path = entry.name if place == "." else f"{place}/{entry.name}"
                if not _nameable(path):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(path)
                elif entry.is_file(follow_symlinks=False):
                    names.append(path)
        os.close(directory)
    return sorted(names)[:limit]


def _nameable(path: str) -> bool:
    try:
        check_name(path)
    except BadRequest:
        return False
    return True


def take(box: Box, name: str, limit: int) -> bytes:
    """Read a file a program left in its scratch directory, at most `limit` bytes."""
    source = open_taken(box, name, limit)
    try:
        return os.pread(source, limit, 0)
    finally:
        os.close(source)


def open_taken(box: Box, name: str, limit: int) -> int:
    """Open a file a program left; its size is checked, and the box has no process to change it."""
    check_name(name)
    try:
        source = descriptors.open_regular(box.work, name)
    except OSError as error:
        raise BadRequest("name", f"cannot be taken: {error.strerror}") from error
    if os.fstat(source).st_size > limit:
        os.close(source)
        raise BadRequest("name", f"is larger than {limit} bytes")
    return source
