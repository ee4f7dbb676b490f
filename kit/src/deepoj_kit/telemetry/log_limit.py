"""Warnings that repeat: the first of a kind are written, the rest are counted."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final

from deepoj_kit.telemetry.metrics import counter
from deepoj_kit.telemetry.tracing import bound

WINDOW: Final = 10.0
"""Seconds."""
MOST: Final = 20
"""Lines of one kind in a window."""
_KINDS: Final = 1000
_ABOUT: Final = "job_id"
_SUPPRESSED = counter(
    "log_suppressed",
    "Warnings and errors left out because they repeat",
    ("level",),
    known=[("warning",), ("error",)],
)


@dataclass(slots=True)
class _Kind:
    since: float
    written: int = 0
    left_out: int = 0


class RepeatFilter(logging.Filter):
    """Lines are of one kind when they come from one place: the same logger, level and text before its values.

    Steps of the life of a job are told whatever happens: nothing below a warning and nothing that names a job
    is left out, nor anything critical. The first line after a window says how many were left out in it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kinds: dict[tuple[str, int, str], _Kind] = {}
        # A handler asks its filters before it takes its own lock.
        self._lock = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        if not logging.WARNING <= record.levelno < logging.CRITICAL:
            return True
        if hasattr(record, _ABOUT) or _ABOUT in bound():
            return True
        with self._lock:
            kind = self._current(record)
            if kind.written == MOST:
                kind.left_out += 1
                _SUPPRESSED.add(level=record.levelname.lower())
                return False
            kind.written += 1
            return True

    def _current(self, record: logging.LogRecord) -> _Kind:
        key, now = (record.name, record.levelno, str(record.msg)), self._clock()
        kind = self._kinds.get(key)
        if kind is not None and now - kind.since < WINDOW:
            return kind
        if kind is not None and kind.left_out:
            record.suppressed = kind.left_out
        if len(self._kinds) >= _KINDS:
            # Texts that are put together by their caller are all different, and none of them repeats.
            self._kinds.clear()
        fresh = self._kinds[key] = _Kind(now)
        return fresh
