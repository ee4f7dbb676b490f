"""Who owns what on this host, so that a restart can clean up after an agent that was killed.

Every agent holds a lock on a slot file for life and writes into it what it made. The kernel drops the
lock with the process, so a slot that can be locked and is not empty belongs to the dead. Mounts and
processes need no such book: they end with the agent's factory.
"""

import errno
import fcntl
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from stat import S_ISDIR

from deepoj_sandbox.cgroups.directories import remove_tree

_SLOTS = 256
_OTHERS_WRITE = 0o022
# Above every range that systems, containers and subuid files hand out, below 2^31.
_FIRST_USER = 1_900_000_000
_USERS_PER_SLOT = 1000
# Agents with other state directories must not meet in cgroup names, and should not in users.
_TERRITORIES = 500


def default_state_directory() -> Path:
    if os.geteuid() == 0:
        return Path("/run/deepoj-sandbox")
    return Path(os.environ.get("XDG_RUNTIME_DIR", tempfile.gettempdir())) / f"deepoj-sandbox-{os.geteuid()}"


class Slot:
    """One agent's place: a number, a range of users, an empty directory to mount on."""

    def __init__(self, number: int, descriptor: int, directory: Path) -> None:
        self._number = number
        self._descriptor = descriptor
        self.directory = directory
        self._state = hashlib.sha256(str(directory.parent.resolve()).encode()).hexdigest()[:12]

    @property
    def first_user(self) -> int:
        territory = int(self._state, 16) % _TERRITORIES
        return _FIRST_USER + (territory * _SLOTS + self._number) * _USERS_PER_SLOT

    @property
    def name(self) -> str:
        return f"deepoj-{self._state}-{self._number}"

    def record(self, paths: tuple[str, ...]) -> None:
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps(paths).encode(), 0)

    def recorded(self) -> tuple[str, ...]:
        text = os.pread(self._descriptor, 1 << 16, 0)
        return tuple(json.loads(text)) if text else ()

    def release(self) -> None:
        """Give the place back; what it recorded must be gone by now."""
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)


def _try_lock(state: Path, number: int) -> Slot | None:
    path = state / f"slot-{number}.lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    directory = state / f"slot-{number}"
    directory.mkdir(mode=0o700, exist_ok=True)
    return Slot(number, descriptor, directory)


def _refuse_foreign(state: Path) -> None:
    """What a slot file names is removed, so nobody else may have written one."""
    found = state.lstat()
    if not S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & _OTHERS_WRITE:
        raise OSError(errno.EPERM, "must belong to this user, and be writable to nobody else", str(state))


def take_slot(state: Path, clean: Callable[[Path], None] = remove_tree) -> Slot:
    """Take the first free slot, cleaning up after its last owner; clean every dead slot on the way."""
    # Searchable, because an agent's socket may lie here for another user; what matters is private itself.
    state.mkdir(mode=0o711, parents=True, exist_ok=True)
    _refuse_foreign(state)
    taken: Slot | None = None
    for number in range(_SLOTS):
        if taken and not (state / f"slot-{number}.lock").exists():
            break
        slot = _try_lock(state, number)
        if slot is None:
            continue
        for path in slot.recorded():
            clean(Path(path))
        if taken:
            slot.release()
        else:
            taken = slot
    if taken is None:
        raise OSError(11, f"all {_SLOTS} slots in {state} are taken")
    taken.record(())
    return taken
