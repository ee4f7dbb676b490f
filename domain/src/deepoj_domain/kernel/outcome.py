"""What a command answers: the aggregate changed, with events that tell of it, or it refused and says why.

A refusal is an ordinary value. The caller must look at it before it can reach the new state,
and the type checker sees to that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Generic, TypeVar

from deepoj_domain.kernel.clock import require_utc


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainEvent:
    """The base of all domain events. `deepoj_domain.events` maps every versioned name to its type.

    An event carries no id and no trace: both belong to the envelope (the outbox row). It carries no source
    code, token or personal data either, because it travels through Redis. A shape that changes needs a new
    version, and with it a new type.
    """

    name: ClassVar[str]
    """`<aggregate>.<what happened>.v<version>`."""

    occurred_at: datetime

    def __post_init__(self) -> None:
        require_utc(self.occurred_at)


AggregateT_co = TypeVar("AggregateT_co", covariant=True)
ReasonT_co = TypeVar("ReasonT_co", bound=StrEnum, covariant=True)


@dataclass(frozen=True, slots=True)
class Changed(Generic[AggregateT_co]):
    after: AggregateT_co
    events: tuple[DomainEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused(Generic[ReasonT_co]):
    """`reason` is low-cardinality (a metric label may carry it); the rest is for the log line."""

    reason: ReasonT_co
    detail: str = ""
    facts: Mapping[str, str | int] = field(default_factory=dict, compare=False, repr=False)
    """What was asked and what was found, by the name of the field in the log."""
