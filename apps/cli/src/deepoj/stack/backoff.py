"""How long to wait before a process that stopped is started again."""

from __future__ import annotations

from dataclasses import dataclass

FIRST = 0.2
LONGEST = 30.0
HEALTHY_AFTER = 10.0


@dataclass(slots=True)
class BackOff:
    """Doubles from one failure to the next; a process that was ready for a while starts over."""

    failures: int = 0

    def after(self, ready_for: float) -> float:
        if ready_for >= HEALTHY_AFTER:
            self.failures = 0
        delay: float = min(FIRST * 2**self.failures, LONGEST)
        self.failures += 1
        return delay
