"""The journal knows the traces of what the call at hand has read, and of nothing older."""

from __future__ import annotations

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.testing import a_submission, uuid
from deepoj_record.commands.ports import Stored
from deepoj_record.commands.testing import MemoryLedger
from deepoj_record.outbound.traces import TracedLedger, trace_of

ONE, TWO, THREE = (SubmissionId(uuid(number)) for number in (1, 2, 3))


async def test_a_part_that_is_read_again_does_not_hide_the_rest() -> None:
    rows = {key: Stored(a_submission(), 0, f"trace of {key}") for key in (ONE, TWO, THREE)}
    ledger = TracedLedger(MemoryLedger(rows))
    assert trace_of(ONE) == ""
    await ledger.load([ONE, TWO])
    await ledger.load([TWO])
    assert (trace_of(ONE), trace_of(TWO)) == (f"trace of {ONE}", f"trace of {TWO}")
    await ledger.load([THREE])
    assert (trace_of(ONE), trace_of(THREE)) == ("", f"trace of {THREE}")
    assert trace_of(None) == ""
