"""Take a rejudge further: open, apply or discard it, a page of submissions a transaction.

What is left to do is in the database, so whoever comes next goes on where the last one stopped, whether it
ran out of time or was killed. Several at once take turns at the lock of the rejudge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.ids import AccountId, QuestionId, RejudgeId, SubmissionId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.rejudge import apply_candidate, discard_candidate, open_candidate
from deepoj_domain.submission.rejudge_batch import BatchStatus
from deepoj_domain.submission.submission import Standing, Submission
from deepoj_record.commands.ports import Catalogue, Clock, Journal, Step, Write
from deepoj_record.commands.rejudge_ports import LockedRejudge, Pair, Rejudge, Rejudges

AT_ONCE: Final = timedelta(seconds=1)
"""How long whoever asks for it waits: most rejudges are done by then, and callers have deadlines."""
_LEFT_ALONE: Final = timedelta(seconds=1)
_TURN: Final = timedelta(seconds=5)


class AdvanceRejudge:
    def __init__(
        self,
        rejudges: Rejudges,
        catalogue: Catalogue,
        journal: Journal,
        clock: Clock,
        new_id: Callable[[], UUID],
    ) -> None:
        self._rejudges = rejudges
        self._catalogue = catalogue
        self._journal = journal
        self._clock = clock
        self._new_id = new_id

    async def __call__(self, rejudge_id: RejudgeId, within: timedelta) -> None:
        """Work until nothing is left to do, or for about so long."""
        until = self._clock() + within
        while await self._step(rejudge_id) and self._clock() < until:
            pass

    async def _step(self, rejudge_id: RejudgeId) -> bool:
        rejudge = await self._rejudges.find(rejudge_id)
        match None if rejudge is None else rejudge.batch.status:
            case BatchStatus.OPENING if rejudge is not None:
                await self._open_some(rejudge)
            case BatchStatus.APPLYING:
                await self._settle_some(rejudge_id, Step.APPLY_REJUDGE)
            case BatchStatus.DISCARDING:
                await self._settle_some(rejudge_id, Step.DISCARD_REJUDGE)
            case _:
                return False
        return True

    async def _open_some(self, rejudge: Rejudge) -> None:
        heads = await self._rejudges.heads(rejudge)
        newest = await self._newest_revisions(heads, rejudge.batch.opened_by)
        now = self._clock()
        opened = [
            open_candidate(
                head,
                SubmissionId(self._new_id()),
                rejudge.batch.id,
                newest[head.order.revision.question_id],
                now,
            )
            for head in heads
        ]
        candidates = [outcome for outcome in opened if isinstance(outcome, Changed)]
        async with self._rejudges.locked(rejudge.batch.id) as locked:
            # Somebody else was here since it was looked at, or it was discarded.
            if locked is None or locked.rejudge != rejudge:
                return
            added = await locked.add(candidates)
            after = replace(rejudge, reached=heads[-1].id) if heads else _done(rejudge)
            await locked.save(after, now)
        for candidate in candidates:
            if candidate.after.id in added:
                self._journal.changed(Step.REJUDGE, candidate.after, candidate.events)

    async def _newest_revisions(
        self, heads: Sequence[Submission], opened_by: AccountId
    ) -> dict[QuestionId, int]:
        """A question that is gone keeps the revision that was pinned."""
        newest: dict[QuestionId, int] = {}
        actor = Actor(opened_by, Role.JUDGE)
        for head in heads:
            pinned = head.order.revision
            if pinned.question_id not in newest:
                found = await self._catalogue.newest(pinned.question_id, actor, vouched=True)
                newest[pinned.question_id] = (pinned if found is None else found.revision).number
        return newest

    async def _settle_some(self, rejudge_id: RejudgeId, step: Step) -> None:
        now = self._clock()
        async with self._rejudges.locked(rejudge_id) as locked:
            if locked is None:
                return
            settled = await _settle_page(locked, now)
        for write in settled:
            self._journal.changed(step, write.after, write.events)


async def _settle_page(locked: LockedRejudge, now: datetime) -> list[Write]:
    """Return the last write of each candidate."""
    rejudge = locked.rejudge
    by = rejudge.batch.decided_by
    if by is None or not rejudge.batch.status.is_under_way:
        return []
    is_applied = rejudge.batch.status is BatchStatus.APPLYING
    pairs = await locked.pairs()
    settled = [_applied(pair, by, now) if is_applied else _discarded(pair, by, now) for pair in pairs]
    # A chain has one head at any moment, so all old ones step down before a new one steps up.
    await locked.write([write for writes in settled for write in writes[:-1]])
    last = [writes[-1] for writes in settled if writes]
    await locked.write(last)
    applied = sum(write.after.standing is Standing.HEAD for write in last)
    after = replace(rejudge, applied=rejudge.applied + applied, dropped=rejudge.dropped + len(last) - applied)
    await locked.save(after if pairs else _done(after), now)
    return last


def _applied(pair: Pair, by: AccountId, now: datetime) -> list[Write]:
    """One that died, was cancelled, or whose chain another rejudge has moved on is discarded instead."""
    outcome = apply_candidate(pair.candidate.submission, pair.predecessor.submission, now)
    if not isinstance(outcome, Changed):
        return _discarded(pair, by, now)
    return [
        Write(pair.predecessor, outcome.after.archived, (), now),
        Write(pair.candidate, outcome.after.head, outcome.events, now),
    ]


def _discarded(pair: Pair, by: AccountId, now: datetime) -> list[Write]:
    outcome = discard_candidate(pair.candidate.submission, by, now)
    if not isinstance(outcome, Changed):
        return []
    return [Write(pair.candidate, outcome.after, outcome.events, now)]


def _done(rejudge: Rejudge) -> Rejudge:
    return replace(rejudge, batch=rejudge.batch.done())


class ContinueRejudges:
    """What those who asked for it did not wait for, and what a crash interrupted."""

    def __init__(self, rejudges: Rejudges, advance: AdvanceRejudge, clock: Clock) -> None:
        self._rejudges = rejudges
        self._advance = advance
        self._clock = clock

    async def __call__(self) -> None:
        for rejudge_id in await self._rejudges.under_way(self._clock() - _LEFT_ALONE):
            await self._advance(rejudge_id, _TURN)
