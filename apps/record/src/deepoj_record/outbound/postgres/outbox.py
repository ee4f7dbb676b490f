"""Domain events as outbox rows: jobs for the workers, events for everybody, dead letters for admins.

Only identifiers and verdicts travel: no source code, no log, nothing personal. Who sends the rows right after
their commit depends on the process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from typing import Final

from deepoj_domain.events import EVENTS
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import DomainEvent
from deepoj_domain.streams import Streams
from deepoj_domain.submission.events import (
    SubmissionCancelled,
    SubmissionDied,
    SubmissionEvent,
    SubmissionQueued,
)
from deepoj_domain.submission.route import Band, Lane
from deepoj_kit.clock import Clock
from deepoj_kit.outbox import Outbox, OutboxPublisher, OutboxRow, Relay
from deepoj_kit.postgres import Notifier
from deepoj_kit.postgres.statements import Records
from deepoj_kit.streams import EventCodec, MaxAge, MaxLength, Retention
from deepoj_record.outbound.postgres.tables import OUTBOX, in_json

_PRIORITY: Final = {band: str(rank) for rank, band in enumerate(Band)}
JOB_ID: Final = "job_id"
_COLUMNS: Final = ("id", "stream", "payload", "headers", "created_at", "next_attempt_at")
_ROWS: Final = Records("submission_id uuid", *in_json(OUTBOX, *_COLUMNS))
# How much is kept of the streams.
_JOBS: Final = 200_000
_EVENTS: Final = MaxAge(timedelta(days=1))
_DEAD_LETTERS: Final = MaxAge(timedelta(days=7))
# A worker that is further behind, or whom one is lost to, learns of it from its next heartbeat.
_CANCELLATIONS: Final = MaxLength(1000)
# Placed in a statement whose CTE `written` lists the submissions it wrote.
SEND: Final = f"""
INSERT INTO record.outbox ({", ".join(_COLUMNS)})
SELECT {", ".join(_COLUMNS)} FROM {_ROWS.called("message")}
WHERE submission_id IN (SELECT id FROM written)
"""  # noqa: S608 — composed of constants above


@dataclass(frozen=True, slots=True)
class Message:
    submission_id: SubmissionId
    row: OutboxRow
    is_job: bool


class Messages:
    def __init__(self, outbox: Outbox, streams: Streams) -> None:
        self._outbox = outbox
        self._streams = streams
        self._codec = EventCodec(EVENTS)

    def of(self, events: Iterable[DomainEvent], traceparent: str = "") -> list[Message]:
        """`traceparent` names the trace of their submission; without one the current trace goes along."""
        found: list[Message] = []
        for event in events:
            if isinstance(event, SubmissionQueued):
                found.append(Message(event.submission.id, self._job(event, traceparent), is_job=True))
            elif isinstance(event, SubmissionEvent):
                told = self._told(event, traceparent)
                found += [Message(event.submission.id, row, is_job=False) for row in told]
            else:
                raise TypeError(f"record does not send {type(event).__name__}")
        return found

    def _job(self, event: SubmissionQueued, traceparent: str) -> OutboxRow:
        job_id = str(event.submission.id)
        fields = {
            JOB_ID: job_id,
            "enqueue_ts": str(int(event.not_before.timestamp() * 1000)),
            "payload_ref": f"record:{job_id}",
            "priority": _PRIORITY[event.band],
        }
        delay = max(timedelta(0), event.not_before - event.occurred_at)
        stream = self._streams.jobs(event.lane, event.band, event.needs)
        return self._outbox.compose(stream, fields, delay=delay, traceparent=traceparent)

    def _told(self, event: SubmissionEvent, traceparent: str) -> list[OutboxRow]:
        fields = self._codec.encode(event)
        rows = [self._outbox.compose(self._streams.submission_events, fields, traceparent=traceparent)]
        if isinstance(event, SubmissionDied):
            letter = {
                JOB_ID: str(event.submission.id),
                "reason": event.cause,
                "last_error": event.last_error,
                "attempts": str(event.attempts),
            }
            rows.append(self._outbox.compose(self._streams.dead_letters, letter, traceparent=traceparent))
        if isinstance(event, SubmissionCancelled):
            named = {JOB_ID: str(event.submission.id)}
            rows.append(self._outbox.compose(self._streams.cancellations, named, traceparent=traceparent))
        return rows


def send_parameter(messages: Sequence[Message]) -> str:
    """Return the parameter of `SEND`: each row beside the submission that has to be written with it."""
    return _ROWS.named(
        {name: getattr(message.row, name) for name in _COLUMNS} | {"submission_id": message.submission_id}
        for message in messages
    )


Publish = Callable[[Sequence[OutboxRow]], None]
"""Takes rows right after their commit; what it does not send is left to the relay."""


class PublishHere:
    """Sent by this process; rows for later are the relay's, which is told to plan for them."""

    def __init__(self, publisher: OutboxPublisher, notifier: Notifier, clock: Clock) -> None:
        self._publisher = publisher
        self._notifier = notifier
        self._clock = clock

    def __call__(self, rows: Sequence[OutboxRow]) -> None:
        self._publisher.publish(rows)
        now = self._clock()
        if any(row.publish_at > now for row in rows):
            self._notifier.notify()


class WakeRelay:
    """The relay runs in this process."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    def __call__(self, rows: Sequence[OutboxRow]) -> None:
        if rows:
            self._relay.wake.set()


class NotifyRelay:
    """The relay runs in another process."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier

    def __call__(self, rows: Sequence[OutboxRow]) -> None:
        if rows:
            self._notifier.notify()


def retention(streams: Streams) -> Mapping[str, Retention]:
    kept = MaxLength(_JOBS, parts_in=streams.job_parts)
    jobs: dict[str, Retention] = {streams.jobs(lane, band): kept for lane, band in product(Lane, Band)}
    return jobs | {
        streams.submission_events: _EVENTS,
        streams.dead_letters: _DEAD_LETTERS,
        streams.cancellations: _CANCELLATIONS,
    }
