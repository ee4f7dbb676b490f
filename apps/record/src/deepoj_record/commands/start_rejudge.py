"""Judge a selection again under new ids. Nothing of it is seen before it is applied.

Repeating the call with the same id changes nothing, and goes on if the rejudge is still being opened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from deepoj_domain.kernel.ids import RejudgeId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.rejudge_batch import BatchStatus, RejudgeBatch
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.visibility import is_staff
from deepoj_record.commands.advance_rejudge import AT_ONCE, AdvanceRejudge
from deepoj_record.commands.may_rejudge import MayRejudge
from deepoj_record.commands.ports import Clock, Journal, NeighbourAwayError, Step
from deepoj_record.commands.rejudge_ports import (
    Allowance,
    Rejudge,
    RejudgeRefusal,
    Rejudges,
    Spent,
    about,
)

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class RejudgeStarted:
    submissions: int
    """So far."""
    status: BatchStatus = BatchStatus.OPEN


StartOutcome = RejudgeStarted | Refused[RejudgeRefusal]


class StartRejudge:
    def __init__(
        self,
        rejudges: Rejudges,
        may_rejudge: MayRejudge,
        advance: AdvanceRejudge,
        journal: Journal,
        clock: Clock,
        *,
        limit: int,
        allowance: int,
    ) -> None:
        self._rejudges = rejudges
        self._may_rejudge = may_rejudge
        self._advance = advance
        self._journal = journal
        self._clock = clock
        self._limit = limit
        self._allowance = allowance

    async def __call__(
        self, actor: Actor, rejudge_id: RejudgeId, selection: Selection, reason: str
    ) -> StartOutcome:
        outcome = await self._start(actor, rejudge_id, selection, reason)
        if isinstance(outcome, Refused):
            self._journal.refused(Step.REJUDGE, None, about(rejudge_id, outcome))
        return outcome

    async def _start(
        self, actor: Actor, rejudge_id: RejudgeId, selection: Selection, reason: str
    ) -> StartOutcome:
        selection = await self._in_its_game(selection)
        if not await self._may_rejudge(actor, selection.game_id):
            return Refused(RejudgeRefusal.NOT_ALLOWED)
        known = await self._rejudges.find(rejudge_id)
        if known is None:
            selected = await self._selected(selection)
            if isinstance(selected, Refused):
                return selected
            batch = RejudgeBatch(id=rejudge_id, opened_by=actor.account_id, opened_at=self._clock())
            new = Rejudge(batch=batch, selection=selection, selected=selected)
            added = await self._rejudges.add(new, reason, self._allowance_of(actor))
            if isinstance(added, Spent):
                return Refused(RejudgeRefusal.ALLOWANCE_SPENT, f"{added.submissions} of {self._allowance}")
            known = added
        if known is None or known.selection != selection:
            return Refused(RejudgeRefusal.REJUDGE_ID_REUSED)
        try:
            await self._advance(rejudge_id, AT_ONCE)
        except NeighbourAwayError:
            # It is stored and will be opened when question answers again.
            return RejudgeStarted(await self._rejudges.size(rejudge_id), BatchStatus.OPENING)
        opened = await self._rejudges.find(rejudge_id) or known
        return RejudgeStarted(await self._rejudges.size(rejudge_id), opened.batch.status)

    def _allowance_of(self, actor: Actor) -> Allowance | None:
        """The judge is everybody's: who manages one game has a share of it."""
        return None if is_staff(actor) else Allowance(self._allowance, self._clock() - _DAY)

    async def _in_its_game(self, selection: Selection) -> Selection:
        """Say of one submission which game it was sent to: who manages that one may rejudge it."""
        if selection.submission_id is None:
            return selection
        return replace(selection, game_id=await self._rejudges.game_of(selection.submission_id))

    async def _selected(self, selection: Selection) -> int | Refused[RejudgeRefusal]:
        if selection.is_everything:
            return Refused(RejudgeRefusal.SELECTS_EVERYTHING)
        found = await self._rejudges.selected(selection, self._limit + 1)
        if not found:
            return Refused(RejudgeRefusal.SELECTS_NOTHING)
        return Refused(RejudgeRefusal.TOO_MANY) if found > self._limit else found
