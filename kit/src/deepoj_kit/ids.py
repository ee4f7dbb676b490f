"""UUIDv7 (RFC 9562): ids that sort by the time they were made."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from deepoj_kit.clock import Clock, system_clock

_COUNTER_BITS = 42
_TAIL_BITS = 32


class Uuid7:
    """Makes ids that only ever grow within one process, even when the clock stands still or steps back.

    Between the timestamp and a random tail sits a counter of 42 bits. A new millisecond starts it at a
    random value with the top bit clear, so at least 2**41 ids fit before the timestamp has to borrow.
    """

    def __init__(
        self, clock: Clock = system_clock, random_bits: Callable[[int], int] = secrets.randbits
    ) -> None:
        self._clock = clock
        self._random_bits = random_bits
        self._millisecond = -1
        self._counter = 0

    def __call__(self) -> UUID:
        now = _milliseconds(self._clock())
        if now > self._millisecond:
            self._millisecond = now
            self._counter = self._random_bits(_COUNTER_BITS - 1)
        elif self._counter + 1 < 1 << _COUNTER_BITS:
            self._counter += 1
        else:
            self._millisecond += 1
            self._counter = self._random_bits(_COUNTER_BITS - 1)
        return _assemble(self._millisecond, self._counter, self._random_bits(_TAIL_BITS))


def first_id_at(moment: datetime) -> UUID:
    """Return the smallest UUIDv7 of that millisecond: every id made earlier sorts before it."""
    return _assemble(_milliseconds(moment), 0, 0)


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def _assemble(milliseconds: int, counter: int, tail: int) -> UUID:
    version, variant = 7, 0b10
    high, low = divmod(counter, 1 << 30)
    return UUID(int=milliseconds << 80 | version << 76 | high << 64 | variant << 62 | low << 32 | tail)
