"""Whether operators took this worker out of service, as a number."""

from __future__ import annotations

from deepoj_kit.telemetry import gauge

DRAINED = gauge("judge_drained", "1 while operators have this worker out of service")


class OrdersTelemetry:
    def drained(self, *, yes: bool) -> None:
        DRAINED.set(int(yes))
