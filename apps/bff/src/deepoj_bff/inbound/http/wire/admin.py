"""Rejudges, dead letters, workers, queues, limits."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from deepoj_bff.inbound.http.wire.base import Body, Id, Milliseconds, PageInfo, Points, Reason, Wire
from deepoj_bff.inbound.http.wire.submission import Band, Lane, Status, Verdict


class RejudgeState(StrEnum):
    OPEN = "open"
    APPLIED = "applied"
    DISCARDED = "discarded"


class Rejudge(Wire, frozen=True, kw_only=True):
    id: Id
    state: RejudgeState
    started_by: str
    started_at: datetime | None
    reason: str
    submissions: int


class Rejudges(Wire, frozen=True, kw_only=True):
    rejudges: list[Rejudge] = msgspec.field(name="items")
    page: PageInfo


class SubmissionFilter(Body, frozen=True, kw_only=True):
    account_id: UUID | None = None
    question_id: UUID | None = None
    game_id: UUID | None = None
    language: Annotated[str, Meta(max_length=32)] | None = None
    statuses: list[Status] = msgspec.field(default_factory=list)
    verdicts: list[Verdict] = msgspec.field(default_factory=list)
    submitted_from: datetime | None = None
    submitted_before: datetime | None = None


class NewRejudge(Body, frozen=True, kw_only=True):
    """One submission, or all that a filter selects."""

    submission_id: UUID | None = None
    filter: SubmissionFilter | None = None
    reason: Reason = ""


class StartedRejudge(Wire, frozen=True, kw_only=True):
    rejudge_id: Id
    submissions: int


class RejudgeEffect(Wire, frozen=True, kw_only=True):
    old_submission_id: str
    new_submission_id: str
    old_verdict: Verdict | None
    new_verdict: Annotated[Verdict | None, Meta(description="Null until it is judged.")]
    old_score: Points | None
    new_score: Points | None


class RejudgePreview(Wire, frozen=True, kw_only=True):
    submissions: int
    judged: int
    failed: Annotated[int, Meta(description="Ended without a verdict; applying drops them.")]
    changed: int
    effects: list[RejudgeEffect] = msgspec.field(name="items")
    page: PageInfo


class AppliedRejudge(Wire, frozen=True, kw_only=True):
    applied: int
    dropped: Annotated[
        int, Meta(description="Left as they were: no new verdict, or another rejudge was applied first.")
    ]


class DiscardedRejudge(Wire, frozen=True, kw_only=True):
    discarded: int


class DeadLetter(Wire, frozen=True, kw_only=True):
    submission_id: Id
    reason: str
    last_error: str
    attempts: int
    died_at: datetime | None
    replayed_as: str | None


class DeadLetters(Wire, frozen=True, kw_only=True):
    dead_letters: list[DeadLetter] = msgspec.field(name="items")
    page: PageInfo


class Replayed(Wire, frozen=True, kw_only=True):
    new_submission_id: Id


class QueueDepth(Wire, frozen=True, kw_only=True):
    lane: Lane
    band: Band
    waiting: int
    oldest_wait: Milliseconds


class QueueStats(Wire, frozen=True, kw_only=True):
    queues: list[QueueDepth]
    running: int
    stalled: int
    dead: int
    outbox_pending: int


class Worker(Wire, frozen=True, kw_only=True):
    name: str
    version: str
    started_at: datetime | None
    seen_at: datetime | None
    running: int
    capacity: int
    languages: list[str]
    layers: Annotated[list[str], Meta(description="Active layers of isolation.")]


class Workers(Wire, frozen=True, kw_only=True):
    workers: list[Worker] = msgspec.field(name="items")


class Quotas(Wire, frozen=True, kw_only=True):
    """The limits in force, as the settings of this front door have them."""

    in_flight: int
    daily_quota: int
    interval_ms: int
    burst: int
    queue_high_water: int
    queue_depth: Annotated[int | None, Meta(description="Null when nobody could say.")]
    live_workers: Annotated[int | None, Meta(description="Null when nobody could say.")]
