"""PENDING, DISPATCHED → RUNNING: nothing may run before this says so (INV-3).

A claim that is repeated because its reply was lost is refused with `lease_still_valid`, also to the same
worker: answering it again would let two messages of one job run twice in one worker. Nothing is stranded.
The message stays pending with its consumer, and when the lease is over a reclaim takes one of the remaining
attempts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.claim import claim, reclaim
from deepoj_domain.submission.retry import RetryPolicies, RetryPolicy
from deepoj_domain.submission.route import Abilities
from deepoj_domain.submission.states import Dead, Running
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, SubmissionRefusal
from deepoj_record.commands.ports import Clock, Payload, Step, Submissions
from deepoj_record.commands.transition import Move, Transition


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingPolicy:
    terms: LeaseTerms = field(default_factory=LeaseTerms)
    retries: RetryPolicies = field(default_factory=RetryPolicies)


@dataclass(frozen=True, slots=True)
class Granted:
    submission: Submission
    leased_until: datetime
    payload: Payload


class Exhausted:
    """No attempt was left: the claim made it DEAD instead (INV-9)."""


class SentOn:
    """The host lacks what the job needs: it is owed to the queue of those that have it."""


GrantOutcome = Granted | Exhausted | SentOn | Refused[SubmissionRefusal]
Grant = Callable[
    [Submission, WorkerId, LeaseTerms, RetryPolicy, datetime, Abilities | None], SubmissionOutcome
]


class GrantAttempt:
    """A granted attempt leaves with all a worker needs to begin."""

    def __init__(
        self, transition: Transition, submissions: Submissions, policy: JudgingPolicy, clock: Clock
    ) -> None:
        self._transition = transition
        self._submissions = submissions
        self._policy = policy
        self._clock = clock

    async def __call__(
        self,
        step: Step,
        grant: Grant,
        worker: WorkerId,
        ids: Sequence[SubmissionId],
        abilities: Abilities | None,
    ) -> list[GrantOutcome]:
        now = self._clock()

        def move(submission: Submission) -> SubmissionOutcome:
            retry = self._policy.retries.for_lane(submission.route.lane)
            return grant(submission, worker, self._policy.terms, retry, now, abilities)

        moves: dict[SubmissionId, Move] = dict.fromkeys(ids, move)
        outcomes = await self._transition(step, moves, now)
        # Only whoever is granted the attempt gets one.
        granted = [key for key in ids if _is_granted(outcomes[key])]
        payloads = await self._submissions.payloads(granted)
        return [_answer(outcomes[key], payloads.get(key)) for key in ids]


def _is_granted(outcome: SubmissionOutcome) -> bool:
    return isinstance(outcome, Changed) and isinstance(outcome.after.state, Running)


def _answer(outcome: SubmissionOutcome, payload: Payload | None) -> GrantOutcome:
    match outcome:
        case Changed(after) if isinstance(after.state, Running) and payload is not None:
            return Granted(after, after.state.lease.until, payload)
        case Changed(after) if isinstance(after.state, Dead):
            return Exhausted()
        case Changed():
            return SentOn()
        case Refused():
            return outcome


class Claim:
    def __init__(self, grant: GrantAttempt) -> None:
        self._grant = grant

    async def __call__(
        self, worker: WorkerId, ids: Sequence[SubmissionId], abilities: Abilities | None = None
    ) -> list[GrantOutcome]:
        return await self._grant(Step.CLAIM, claim, worker, ids, abilities)


class Reclaim:
    """RUNNING → RUNNING under a new attempt, only when the lease has expired; or DEAD when none is left."""

    def __init__(self, grant: GrantAttempt) -> None:
        self._grant = grant

    async def __call__(
        self, worker: WorkerId, ids: Sequence[SubmissionId], abilities: Abilities | None = None
    ) -> list[GrantOutcome]:
        return await self._grant(Step.RECLAIM, reclaim, worker, ids, abilities)
