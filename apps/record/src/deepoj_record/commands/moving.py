"""Decide on what was read; write only if it is still so; whoever lost a race decides again.

Every change of state but the creation passes here. The domain decides, the statement behind `Ledger.write`
carries the FROM state of each row, and a row it did not touch is looked at again, so that the domain can name
the reason (INV-5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.submission.refusal import SubmissionRefusal
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
from deepoj_record.commands.ports import ContendedError, Journal, Ledger, Step, Write

Move = Callable[[Submission], SubmissionOutcome]
Outcomes = dict[SubmissionId, SubmissionOutcome]

# Each round somebody else has written the row, and a submission has few writers.
ROUNDS: Final = 5


class Mover:
    def __init__(self, ledger: Ledger, journal: Journal) -> None:
        self._ledger = ledger
        self._journal = journal

    async def __call__(self, step: Step, moves: Mapping[SubmissionId, Move], now: datetime) -> Outcomes:
        outcomes: Outcomes = {}
        left = dict(moves)
        for _ in range(ROUNDS):
            if not left:
                break
            decided, writes = await self._decide(left, now)
            written = await self._ledger.write(writes) if writes else set()
            lost = {write.after.id for write in writes} - written
            outcomes |= {key: outcome for key, outcome in decided.items() if key not in lost}
            left = {key: moves[key] for key in lost}
        if left:
            raise ContendedError(f"{len(left)} submissions changed {ROUNDS} times while being written")
        for key, outcome in outcomes.items():
            self._tell(step, key, outcome)
        return outcomes

    async def _decide(
        self, moves: Mapping[SubmissionId, Move], now: datetime
    ) -> tuple[Outcomes, list[Write]]:
        found = await self._ledger.load(list(moves))
        outcomes: Outcomes = {}
        writes: list[Write] = []
        for key, move in moves.items():
            stored = found.get(key)
            if stored is None:
                outcomes[key] = Refused(SubmissionRefusal.NOT_FOUND)
                continue
            outcome = outcomes[key] = move(stored.submission)
            if isinstance(outcome, Changed):
                writes.append(Write(stored, outcome.after, outcome.events, now))
        return outcomes, writes

    def _tell(self, step: Step, key: SubmissionId, outcome: SubmissionOutcome) -> None:
        match outcome:
            case Changed(after, events):
                self._journal.changed(step, after, events)
            case Refused():
                self._journal.refused(step, key, outcome)
