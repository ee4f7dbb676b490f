"""Decide on what is stored; write only if it is still so; whoever lost a race reads and decides again.

Every change of state but the creation passes here. The domain decides; the statement behind
`Submissions.write` carries the FROM state of each row, and a row it did not touch is looked at again, so that
the domain can name the reason (INV-5).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, SubmissionRefusal
from deepoj_record.commands.ports import ContendedError, Journal, Step, Stored, Submissions, Write

Move = Callable[[Submission], SubmissionOutcome]
Outcomes = dict[SubmissionId, SubmissionOutcome]


@dataclass(frozen=True, slots=True)
class Decision:
    stored: Stored | None
    outcome: SubmissionOutcome


Decisions = dict[SubmissionId, Decision]
UNKNOWN: Final = Decision(None, Refused(SubmissionRefusal.NOT_FOUND))

# Each round somebody else has written the row, and a submission has few writers.
ROUNDS: Final = 5


class Transition:
    def __init__(self, submissions: Submissions, journal: Journal) -> None:
        self._submissions = submissions
        self._journal = journal

    async def __call__(self, step: Step, moves: Mapping[SubmissionId, Move], now: datetime) -> Outcomes:
        done: Decisions = {}
        left: Collection[SubmissionId] = moves.keys()
        for _ in range(ROUNDS):
            if not left:
                break
            decisions = await self._read(left, moves)
            left = await self._write(decisions, now)
            done |= {key: each for key, each in decisions.items() if key not in left}
        for key, decision in done.items():
            self._tell(step, key, decision)
        if left:
            raise ContendedError(f"{len(left)} submissions changed {ROUNDS} times while being written")
        return {key: each.outcome for key, each in done.items()}

    async def _read(self, ids: Collection[SubmissionId], moves: Mapping[SubmissionId, Move]) -> Decisions:
        found = await self._submissions.load(tuple(ids))
        return {
            key: Decision(found[key], moves[key](found[key].submission)) if key in found else UNKNOWN
            for key in ids
        }

    async def _write(self, decisions: Decisions, now: datetime) -> set[SubmissionId]:
        """Write what was decided; return those that somebody else had written meanwhile."""
        writes = [
            Write(each.stored, each.outcome.after, each.outcome.events, now)
            for each in decisions.values()
            if each.stored is not None and isinstance(each.outcome, Changed)
        ]
        written = await self._submissions.write(writes) if writes else set()
        return {write.after.id for write in writes} - written

    def _tell(self, step: Step, key: SubmissionId, decision: Decision) -> None:
        traceparent = "" if decision.stored is None else decision.stored.traceparent
        match decision.outcome:
            case Changed(after, events):
                self._journal.changed(step, after, events, traceparent)
            case Refused() as refused:
                self._journal.refused(step, key, refused, traceparent)
