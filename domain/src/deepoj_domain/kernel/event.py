"""The base of all domain events. `deepoj_domain.events` maps every versioned name to its type.

An event carries no id and no trace: both belong to the envelope (the outbox row). It carries no source
code, token or personal data either, because it travels through Redis. A shape that changes needs a new
version, and with it a new type.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from deepoj_domain.kernel.clock import require_utc


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainEvent:
    name: ClassVar[str]
    """`<aggregate>.<what happened>.v<version>`."""

    occurred_at: datetime

    def __post_init__(self) -> None:
        require_utc(self.occurred_at)
