"""The data directory: where things lie in it, and the lock that gives it to one `deepoj up` at a time."""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deepoj.checkout import find_checkout
from deepoj.errors import Exit, Failure
from deepoj_kit.private import private_directory

MINIMUM_FREE = 256 * 1024 * 1024
# `deepoj status` holds the lock for an instant to see whether anybody else does.
LOCK_PATIENCE = 0.5


@dataclass(frozen=True, slots=True)
class Home:
    root: Path

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def credentials(self) -> Path:
        return self.root / "credentials.json"

    @property
    def state(self) -> Path:
        return self.root / "state.json"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    def log(self, process: str) -> Path:
        return self.logs / f"{process}.log"


def default_data() -> Path:
    """DEEPOJ_DATA, else `.deepoj` in the checkout, else the user's data directory."""
    chosen = os.environ.get("DEEPOJ_DATA")
    if chosen:
        return Path(chosen)
    checkout = find_checkout()
    if checkout is not None:
        return checkout / ".deepoj"
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "deepoj"


def prepare(root: Path) -> Home:
    """Make the directory when it is missing, and refuse one that cannot be used."""
    home = Home(root.absolute())
    try:
        private_directory(home.root)
        private_directory(home.logs)
        home.lock.touch(mode=0o600)
        free = shutil.disk_usage(home.root).free
    except OSError as error:
        raise Failure(
            f"the data directory {home.root} cannot be used: {error.strerror or error}; make it "
            "yours alone (chmod 700) or choose another with --data",
            Exit.UNUSABLE,
        ) from error
    if free < MINIMUM_FREE:
        raise Failure(
            f"only {free // 2**20} MiB are free where the data directory {home.root} lies: free at least "
            f"{MINIMUM_FREE // 2**20} MiB or choose another with --data",
            Exit.UNUSABLE,
        )
    return home


@contextmanager
def locked(home: Home) -> Iterator[None]:
    with home.lock.open("r+b") as file:
        deadline = time.monotonic() + LOCK_PATIENCE
        while not _try_lock(file.fileno(), fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                raise Failure(
                    f"another deepoj up uses the data directory {home.root}: stop it with deepoj down, or "
                    "choose another directory with --data",
                    Exit.BUSY,
                )
            time.sleep(LOCK_PATIENCE / 10)
        yield


def is_running(home: Home) -> bool:
    """Say whether a `deepoj up` holds the directory; its lock goes away with it, however it ended."""
    if not home.lock.exists():
        return False
    with home.lock.open("rb") as file:
        return not _try_lock(file.fileno(), fcntl.LOCK_SH)


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
