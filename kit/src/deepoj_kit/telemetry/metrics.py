"""Instruments whose label names are fixed when they are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Final

import prometheus_client
from opentelemetry import metrics

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
# Instruments are made at import, before a process has a page of metrics to put them on.
HISTOGRAMS: Final = prometheus_client.CollectorRegistry()


class _Labels:
    def __init__(self, name: str, names: Sequence[str]) -> None:
        if refused := {label for label in names if _is_per_event(label)}:
            raise ValueError(f"metric {name} may not have a label per event: {', '.join(sorted(refused))}")
        self.metric = name
        self.names = tuple(names)
        self._expected = frozenset(names)

    def check(self, given: dict[str, str]) -> dict[str, str]:
        if given.keys() != self._expected:
            raise ValueError(f"metric {self.metric} has the labels {sorted(self.names)}, not {sorted(given)}")
        return given


class Counter:
    """Counts here and reports when asked: the SDK makes a measurement of each addition.

    `known` are values of the labels that are shown with 0 before the first event; without labels that is
    always so. A series that begins with its first event hides this very event from a rate.
    """

    def __init__(
        self, name: str, description: str, labels: Sequence[str], known: Iterable[Sequence[str]]
    ) -> None:
        self._labels = _Labels(name, labels)
        self._totals: dict[tuple[tuple[str, str], ...], float] = {
            tuple(zip(labels, map(str, values), strict=True)): 0 for values in (known if labels else [()])
        }
        # Counted in the threads of the process and of its libraries.
        self._lock = Lock()
        _meter().create_observable_counter(name, [self._observed], description=description)

    def add(self, amount: float = 1, /, **labels: str) -> None:
        if amount < 0:
            raise ValueError("a counter only grows")
        given = self._labels.check(labels)
        key = tuple((name, given[name]) for name in self._labels.names)
        with self._lock:
            self._totals[key] = self._totals.get(key, 0) + amount

    def _observed(self, _: metrics.CallbackOptions) -> list[metrics.Observation]:
        with self._lock:
            totals = list(self._totals.items())
        return [metrics.Observation(total, dict(key)) for key, total in totals]


class Gauge:
    def __init__(self, name: str, description: str, labels: Sequence[str]) -> None:
        self._labels = _Labels(name, labels)
        self._instrument = _meter().create_gauge(name, description=description)

    def set(self, value: float, /, **labels: str) -> None:
        self._instrument.set(value, self._labels.check(labels))


class Histogram:
    """Kept by the Prometheus client: it only adds, where the SDK makes a measurement of each value."""

    def __init__(self, name: str, description: str, labels: Sequence[str], bounds: Sequence[float]) -> None:
        self._labels = _Labels(name, labels)
        self._instrument = prometheus_client.Histogram(
            name, description, labels, registry=HISTOGRAMS, buckets=tuple(bounds)
        )

    def record(self, value: float, /, **labels: str) -> None:
        given = self._labels.check(labels)
        instrument = self._instrument
        if given:
            instrument = instrument.labels(*(given[name] for name in self._labels.names))
        instrument.observe(value)


def counter(
    name: str, description: str, labels: Sequence[str] = (), *, known: Iterable[Sequence[str]] = ()
) -> Counter:
    return Counter(name, description, labels, known)


def gauge(name: str, description: str, labels: Sequence[str] = ()) -> Gauge:
    return Gauge(name, description, labels)


def histogram(
    name: str, description: str, labels: Sequence[str] = (), *, bounds: Sequence[float] = SECONDS
) -> Histogram:
    return Histogram(name, description, labels, bounds)


def _is_per_event(label: str) -> bool:
    """An identifier has as many values as there are events (INV-6): it belongs in logs and traces."""
    return label == "id" or label.endswith("_id")


def _meter() -> metrics.Meter:
    # Before the provider is set this is a proxy, so instruments may be made at import.
    return metrics.get_meter("deepoj")
