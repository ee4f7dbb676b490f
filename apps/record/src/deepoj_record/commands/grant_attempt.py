"""What claim and reclaim share: a granted attempt leaves with all a worker needs to begin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.submission.lease import LeaseTerms
from deepoj_domain.submission.refusal import SubmissionRefusal
from deepoj_domain.submission.retry import RetryPolicies, RetryPolicy
from deepoj_domain.submission.states import Running
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
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


GrantOutcome = Granted | Exhausted | Refused[SubmissionRefusal]
Grant = Callable[[Submission, WorkerId, LeaseTerms, RetryPolicy, datetime], SubmissionOutcome]


class GrantAttempt:
    def __init__(
        self, transition: Transition, submissions: Submissions, policy: JudgingPolicy, clock: Clock
    ) -> None:
        self._transition = transition
        self._submissions = submissions
        self._policy = policy
        self._clock = clock

    async def __call__(
        self, step: Step, grant: Grant, worker: WorkerId, ids: Sequence[SubmissionId]
    ) -> list[GrantOutcome]:
        now = self._clock()

        def move(submission: Submission) -> SubmissionOutcome:
            retry = self._policy.retries.for_lane(submission.route.lane)
            return grant(submission, worker, self._policy.terms, retry, now)

        moves: dict[SubmissionId, Move] = dict.fromkeys(ids, move)
        outcomes = await self._transition(step, moves, now)
        # Only whoever is granted the attempt gets one.
        granted = [key for key in ids if isinstance(outcomes[key], Changed)]
        payloads = await self._submissions.payloads(granted)
        return [_answer(outcomes[key], payloads.get(key)) for key in ids]


def _answer(outcome: SubmissionOutcome, payload: Payload | None) -> GrantOutcome:
    match outcome:
        case Changed(after) if isinstance(after.state, Running) and payload is not None:
            return Granted(after, after.state.lease.until, payload)
        case Changed():
            return Exhausted()
        case Refused():
            return outcome
