"""Counters of decisions and caches: labels are reasons and names of caches, never ids."""

from __future__ import annotations

from itertools import product

from deepoj_domain.admission.decide import AdmissionRefusal
from deepoj_kit.telemetry import counter, gauge

_ADMISSION = counter(
    "deepoj_admission",
    "Decisions on what may come in",
    ("kind", "outcome"),
    known=product(("submission", "run"), ("admitted", *AdmissionRefusal)),
)
_CACHE = counter("deepoj_cache", "Look-ups in the caches", ("cache", "outcome"))
_STREAMS = gauge("deepoj_event_streams", "Event streams open now", ("kind",))
_DROPPED = counter(
    "deepoj_event_streams_dropped", "Event streams ended because they read too slowly", ("kind",)
)


def admission(kind: str, outcome: str) -> None:
    _ADMISSION.add(kind=kind, outcome=outcome)


def cache(name: str, outcome: str) -> None:
    _CACHE.add(cache=name, outcome=outcome)


def open_streams(kind: str, number: int) -> None:
    _STREAMS.set(number, kind=kind)


def dropped_stream(kind: str) -> None:
    _DROPPED.add(kind=kind)
