"""Apply a rejudge, or throw it away. Once that is decided it stands, and is carried out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from deepoj_domain.kernel.ids import RejudgeId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.rejudge_batch import BatchOutcome, BatchRefusal, BatchStatus
from deepoj_record.commands.advance_rejudge import AT_ONCE, AdvanceRejudge
from deepoj_record.commands.may_rejudge import MayRejudge
from deepoj_record.commands.ports import Clock, Journal, Step
from deepoj_record.commands.rejudge_ports import LockedRejudge, RejudgeRefusal, Rejudges, about


@dataclass(frozen=True, slots=True)
class RejudgeClosed:
    """So far, unless its status says that it is over."""

    applied: int
    dropped: int
    """Discarded, those an apply had to discard too."""
    status: BatchStatus


CloseOutcome = RejudgeClosed | Refused[RejudgeRefusal]


Decide = Callable[[LockedRejudge, Actor], Awaitable[BatchOutcome]]


class CloseRejudge:
    def __init__(
        self,
        step: Step,
        decide: Decide,
        rejudges: Rejudges,
        may_rejudge: MayRejudge,
        advance: AdvanceRejudge,
        journal: Journal,
        clock: Clock,
    ) -> None:
        self._step = step
        self._decide = decide
        self._rejudges = rejudges
        self._may_rejudge = may_rejudge
        self._advance = advance
        self._journal = journal
        self._clock = clock

    async def __call__(self, actor: Actor, rejudge_id: RejudgeId) -> CloseOutcome:
        refusal = await self._why_not(actor, rejudge_id)
        if refusal is not None:
            self._journal.refused(self._step, None, about(rejudge_id, refusal))
            return refusal
        await self._advance(rejudge_id, AT_ONCE)
        found = await self._rejudges.find(rejudge_id)
        if found is None:
            return Refused(RejudgeRefusal.NOT_FOUND)
        return RejudgeClosed(found.applied, found.dropped, found.batch.status)

    async def _why_not(self, actor: Actor, rejudge_id: RejudgeId) -> Refused[RejudgeRefusal] | None:
        found = await self._rejudges.find(rejudge_id)
        if not await self._may_rejudge(actor, None if found is None else found.selection.game_id):
            return Refused(RejudgeRefusal.NOT_ALLOWED)
        async with self._rejudges.locked(rejudge_id) as locked:
            if locked is None:
                return Refused(RejudgeRefusal.NOT_FOUND)
            outcome = await self._decide(locked, actor)
            if isinstance(outcome, Refused):
                return await _explained(outcome, locked)
            await locked.save(replace(locked.rejudge, batch=outcome.after), self._clock())
        return None


async def apply(locked: LockedRejudge, actor: Actor) -> BatchOutcome:
    """Make the judged candidates the heads of their chains."""
    return locked.rejudge.batch.apply(await locked.undecided(), actor.account_id)


async def discard(locked: LockedRejudge, actor: Actor) -> BatchOutcome:
    """Candidates still being judged are cancelled, the heads stay as they were."""
    return locked.rejudge.batch.discard(actor.account_id)


async def _explained(refusal: Refused[BatchRefusal], locked: LockedRejudge) -> Refused[RejudgeRefusal]:
    match refusal.reason:
        case BatchRefusal.NOT_FOUND:
            return Refused(RejudgeRefusal.NOT_FOUND)
        case BatchRefusal.STILL_OPENING:
            progress = f"{await locked.size()} of {locked.rejudge.selected}"
            return Refused(RejudgeRefusal.STILL_OPENING, progress)
        case BatchRefusal.ALREADY_CLOSED:
            return Refused(RejudgeRefusal.ALREADY_CLOSED)
        case BatchRefusal.STILL_JUDGING:
            return Refused(RejudgeRefusal.STILL_JUDGING, refusal.detail)
