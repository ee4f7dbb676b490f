"""Where tests keep what they throw away."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MEMORY = Path("/dev/shm")  # noqa: S108 — only directories that tempfile makes
_ROOM = 4 * 1024**3


@contextmanager
def scratch_directory() -> Iterator[Path]:
    """Give a directory for a while: in memory where there is room, where copying a database costs a tenth.

    Not under pytest's own directory: the path of a unix socket ends at 107 bytes.
    """
    with tempfile.TemporaryDirectory(
        prefix="deepoj-test-", dir=_MEMORY if _has_room() else None, ignore_cleanup_errors=True
    ) as path:
        yield Path(path)


def _has_room() -> bool:
    try:
        state = os.statvfs(_MEMORY)
    except OSError:
        return False
    usable = not state.f_flag & (os.ST_RDONLY | os.ST_NOEXEC)
    return usable and state.f_bavail * state.f_frsize >= _ROOM and os.access(_MEMORY, os.W_OK)
