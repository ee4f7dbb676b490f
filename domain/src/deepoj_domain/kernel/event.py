"""Domain events and the one registry that maps a versioned name to its type.

An event carries no id and no trace: both belong to the envelope (the outbox row). It carries no source
code, token or personal data either, because it travels through Redis.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from re import compile as pattern
from types import MappingProxyType
from typing import ClassVar, TypeVar

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.errors import BrokenInvariantError

_NAME = pattern(r"[a-z]+\.[a-z_]+\.v[1-9][0-9]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainEvent:
    name: ClassVar[str]

    occurred_at: datetime

    def __post_init__(self) -> None:
        require_utc(self.occurred_at)


EventT = TypeVar("EventT", bound=DomainEvent)

_registered: dict[str, type[DomainEvent]] = {}


def event(name: str) -> Callable[[type[EventT]], type[EventT]]:
    """Class decorator: gives the event its versioned name. A shape that changes needs a new version."""
    if not _NAME.fullmatch(name):
        raise BrokenInvariantError(f"event name {name!r} is not <aggregate>.<what>.v<number>")

    def register(event_type: type[EventT]) -> type[EventT]:
        if name in _registered:
            raise BrokenInvariantError(f"two events are named {name!r}")
        event_type.name = name
        _registered[name] = event_type
        return event_type

    return register


def registered_events() -> Mapping[str, type[DomainEvent]]:
    """Every event whose module is imported; `deepoj_domain.events` imports them all."""
    return MappingProxyType(_registered)
