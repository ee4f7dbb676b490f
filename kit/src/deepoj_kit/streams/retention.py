"""How much of a stream is kept, declared where the stream is declared and applied with every append."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class MaxLength:
    """About this many entries (`MAXLEN ~`)."""

    entries: int
    parts_in: str = ""
    """The set that names the parts of the stream: `stream:part`, each kept as the stream is."""


@dataclass(frozen=True, slots=True)
class MaxAge:
    """Entries younger than this, and some older ones (`MINID ~`)."""

    age: timedelta


Retention = MaxLength | MaxAge


def retention_of(stream: str, declared: Mapping[str, Retention]) -> tuple[Retention | None, str]:
    """Return how much of it is kept, and the set that has to name it or nothing."""
    whole = declared.get(stream.rpartition(":")[0])
    if stream not in declared and isinstance(whole, MaxLength) and whole.parts_in:
        return whole, whole.parts_in
    return declared.get(stream), ""
