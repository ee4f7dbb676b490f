"""Who sends outbox rows right after their commit, depending on the process."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deepoj_kit.clock import Clock
from deepoj_kit.outbox import OutboxPublisher, OutboxRow, Relay
from deepoj_kit.postgres import Notifier
from deepoj_record.commands.ports import Stored
from deepoj_record.outbound.redis.changes import RedisChanges

Publish = Callable[[Sequence[OutboxRow], Sequence[Stored]], None]
"""Takes rows, and the states they tell of as far as they are known, right after their commit.

Whatever it does not send is left to the relay."""


class PublishHere:
    """Sent by this process; rows for later are the relay's, which is told to plan for them."""

    def __init__(
        self, publisher: OutboxPublisher, changes: RedisChanges, notifier: Notifier, clock: Clock
    ) -> None:
        self._publisher = publisher
        self._changes = changes
        self._notifier = notifier
        self._clock = clock

    def __call__(self, rows: Sequence[OutboxRow], written: Sequence[Stored]) -> None:
        self._changes.written(rows, written)
        self._publisher.publish(rows)
        now = self._clock()
        if any(row.publish_at > now for row in rows):
            self._notifier.notify()


class WakeRelay:
    """The relay runs in this process."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    def __call__(self, rows: Sequence[OutboxRow], written: Sequence[Stored]) -> None:  # noqa: ARG002 — nobody watches here
        if rows:
            self._relay.wake.set()


class NotifyRelay:
    """The relay runs in another process."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier

    def __call__(self, rows: Sequence[OutboxRow], written: Sequence[Stored]) -> None:  # noqa: ARG002 — nobody watches here
        if rows:
            self._notifier.notify()
