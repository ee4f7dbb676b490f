"""The transactional outbox: write with the state, publish after the commit, relay what is left or lost."""

from deepoj_kit.outbox.guard import StreamGuard
from deepoj_kit.outbox.outbox import Outbox
from deepoj_kit.outbox.publisher import OutboxPublisher
from deepoj_kit.outbox.relay import Relay, RelayOptions
from deepoj_kit.outbox.statements import Delivered, OnDelivered, OutboxRow
from deepoj_kit.outbox.table import outbox_table

__all__ = [
    "Delivered",
    "OnDelivered",
    "Outbox",
    "OutboxPublisher",
    "OutboxRow",
    "Relay",
    "RelayOptions",
    "StreamGuard",
    "outbox_table",
]
