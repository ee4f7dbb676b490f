"""Noticing that nobody writes to a pipe any more, while one holds a writing end of it oneself."""

import os
import struct

from deepoj_sandbox.kernel import libc

_CLOSE_WRITE = 0x08
_EVENT = struct.Struct("=iIII")
_EVENTS_BYTES = 64 * _EVENT.size


def open_watch() -> int:
    return libc.call("inotify_init1", os.O_CLOEXEC | os.O_NONBLOCK)


def watch_closing(watch: int, descriptor: int) -> int:
    """Return the number under which the end of a writer's open file is told.

    A duplicate is no open file of its own, one opened anew by its path is.
    """
    return libc.call("inotify_add_watch", watch, f"/proc/self/fd/{descriptor}".encode(), _CLOSE_WRITE)


def closings(watch: int) -> set[int]:
    """Take what was told since the last call."""
    try:
        told = os.read(watch, _EVENTS_BYTES)
    except BlockingIOError:
        return set()
    return {number for number, *_ in _EVENT.iter_unpack(told)}
