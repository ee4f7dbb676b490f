"""Rejudges, dead letters, workers, queues."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import Id, Milliseconds, PageInfo, Points, View
from deepoj_bff.queries.views.submission import Status
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.route import Band, Lane


class RejudgeState(StrEnum):
    OPENING = "opening"
    OPEN = "open"
    APPLYING = "applying"
    APPLIED = "applied"
    DISCARDING = "discarding"
    DISCARDED = "discarded"


class RejudgeFate(StrEnum):
    OPEN = "open"
    APPLIED = "applied"
    DROPPED = "dropped"


class Rejudge(View, frozen=True, kw_only=True):
    id: Id
    state: RejudgeState
    started_by: str
    started_at: datetime | None
    reason: str
    submissions: int


class Rejudges(View, frozen=True, kw_only=True):
    rejudges: list[Rejudge] = msgspec.field(name="items")
    page: PageInfo


class StartedRejudge(View, frozen=True, kw_only=True):
    rejudge_id: Id
    submissions: Annotated[int, Meta(description="So far, while it is opening.")]
    state: RejudgeState


class RejudgeEffect(View, frozen=True, kw_only=True):
    old_submission_id: str
    new_submission_id: str
    old_verdict: Verdict | None
    new_verdict: Annotated[Verdict | None, Meta(description="Null until it is judged.")]
    old_score: Points | None
    new_score: Points | None
    fate: Annotated[
        RejudgeFate,
        Meta(
            description="Dropped: the old one stays, because this one has no verdict, was "
            "discarded, or another rejudge was applied first."
        ),
    ]


class VerdictChange(View, frozen=True, kw_only=True):
    old_verdict: Annotated[Verdict | None, Meta(description="Null: it had none.")] = msgspec.field(name="old")
    new_verdict: Verdict = msgspec.field(name="new")
    submissions: int = msgspec.field(name="count")


class ShownFilter(View, frozen=True, kw_only=True):
    account_id: str | None
    question_id: str | None
    question_revisions: list[int]
    game_id: str | None
    language: str | None
    statuses: list[Status]
    verdicts: list[Verdict]
    submitted_from: datetime | None
    submitted_before: datetime | None


class RevisionCount(View, frozen=True, kw_only=True):
    question_id: Id
    revision: int
    submissions: int


class RevisionCounts(View, frozen=True, kw_only=True):
    submissions: int
    revisions: list[RevisionCount]


class HashCount(View, frozen=True, kw_only=True):
    question_id: Id
    judge_hash: Annotated[
        str | None, Meta(description="Null: the problem is gone, or not yours to look into.")
    ]
    question_revisions: Annotated[list[int], Meta(description="To be given in a filter.")]
    outdated: Annotated[bool, Meta(description="The problem has another judge hash now.")]
    submissions: int


class RejudgeCount(View, frozen=True, kw_only=True):
    submissions: Annotated[int, Meta(description="What a rejudge would judge again.")]
    by_judge_hash: list[HashCount]


class RejudgedContest(View, frozen=True, kw_only=True):
    game_id: Id
    submissions: int
    title: Annotated[str | None, Meta(description="Null: it is gone, or nobody could say.")] = None


class RejudgePreview(View, frozen=True, kw_only=True):
    state: RejudgeState
    selected: Annotated[int, Meta(description="When it was started; all are opened when it is open.")]
    submissions: int
    judged: int
    failed: Annotated[int, Meta(description="Ended without a verdict; applying drops them.")]
    changed: Annotated[int, Meta(description="Whose verdict or score applying changes, or has changed.")]
    applied: int
    dropped: Annotated[int, Meta(description="Left as they are by applying, or as they were.")]
    matrix: Annotated[
        list[VerdictChange], Meta(description="How many go, or went, from which verdict to which.")
    ]
    submission_id: Annotated[str | None, Meta(description="What was selected: one submission, or a filter.")]
    filter: ShownFilter | None
    games: Annotated[
        list[RejudgedContest],
        Meta(description="To which its submissions were sent, the most of them first; at most 100."),
    ] = msgspec.field(name="contests")
    effects: list[RejudgeEffect] = msgspec.field(name="items")
    page: PageInfo


class AppliedRejudge(View, frozen=True, kw_only=True):
    state: RejudgeState
    applied: Annotated[int, Meta(description="So far, while it is applying.")]
    dropped: Annotated[
        int, Meta(description="Left as they were: no new verdict, or another rejudge was applied first.")
    ]


class DiscardedRejudge(View, frozen=True, kw_only=True):
    state: RejudgeState
    discarded: Annotated[int, Meta(description="So far, while it is discarding.")]


class DeadLetter(View, frozen=True, kw_only=True):
    submission_id: Id
    reason: str
    last_error: str
    attempts: int
    died_at: datetime | None
    replayed_as: str | None
    replayed_status: Annotated[
        Status | None,
        Meta(description="Of its replay: dead again, and listed with its own reason, or judged."),
    ]
    replay_of: Annotated[str | None, Meta(description="The dead one that this one replayed.")]
    game_id: Annotated[
        str | None,
        Meta(description="It holds back this contest's final result until it is replayed or ignored."),
    ]
    account_id: Id
    question_id: Id
    language: str
    user_name: str | None = None
    problem_slug: str | None = None
    problem_title: str | None = None


class DeadLetterGroup(View, frozen=True, kw_only=True):
    group: Annotated[str, Meta(description="To be given when its members are replayed.")]
    reason: str
    last_error: Annotated[str, Meta(description="Of the last one; numbers make no other group.")]
    submissions: int
    first_died_at: datetime | None
    last_died_at: datetime | None
    languages: list[str]


class DeadLetterGroups(View, frozen=True, kw_only=True):
    groups: list[DeadLetterGroup] = msgspec.field(name="items")


class ReplayedMany(View, frozen=True, kw_only=True):
    replayed: int
    refused: Annotated[int, Meta(description="Not dead, or replayed before.")]


class DeadLetters(View, frozen=True, kw_only=True):
    dead_letters: list[DeadLetter] = msgspec.field(name="items")
    page: PageInfo


class Replayed(View, frozen=True, kw_only=True):
    new_submission_id: Id


class QueueDepth(View, frozen=True, kw_only=True):
    lane: Lane
    band: Band
    waiting: int
    oldest_wait: Milliseconds


class QueueStats(View, frozen=True, kw_only=True):
    queues: list[QueueDepth]
    running: int
    stalled: int
    dead: int
    outbox_pending: int
    outbox_oldest_wait: Milliseconds | None = None


class Worker(View, frozen=True, kw_only=True):
    name: str
    version: str
    started_at: datetime | None
    seen_at: datetime | None
    running: int
    capacity: int
    languages: list[str]
    layers: Annotated[
        list[str],
        Meta(description='Active layers of isolation, then what is missing, each as "degraded: why".'),
    ]
    memory_mib: Annotated[int, Meta(description="What one program may use; 0: it does not say.")] = 0
    speed_percent: Annotated[
        int, Meta(description="How long it takes for what the reference host does in 100.")
    ] = 100
    trouble: Annotated[
        str, Meta(description="What known solutions that it judged say against it; empty: nothing.")
    ] = ""
    held_back: Annotated[
        bool, Meta(description="It takes no jobs, because of that or because it is drained.")
    ] = False
    drained: Annotated[
        str, Meta(description="Why an operator took it out of service; empty: nobody did.")
    ] = ""


class WorkerAttempt(View, frozen=True, kw_only=True):
    submission_id: Id
    attempt_id: int
    worker: str
    language: str
    started_at: datetime | None
    ended_at: Annotated[datetime | None, Meta(description="Null while it runs.")]
    outcome: Annotated[str | None, Meta(description="`finished`, `failed`, `worker_lost` or `cancelled`.")]
    reason: str | None


class WorkerAttempts(View, frozen=True, kw_only=True):
    attempts: Annotated[list[WorkerAttempt], Meta(description="In the order they began.")] = msgspec.field(
        name="items"
    )
    cut: Annotated[bool, Meta(description="There were more.")]


class Workers(View, frozen=True, kw_only=True):
    workers: list[Worker] = msgspec.field(name="items")


class Drain(View, frozen=True, kw_only=True):
    name: Annotated[str, Meta(description="Of a worker, or of a host with all its workers.")]
    reason: str
    drained_by: Id | None
    drained_at: datetime
    hand_back_at: Annotated[datetime, Meta(description="What is not judged by then is judged elsewhere.")]


class Drained(View, frozen=True, kw_only=True):
    drain: Drain


class Drains(View, frozen=True, kw_only=True):
    drains: list[Drain] = msgspec.field(name="items")
