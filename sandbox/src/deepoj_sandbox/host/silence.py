"""Noticing that all programs of a talk wait for each other.

All are asked in rounds, and a round begins when everybody has answered the one before. Who did nothing from
one round to the next did nothing while the others did nothing, however late the answers are.
"""

import math
import time
from collections.abc import Iterable

ROUNDS = 4
"""In which nothing may have happened, one after the other."""


class Silence:
    def __init__(self, idle_ms: int) -> None:
        """`idle_ms` of 0: they may wait for each other until their wall limit."""
        self._pause = idle_ms / ROUNDS / 1000 if idle_ms else math.inf
        self._due = time.monotonic() + self._pause
        self._asked: set[int] = set()
        self._moved = False
        self._still = 0

    def patience(self) -> float:
        """Return the seconds until a round is due."""
        return math.inf if self._asked else self._due - time.monotonic()

    def begin(self, places: Iterable[int]) -> None:
        """These are asked now."""
        self._asked = set(places)

    def moved(self) -> None:
        """Something happened, which is news for all."""
        self._moved = True

    def answered(self, place: int) -> None:
        """Take note that nobody waits for this one's answer any more."""
        if place not in self._asked:
            return
        self._asked.remove(place)
        if not self._asked:
            self._still = 0 if self._moved else self._still + 1
            self._moved = False
            self._due = time.monotonic() + self._pause

    def is_over(self) -> bool:
        """Say once whether nothing has happened for as long as it may."""
        if self._still < ROUNDS:
            return False
        self._still = 0
        return True
