"""Why a submission is where it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.route import Abilities, Needs
from deepoj_domain.submission.states import Cause, Status
from deepoj_domain.submission.visibility import Sight
from deepoj_record.queries.access import Access, Neighbours, QueryRefusal
from deepoj_record.queries.ports import Clock, Queues, SubmissionReader
from deepoj_record.queries.views import SubmissionView

_WAITS: Final = frozenset({Status.PENDING, Status.DISPATCHED})
_UNSERVED: Final = frozenset({Cause.WAITING_BEHIND, Cause.NO_WORKER_FOR_LANGUAGE})
_HOSTS_NAMED: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    submission: SubmissionView
    attempts: tuple[Attempt, ...]
    position: int | None
    next_retry_at: datetime | None
    summary: str
    cause: Cause
    estimate: timedelta | None
    """Until it is judged, if things go on as of late."""
    reason_code: str
    worker: str


class Languages(Protocol):
    def is_unserved(self, language: LanguageSlug) -> bool:
        """Tell whether no worker is known that could judge it."""
        ...


@dataclass(frozen=True, slots=True)
class Host:
    name: str
    abilities: Abilities


class Fleet(Protocol):
    async def hosts(self) -> Sequence[Host] | None:
        """Return the judge hosts that are alive; None when nobody can say."""
        ...


class Explain:
    def __init__(
        self,
        submissions: SubmissionReader,
        neighbours: Neighbours,
        queues: Queues,
        languages: Languages,
        fleet: Fleet,
        clock: Clock,
    ) -> None:
        self._fleet = fleet
        self._submissions = submissions
        self._neighbours = neighbours
        self._queues = queues
        self._languages = languages
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
        cause, unable = self._cause(view, now), ""
        if view.route.needs and cause in _UNSERVED:
            cause, unable = await self._sought(view, cause)
        position = estimate = None
        if view.status in _WAITS and cause is not Cause.BACKING_OFF:
            position = await self._queues.ahead_of(view)
        if position is not None and cause is Cause.WAITING_BEHIND:
            pace = await self._queues.pace(view.route.lane, now)
            estimate = None if pace is None else pace * (position + 1)
        attempts = await access.attempts(view, await self._submissions.attempts(view.id))
        return Explanation(
            submission=visible,
            attempts=attempts,
            position=position,
            next_retry_at=view.message_due if cause is Cause.BACKING_OFF else None,
            summary=_summary(visible, cause, position, now)
            + (unable if await access.is_staff_of(view) else ""),
            cause=cause,
            estimate=estimate,
            reason_code=visible.reason,
            worker=attempts[-1].worker if attempts else "",
        )

    async def _sought(self, view: SubmissionView, cause: Cause) -> tuple[Cause, str]:
        """A host did not have what it needs: return whether another one has, and what each lacks."""
        needs, hosts = Needs.parse(view.route.needs), await self._fleet.hosts()
        if hosts is None or any(host.abilities.meet(needs) for host in hosts):
            return cause, ""
        return Cause.NO_ABLE_WORKER, _lacking(needs, hosts)

    def _cause(self, view: SubmissionView, now: datetime) -> Cause:  # noqa: PLR0911 — one a cause
        match view.status:
            case Status.PENDING | Status.DISPATCHED if view.message_due > now:
                return Cause.BACKING_OFF
            case Status.PENDING | Status.DISPATCHED if self._languages.is_unserved(view.language):
                return Cause.NO_WORKER_FOR_LANGUAGE
            case Status.PENDING | Status.DISPATCHED:
                return Cause.WAITING_BEHIND
            case Status.RUNNING if view.lease_until is not None and view.lease_until <= now:
                return Cause.WORKER_LOST
            case Status.RUNNING:
                return Cause.RUNNING
            case Status.FINISHED:
                return Cause.FINISHED
            case Status.DEAD:
                return Cause.DEAD
            case Status.CANCELLED:
                return Cause.CANCELLED


def _summary(  # noqa: PLR0911 — one a cause
    view: SubmissionView, cause: Cause, position: int | None, now: datetime
) -> str:
    match cause:
        case Cause.BACKING_OFF:
            seconds = (view.message_due - now).total_seconds()
            return f"Attempt {view.attempt_id} failed on our side; the next begins in {seconds:.0f} s."
        case Cause.NO_WORKER_FOR_LANGUAGE | Cause.NO_ABLE_WORKER:
            wanted = Needs.parse(view.route.needs).words or view.language
            return f"Waits for a worker that has {wanted}; none is there now."
        case Cause.WAITING_BEHIND:
            queue = f"the {view.route.lane} {view.route.band} queue"
            doing = f"to be put into {queue}" if view.status is Status.PENDING else f"for a worker in {queue}"
            return f"Waits {doing}; {position} wait before it."
        case Cause.WORKER_LOST:
            return f"The worker of attempt {view.attempt_id} was lost; another one will take it over."
        case Cause.RUNNING:
            by = f" by {view.lease_owner}" if view.lease_owner else ""
            return f"Attempt {view.attempt_id} is being judged{by}."
        case Cause.FINISHED:
            if view.result is None:
                return f"Judged in attempt {view.attempt_id}; the game tells the verdict after its end."
            return f"Judged {view.result.verdict} in attempt {view.attempt_id}."
        case Cause.DEAD:
            error = f" ({view.last_error})" if view.last_error else ""
            return f"Given up after {view.attempt_id} attempts: {view.reason}{error}; staff can replay it."
        case Cause.CANCELLED:
            return f"Stopped: {view.reason}."


def _lacking(needs: Needs, hosts: Sequence[Host]) -> str:
    told = [f"{host.name} {' and '.join(host.abilities.lacks(needs))}" for host in hosts[:_HOSTS_NAMED]]
    more = len(hosts) - len(told)
    return (
        f" Of those that are there {'; '.join(told)}{f'; and {more} more' if more else ''}." if told else ""
    )
