"""The services as data: what each is given, so that no process holds a credential it has no use for."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto


class Store(Enum):
    POSTGRES = auto()
    REDIS = auto()
    S3 = auto()


SERVER_STAGE = 0
SERVE = "serve"


@dataclass(frozen=True, slots=True)
class Service:
    app: str
    stage: int
    """Stages stop from the highest down: who calls stops before who is called."""
    stores: frozenset[Store]
    calls: tuple[str, ...] = ()
    serves_http: bool = False
    """The service listens on the public address instead of a unix socket."""
    role: str = SERVE
    settings: Mapping[str, str] = field(default_factory=dict)
    """What this stack sets unless the operator does; `{data}` stands for the data directory."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Settings whose path the operator is told, with what is to be found there."""
    argv: tuple[str, ...] = field(default=())
    """The program, when it is another than the package of the app."""

    @property
    def name(self) -> str:
        """The name of the process."""
        return self.app if self.role == SERVE else f"{self.app}-{self.role}"

    @property
    def package(self) -> str:
        return f"deepoj_{self.app}"

    def command(self) -> tuple[str, ...]:
        return self.argv or (sys.executable, "-m", self.package, self.role)


_DATABASE = frozenset({Store.POSTGRES, Store.REDIS})
_ALL = frozenset(Store)
_ASKED_BY_RECORD = ("question", "game", "judgement")

SERVICES = (
    Service("record", 1, _ALL, calls=_ASKED_BY_RECORD),
    Service("record", 1, _DATABASE, calls=_ASKED_BY_RECORD, role="relay"),
    Service("question", 1, _ALL, calls=("game", "record")),
    Service("game", 1, _DATABASE, calls=("record", "question")),
    Service(
        "user",
        1,
        _DATABASE,
        settings={"MAIL_OUTBOX": "{data}/mail", "FIRST_ADMIN_FILE": "{data}/first-admin.json"},
        places={"FIRST_ADMIN_FILE": "name and password of the first admin", "MAIL_OUTBOX": "mail to users"},
    ),
    Service(
        "judgement",
        2,
        _ALL,
        calls=("record", "question"),
        # Judging with every core would slow the services on this machine threefold.
        settings={"SHARED_MACHINE": "true", "HOME": "{data}/judgement"},
    ),
    Service(
        "bff",
        3,
        frozenset({Store.REDIS}),
        calls=("record", "judgement", "question", "game", "user"),
        serves_http=True,
    ),
)

# Whoever reaches a loopback address is on this machine; others have to prove an address, or be let in.
_OPEN = {"user": {"REGISTRATION": "open"}}
_DEMO = {
    "user": {"REGISTRATION": "open", "GUEST_ACCOUNTS": "true"},
    "bff": {"DEMO": "true", "START_PROBLEM": "aplusb"},
}


def with_ways_in(services: tuple[Service, ...], *, local: bool, demo: bool) -> tuple[Service, ...]:
    """Return the services told how strangers get in, unless the operator says so."""
    told = _DEMO if demo else _OPEN if local else {}
    return tuple(replace(each, settings={**each.settings, **told.get(each.app, {})}) for each in services)
