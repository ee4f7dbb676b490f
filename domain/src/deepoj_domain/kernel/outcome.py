"""What a command answers: the aggregate changed, or it refused and says why.

A refusal is an ordinary value. The caller must look at it before it can reach the new state,
and the type checker sees to that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from deepoj_domain.kernel.event import DomainEvent

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
