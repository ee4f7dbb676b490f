"""Rejudges, dead letters, queues, workers and limits, as staff are shown them."""

from __future__ import annotations

from datetime import datetime

from deepoj.client.operator_wire import Depth
from deepoj.client.wire import Wire


class Rejudge(Wire, frozen=True):
    id: str
    state: str
    started_by: str
    submissions: int
    reason: str = ""
    started_at: datetime | None = None


class StartedRejudge(Wire, frozen=True):
    rejudge_id: str
    state: str
    submissions: int


class HashCount(Wire, frozen=True):
    problem_id: str
    problem_revisions: tuple[int, ...]
    outdated: bool
    submissions: int
    judge_hash: str | None = None


class RejudgeCount(Wire, frozen=True):
    submissions: int
    by_judge_hash: tuple[HashCount, ...]


class VerdictChange(Wire, frozen=True):
    new: str
    count: int
    old: str | None = None


class RejudgeEffect(Wire, frozen=True):
    old_submission_id: str
    new_submission_id: str
    fate: str
    old_verdict: str | None = None
    new_verdict: str | None = None
    old_score: float | None = None
    new_score: float | None = None


class RejudgeState(Wire, frozen=True):
    state: str
    selected: int
    submissions: int
    judged: int
    failed: int
    changed: int
    applied: int
    dropped: int
    matrix: tuple[VerdictChange, ...]
    items: tuple[RejudgeEffect, ...]


class AppliedRejudge(Wire, frozen=True):
    state: str
    applied: int
    dropped: int


class DiscardedRejudge(Wire, frozen=True):
    state: str
    discarded: int


class DeadLetter(Wire, frozen=True):
    submission_id: str
    reason: str
    last_error: str
    attempts: int
    language: str
    died_at: datetime | None = None
    replayed_as: str | None = None
    replayed_status: str | None = None
    contest_id: str | None = None
    user_name: str | None = None
    problem_slug: str | None = None


class DeadLetterGroup(Wire, frozen=True):
    group: str
    reason: str
    last_error: str
    submissions: int
    languages: tuple[str, ...]
    first_died_at: datetime | None = None
    last_died_at: datetime | None = None


class DeadLetterGroups(Wire, frozen=True):
    items: tuple[DeadLetterGroup, ...]


class Replayed(Wire, frozen=True):
    new_submission_id: str


class ReplayedMany(Wire, frozen=True):
    replayed: int
    refused: int


class QueueStats(Wire, frozen=True):
    queues: tuple[Depth, ...]
    running: int
    stalled: int
    dead: int
    outbox_pending: int


class WorkerDetail(Wire, frozen=True):
    name: str
    running: int
    capacity: int
    version: str
    languages: tuple[str, ...]
    layers: tuple[str, ...]
    started_at: datetime | None = None
    seen_at: datetime | None = None
    drained: str = ""


class WorkerDetails(Wire, frozen=True):
    items: tuple[WorkerDetail, ...]


class Drain(Wire, frozen=True):
    name: str
    reason: str
    drained_at: datetime
    hand_back_at: datetime


class Drains(Wire, frozen=True):
    items: tuple[Drain, ...]


class WorkerAttempt(Wire, frozen=True):
    submission_id: str
    attempt: int
    worker: str
    language: str
    started_at: datetime
    ended_at: datetime | None
    outcome: str | None
    reason: str | None


class WorkerAttempts(Wire, frozen=True):
    items: tuple[WorkerAttempt, ...]
    cut: bool


class Quotas(Wire, frozen=True):
    in_flight: int
    daily_quota: int
    interval_ms: int
    burst: int
    queue_high_water: int
    queue_depth: int | None = None
    live_workers: int | None = None


class DoorLimits(Wire, frozen=True):
    exempt_networks: tuple[str, ...]
    streams: int
    streams_of_one: int
    streams_of_guests: int
    body_bytes: int


class Health(Wire, frozen=True):
    status: str
    services: dict[str, str]
