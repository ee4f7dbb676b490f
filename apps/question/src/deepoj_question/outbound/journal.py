"""Every change as a log line and as a number. Ids go into the line and never onto a number (INV-6)."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from deepoj_domain.kernel.outcome import DomainEvent
from deepoj_domain.question.events import QuestionChanged
from deepoj_domain.question.question import Question
from deepoj_kit.telemetry import counter

_log = logging.getLogger(__name__)
_CHANGES = counter("question_changes", "Changes of questions", ("change",))


class TelemetryJournal:
    def changed(self, after: Question, events: Sequence[DomainEvent]) -> None:
        for event in events:
            if isinstance(event, QuestionChanged):
                _CHANGES.add(change=event.change)
                _log.info("question %s: %s", after.listing.slug, event.change, extra=_fields(after, event))


def _fields(after: Question, event: QuestionChanged) -> dict[str, object]:
    return {
        "question_id": str(after.id),
        "revision": event.revision.number,
        "version": event.version,
        "change": event.change,
        "user_id": str(after.current.made_by),
    }
