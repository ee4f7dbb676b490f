"""Whose trace a submission belongs to. Calls come in batches, and the current trace is that of the batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from types import MappingProxyType

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_record.commands.ports import Ledger, Stored, Write

_READ: ContextVar[Mapping[SubmissionId, str]] = ContextVar("record_traces", default=MappingProxyType({}))


class TracedLedger:
    """Lets the journal know the traces of what the call at hand has read."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def load(self, ids: Sequence[SubmissionId]) -> dict[SubmissionId, Stored]:
        found = await self._ledger.load(ids)
        # Whoever lost a race reads a part of the same once more, and tells of all of them in the end.
        if not found.keys() <= _READ.get().keys():
            _READ.set({key: each.traceparent for key, each in found.items()})
        return found

    async def write(self, writes: Sequence[Write]) -> set[SubmissionId]:
        return await self._ledger.write(writes)


def trace_of(submission_id: SubmissionId | None) -> str:
    """Return the traceparent of a submission that was read; of any other the current trace is its own."""
    return _READ.get().get(submission_id, "") if submission_id is not None else ""
