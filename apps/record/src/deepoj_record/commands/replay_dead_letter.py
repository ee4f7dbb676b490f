"""Judge a dead submission again as a new one that takes its place at once (it has no verdict to keep)."""

from __future__ import annotations

from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.rejudge import replay
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_domain.submission.visibility import may_see_dead_letters
from deepoj_record.commands.ports import Clock, ContendedError, Journal, Step, Stored, Submissions, Write
from deepoj_record.commands.rejudge_ports import Successions
from deepoj_record.commands.transition import ROUNDS


@dataclass(frozen=True, slots=True)
class Replayed:
    new_id: SubmissionId


ReplayOutcome = Replayed | Refused[SubmissionRefusal]


class ReplayDeadLetter:
    def __init__(
        self, submissions: Submissions, successions: Successions, journal: Journal, clock: Clock
    ) -> None:
        self._submissions = submissions
        self._successions = successions
        self._journal = journal
        self._clock = clock

    async def __call__(self, actor: Actor, dead_id: SubmissionId, new_id: SubmissionId) -> ReplayOutcome:
        outcome = await self._replay(actor, dead_id, new_id)
        if isinstance(outcome, Refused):
            self._journal.refused(Step.REPLAY, dead_id, outcome)
        return outcome

    async def _replay(self, actor: Actor, dead_id: SubmissionId, new_id: SubmissionId) -> ReplayOutcome:
        if not may_see_dead_letters(actor):
            return Refused(SubmissionRefusal.NOT_OWNER)
        for _ in range(ROUNDS):
            found = await self._submissions.load([dead_id, new_id])
            if _is_repeated(found.get(new_id), dead_id):
                self._journal.repeated(Step.REPLAY, new_id)
                return Replayed(new_id)
            if new_id in found:
                raise InvalidValueError("submission_id_taken", "the new id belongs to another submission")
            if dead_id not in found:
                return Refused(SubmissionRefusal.NOT_FOUND)
            outcome = await self._succeed(found[dead_id], new_id)
            if outcome is not None:
                return outcome
        raise ContendedError(f"submission {dead_id} keeps changing")

    async def _succeed(self, dead: Stored, new_id: SubmissionId) -> ReplayOutcome | None:
        now = self._clock()
        outcome = replay(dead.submission, new_id, now)
        if isinstance(outcome, Refused):
            return outcome
        succession = outcome.after
        archived = Write(dead, succession.archived, outcome.events, now)
        if not await self._successions.replace(archived, succession.head):
            return None
        self._journal.changed(Step.REPLAY, succession.head, outcome.events)
        return Replayed(new_id)


def _is_repeated(found: Stored | None, dead_id: SubmissionId) -> bool:
    return found is not None and found.submission.rejudge_of == dead_id
