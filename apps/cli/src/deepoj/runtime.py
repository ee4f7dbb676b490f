"""The directory for unix sockets: short, private, and the same on each start of one data directory."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deepoj.errors import Exit, Failure
from deepoj.home import Home
from deepoj_kit.private import private_directory

# sun_path holds 107 bytes and a zero; PostgreSQL's `.s.PGSQL.5432.lock` is the longest name put behind it.
LONGEST_DIRECTORY = 107 - len("/.s.PGSQL.5432.lock")


@contextmanager
def runtime_directory(data: Path) -> Iterator[Path]:
    """Give an empty directory, removed afterwards. The caller holds the lock of the data directory."""
    path = runtime_path(data)
    _make_private(path)
    _empty(path)  # what a killed predecessor left
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def runtime_path(data: Path) -> Path:
    """Name it after the lock file: who has another one, made anew at the same path, has another directory.

    A number cannot be used again while a stack keeps the file open.
    """
    lock = Home(data).lock.stat()
    identity = f"{lock.st_dev} {lock.st_ino} {data.resolve()}"
    digest = hashlib.sha256(os.fsencode(identity)).hexdigest()[:12]
    name = f"deepoj-{os.geteuid()}-{digest}"
    for base in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp"):  # noqa: S108 — short and always there; made 0700 and checked
        if (
            base
            and os.access(base, os.W_OK | os.X_OK)
            and len(os.fsencode(f"{base}/{name}")) <= LONGEST_DIRECTORY
        ):
            return Path(base, name)
    raise Failure(
        "no directory for unix sockets was found that is writable and short enough: set XDG_RUNTIME_DIR to "
        f"one whose path has fewer than {LONGEST_DIRECTORY - len(name)} bytes",
        Exit.UNUSABLE,
    )


def _make_private(path: Path) -> None:
    try:
        private_directory(path)
    except OSError as error:
        raise Failure(
            f"{path} exists but is not a private directory of this user ({error.strerror}), so sockets in it "
            "could be read by others: remove it and start again",
            Exit.UNUSABLE,
        ) from error


def _empty(path: Path) -> None:
    for entry in path.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
