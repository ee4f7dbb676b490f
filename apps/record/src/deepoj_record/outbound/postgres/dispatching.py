"""PENDING → DISPATCHED by CAS, in the transaction that marks the message as delivered."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from deepoj_kit.outbox import Delivered
from deepoj_kit.postgres import Connection
from deepoj_kit.telemetry import counter
from deepoj_record.outbound.postgres.messages import JOB_ID

# The version stays: the move makes no difference to whoever decides about the submission at the same time.
# Ordered and locked first, so that two relays do not deadlock on common rows; a row that a worker has locked
# is being claimed and needs no mark.
DISPATCH: Final = """
UPDATE record.submissions SET status = 'DISPATCHED', updated_at = clock_timestamp()
WHERE id IN (
    SELECT id FROM record.submissions WHERE id = ANY(%s) AND status = 'PENDING'
    ORDER BY id FOR UPDATE SKIP LOCKED
) AND status = 'PENDING'
"""
_DISPATCHED = counter("record_dispatch", "PENDING → DISPATCHED, or why not", ("status", "reason"))
_log = logging.getLogger(__name__)


async def mark_dispatched(connection: Connection, delivered: Sequence[Delivered]) -> None:
    """Refused by the FROM state for those that a worker has claimed already: no failure."""
    ids = [UUID(each.row.payload[JOB_ID]) for each in delivered if ":jobs:" in each.row.stream]
    if not ids:
        return
    moved = (await connection.execute(DISPATCH, (ids,))).rowcount
    _DISPATCHED.add(moved, status="ok", reason="")
    if moved < len(ids):
        _DISPATCHED.add(len(ids) - moved, status="refused", reason="not_in_expected_state")
        _log.debug("%d of %d delivered jobs wait no more", len(ids) - moved, len(ids))
