"""The numbers of canaries."""

from __future__ import annotations

import time

from deepoj_kit.telemetry import counter, gauge

CANARIES = counter("judge_canary", "Canaries judged by this worker", ("language", "outcome"))
PACE = gauge("judge_canary_drift", "CPU time of a canary as a multiple of its baseline", ("language",))
HELD_BACK = gauge("judge_held_back", "1 while this worker takes no jobs because of its canaries")
LAST_ROUND = gauge("judge_canary_timestamp_seconds", "When all canaries were last heard, since 1970")


class CanaryTelemetry:
    def __init__(self) -> None:
        HELD_BACK.set(0)

    def heard(self, language: str, outcome: str) -> None:
        CANARIES.add(language=language, outcome=outcome)

    def pace(self, language: str, ratio: float) -> None:
        PACE.set(ratio, language=language)

    def held_back(self, *, yes: bool) -> None:
        HELD_BACK.set(int(yes))

    def round_done(self) -> None:
        LAST_ROUND.set(time.time())
