"""The registry: every domain event by its versioned name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from deepoj_domain.account.events import AccountChanged
from deepoj_domain.kernel.outcome import DomainEvent
from deepoj_domain.question.events import QuestionChanged
from deepoj_domain.submission.events import (
    SubmissionCancelled,
    SubmissionDied,
    SubmissionJudged,
    SubmissionQueued,
    SubmissionStarted,
    SubmissionSubmitted,
    SubmissionSuperseded,
)

_TYPES: Final[tuple[type[DomainEvent], ...]] = (
    AccountChanged,
    QuestionChanged,
    SubmissionCancelled,
    SubmissionDied,
    SubmissionJudged,
    SubmissionQueued,
    SubmissionStarted,
    SubmissionSubmitted,
    SubmissionSuperseded,
)

EVENTS: Final[Mapping[str, type[DomainEvent]]] = MappingProxyType(
    {event_type.name: event_type for event_type in _TYPES}
)
