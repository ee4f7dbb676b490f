"""How long an event stream lives, and when it has to do something although nothing happens."""

from __future__ import annotations

import time
from dataclasses import dataclass

from deepoj_domain.kernel.network import Network


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamTerms:
    heartbeat: float
    """Seconds between signs of life on a stream without events."""
    lifetime: float
    """Seconds after which a stream ends, so that its caller proves again who they are. Clients resume."""
    most: int
    most_of_one: int
    most_of_guests: int
    """From one network: those behind it cannot be told apart."""
    exempt: tuple[Network, ...] = ()
    """Networks whose guests are not counted together."""
    look: float = 3.0
    """Seconds after which a watcher looks without an event; the view it finds may be two seconds old."""
    recheck: float = 60.0
    """Seconds between two questions whether a watcher may still see what others read for it."""


class Pulse:
    """When a stream is to show a sign of life, to look by itself, and to end."""

    __slots__ = ("_checked", "_ends", "_heartbeat", "_recheck", "_spoke", "look")

    def __init__(self, terms: StreamTerms) -> None:
        self._spoke = self._checked = time.monotonic()
        self._recheck = terms.recheck
        self._ends = self._spoke + terms.lifetime
        self._heartbeat = terms.heartbeat
        self.look = min(terms.look, terms.heartbeat)

    @property
    def over(self) -> bool:
        return time.monotonic() >= self._ends

    @property
    def due(self) -> bool:
        """Whether nothing was said for so long that something has to be."""
        return time.monotonic() - self._spoke >= self._heartbeat

    def spoke(self) -> None:
        self._spoke = time.monotonic()

    @property
    def recheck_due(self) -> bool:
        return time.monotonic() - self._checked >= self._recheck

    def rechecked(self) -> None:
        self._checked = time.monotonic()
