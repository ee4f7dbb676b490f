"""How much of a stream is kept, declared where the stream is declared and applied with every append."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class MaxLength:
    """About this many entries (`MAXLEN ~`)."""

    entries: int


@dataclass(frozen=True, slots=True)
class MaxAge:
    """Entries younger than this, and some older ones (`MINID ~`)."""

    age: timedelta


Retention = MaxLength | MaxAge
