"""How a consumer reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from deepoj_kit.backoff import Backoff
from deepoj_kit.streams.permits import Permits, Unlimited


@dataclass(frozen=True, slots=True)
class ConsumerOptions:
    """Times are in seconds."""

    calls: int = 1
    """Handler calls at the same time."""
    permits: Permits = field(default_factory=Unlimited)
    """A call needs one too, and nothing is read that has none."""
    batch: int = 64
    """Entries per handler call at most; never waited for."""
    block: float = 1.0
    """Longest blocking read, so the longest wait before a stop is noticed. Below the client's time-out."""
    min_idle: float | Callable[[], float] = 75.0
    """Entries idle for longer are taken over from whoever has them: above the longest time of handling.
    A function is asked each time."""
    reclaim_interval: float = 5.0
    reclaim_count: int = 16
    favour_every: int = 16
    """Every so many reads one of the lower streams goes first, each in turn, lest one starve; 0 never."""
    forget_after: float = 3600.0
    """The names of consumers that were silent for longer and have nothing are taken out of the group."""
    drain_timeout: float = 10.0
    """Time for running handlers after a stop."""
    backoff: Backoff = field(default_factory=Backoff)
    on_acknowledged: Callable[[], None] = lambda: None
    """Called after each acknowledgement that the server has confirmed."""

    @property
    def idle_seconds(self) -> float:
        return self.min_idle() if callable(self.min_idle) else self.min_idle
