"""Why a submission is where it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.visibility import Sight
from deepoj_record.queries.access import Access, Neighbours, QueryRefusal
from deepoj_record.queries.ports import Clock, Queues, SubmissionReader
from deepoj_record.queries.views import SubmissionView


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    submission: SubmissionView
    attempts: tuple[Attempt, ...]
    position: int | None
    next_retry_at: datetime | None
    summary: str


class Explain:
    def __init__(
        self, submissions: SubmissionReader, neighbours: Neighbours, queues: Queues, clock: Clock
    ) -> None:
        self._submissions = submissions
        self._neighbours = neighbours
        self._queues = queues
        self._clock = clock

    async def __call__(
        self, actor: Actor | None, submission_id: SubmissionId
    ) -> Explanation | Refused[QueryRefusal]:
        access = Access(self._neighbours, actor)
        view = await self._submissions.get(submission_id)
        visible = view and await access.shown(view)
        if view is None or visible is None:
            return Refused(QueryRefusal.NOT_FOUND)
        if await access.sight(view) is Sight.OUTLINE:
            return Refused(QueryRefusal.NOT_ALLOWED)
        now = self._clock()
        waits = view.status in {Status.PENDING, Status.DISPATCHED}
        backs_off = waits and view.message_due > now
        position = await self._queues.ahead_of(view) if waits and not backs_off else None
        return Explanation(
            submission=visible,
            attempts=await access.attempts(view, await self._submissions.attempts(view.id)),
            position=position,
            next_retry_at=view.message_due if backs_off else None,
            summary=_summary(visible, position, now),
        )


def _summary(view: SubmissionView, position: int | None, now: datetime) -> str:
    match view.status:
        case Status.PENDING | Status.DISPATCHED:
            return _waiting(view, position, now)
        case Status.RUNNING:
            return _running(view, now)
        case Status.FINISHED:
            if view.result is None:
                return f"Judged in attempt {view.attempt_id}; the game tells the verdict after its end."
            return f"Judged {view.result.verdict} in attempt {view.attempt_id}."
        case Status.DEAD:
            error = f" ({view.last_error})" if view.last_error else ""
            return f"Given up after {view.attempt_id} attempts: {view.reason}{error}; staff can replay it."
        case Status.CANCELLED:
            return f"Stopped: {view.reason}."


def _waiting(view: SubmissionView, position: int | None, now: datetime) -> str:
    if position is None:
        seconds = (view.message_due - now).total_seconds()
        return f"Attempt {view.attempt_id} failed on our side; the next begins in {seconds:.0f} s."
    queue = f"the {view.route.lane} {view.route.band} queue"
    doing = f"to be put into {queue}" if view.status is Status.PENDING else f"for a worker in {queue}"
    return f"Waits {doing}; {position} wait before it."


def _running(view: SubmissionView, now: datetime) -> str:
    if view.lease_until is not None and view.lease_until <= now:
        return f"The worker of attempt {view.attempt_id} was lost; another one will take it over."
    by = f" by {view.lease_owner}" if view.lease_owner else ""
    return f"Attempt {view.attempt_id} is being judged{by}."
