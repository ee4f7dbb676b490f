"""One worker fills one home: two would evict what the other is using."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

_ABANDONED_SECONDS = 3600.0
# A predecessor may still be finishing what it had in hand.
_DRAINING_SECONDS = 15.0
_LOOK_SECONDS = 0.1


class HomeInUseError(Exception):
    pass


@asynccontextmanager
async def owned(home: Path, patience: float = _DRAINING_SECONDS) -> AsyncIterator[None]:
    """Hold the directory inside the block, and remove what killed owners left half made.

    The kernel lets go of the lock when the process ends, however it ends. Raise HomeInUseError when it is not
    free within `patience` seconds.
    """
    descriptor = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    deadline = time.monotonic() + patience
    try:
        while not _locked(descriptor):
            if time.monotonic() >= deadline:
                raise HomeInUseError
            await asyncio.sleep(_LOOK_SECONDS)
        _sweep(home)
        yield
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sweep(home: Path) -> None:
    for unfinished in home.glob("data/??/.*"):
        unfinished.unlink(missing_ok=True)
    # Setters on this machine make programs in the same place.
    for unfinished in home.glob("programs/.making-*"):
        if time.time() - unfinished.stat().st_mtime > _ABANDONED_SECONDS:
            shutil.rmtree(unfinished, ignore_errors=True)
