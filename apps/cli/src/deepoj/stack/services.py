"""The services as data: what each is given, so that no process holds a credential it has no use for."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from enum import Enum, auto


class Store(Enum):
    POSTGRES = auto()
    REDIS = auto()
    S3 = auto()


SERVER_STAGE = 0


@dataclass(frozen=True, slots=True)
class Service:
    name: str
    stage: int
    """Stages stop from the highest down: who calls stops before who is called."""
    stores: frozenset[Store]
    calls: tuple[str, ...] = ()
    serves_http: bool = False
    """It listens on the public address instead of a unix socket."""
    argv: tuple[str, ...] = field(default=())
    settings: tuple[tuple[str, str], ...] = ()
    """What differs from the service's own defaults on one machine; the operator's variables win."""

    def command(self) -> tuple[str, ...]:
        return self.argv or (sys.executable, "-m", f"deepoj_{self.name}", "serve")


_DATABASE = frozenset({Store.POSTGRES, Store.REDIS})
_ALL = frozenset(Store)

SERVICES = (
    Service("record", 1, _DATABASE, calls=("question", "game")),
    Service("question", 1, _ALL),
    Service("game", 1, _DATABASE, calls=("record", "question", "user")),
    Service("user", 1, _DATABASE),
    Service("judgement", 2, _ALL, calls=("record", "question"), settings=(("SHARED_MACHINE", "true"),)),
    Service(
        "bff",
        3,
        frozenset({Store.REDIS}),
        calls=("record", "judgement", "question", "game", "user"),
        serves_http=True,
    ),
)
