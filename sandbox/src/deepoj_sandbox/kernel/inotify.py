"""Noticing that somebody writes to a pipe, or no more, while one holds a writing end of it oneself."""

import os
import struct
from collections.abc import Iterator
from typing import NamedTuple

from deepoj_sandbox.kernel import libc

_MODIFY, _CLOSE_WRITE = 0x02, 0x08
_EVENT = struct.Struct("=iIII")
_EVENTS_BYTES = 64 * _EVENT.size


class Told(NamedTuple):
    number: int
    written: bool
    closed: bool


def open_watch() -> int:
    return libc.call("inotify_init1", os.O_CLOEXEC | os.O_NONBLOCK)


def watch_pipe(watch: int, descriptor: int, *, writes: bool = False) -> int:
    """Return the number under which the end of a writer's open file is told, and each of its `writes`.

    A duplicate is no open file of its own, one opened anew by its path is. A second call for the same pipe
    takes the place of the first.
    """
    kinds = _CLOSE_WRITE | _MODIFY if writes else _CLOSE_WRITE
    return libc.call("inotify_add_watch", watch, f"/proc/self/fd/{descriptor}".encode(), kinds)


def news(watch: int) -> Iterator[Told]:
    """Take what was told since the last call."""
    try:
        told = os.read(watch, _EVENTS_BYTES)
    except BlockingIOError:
        return
    for number, kinds, *_ in _EVENT.iter_unpack(told):
        yield Told(number, bool(kinds & _MODIFY), bool(kinds & _CLOSE_WRITE))
