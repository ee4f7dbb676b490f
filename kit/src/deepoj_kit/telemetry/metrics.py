"""Instruments whose label names are fixed when they are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from opentelemetry import metrics

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class _Labels:
    def __init__(self, name: str, names: Sequence[str]) -> None:
        if refused := {label for label in names if _is_per_event(label)}:
            raise ValueError(f"metric {name} may not have a label per event: {', '.join(sorted(refused))}")
        self._name = name
        self._names = frozenset(names)

    def check(self, given: dict[str, str]) -> dict[str, str]:
        if given.keys() != self._names:
            raise ValueError(f"metric {self._name} has the labels {sorted(self._names)}, not {sorted(given)}")
        return given


class Counter:
    def __init__(self, name: str, description: str, labels: Sequence[str]) -> None:
        self._labels = _Labels(name, labels)
        self._instrument = _meter().create_counter(name, description=description)

    def add(self, amount: float = 1, /, **labels: str) -> None:
        self._instrument.add(amount, self._labels.check(labels))


class Gauge:
    def __init__(self, name: str, description: str, labels: Sequence[str]) -> None:
        self._labels = _Labels(name, labels)
        self._instrument = _meter().create_gauge(name, description=description)

    def set(self, value: float, /, **labels: str) -> None:
        self._instrument.set(value, self._labels.check(labels))


class Histogram:
    def __init__(self, name: str, description: str, labels: Sequence[str], bounds: Sequence[float]) -> None:
        self._labels = _Labels(name, labels)
        self._instrument = _meter().create_histogram(
            name, description=description, explicit_bucket_boundaries_advisory=list(bounds)
        )

    def record(self, value: float, /, **labels: str) -> None:
        self._instrument.record(value, self._labels.check(labels))


def counter(name: str, description: str, labels: Sequence[str] = ()) -> Counter:
    return Counter(name, description, labels)


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
