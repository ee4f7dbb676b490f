"""As much as operators are shown of how a submission came where it is, and of how the system is."""

from __future__ import annotations

from datetime import datetime

from deepoj.client.wire import Submission, Wire


class Attempt(Wire, frozen=True):
    attempt: int
    worker: str
    started_at: datetime | None = None
    ended_at: datetime | None = None
    outcome: str | None = None
    reason: str | None = None
    toolchain: str | None = None


class TracedSubmission(Submission, frozen=True, kw_only=True):
    problem_revision: int
    origin_id: str
    is_head: bool
    source_bytes: int
    rejudge_of: str | None = None
    finished_at: datetime | None = None
    problem_slug: str | None = None
    user_name: str | None = None


class TracedDetail(Wire, frozen=True):
    submission: TracedSubmission
    attempts: tuple[Attempt, ...]


class Explanation(Wire, frozen=True):
    lane: str
    band: str
    summary: str
    cause: str
    ahead: int | None = None
    estimate_ms: int | None = None
    next_retry_at: datetime | None = None
    lease_until: datetime | None = None


class ReplayedRun(Wire, frozen=True):
    verdict: str | None
    time_ms: int
    memory_bytes: int


class ReplayedCase(Wire, frozen=True):
    name: str
    same: bool
    before: ReplayedRun | None = None
    after: ReplayedRun | None = None


class ReplayDifference(Wire, frozen=True):
    what: str
    before: str
    after: str


class Replayed(Wire, frozen=True):
    submission_id: str
    same: bool
    sentence: str
    verdict_before: str
    verdict_after: str
    worker_after: str
    worker_before: str | None = None
    cases: tuple[ReplayedCase, ...] = ()
    differences: tuple[ReplayDifference, ...] = ()


class Depth(Wire, frozen=True):
    lane: str
    band: str
    waiting: int
    oldest_wait_ms: int


class Job(Wire, frozen=True):
    submission_id: str
    language: str
    since: datetime | None = None


class Worker(Wire, frozen=True):
    name: str
    running: int
    capacity: int
    version: str = ""
    trouble: str = ""
    held_back: bool = False
    drained: str = ""
    jobs: tuple[Job, ...] = ()


class Rates(Wire, frozen=True):
    per_minute: float
    wait_p50_ms: int | None = None
    wait_p95_ms: int | None = None


class Stuck(Wire, frozen=True):
    cause: str
    count: int
    hint: str


class Stores(Wire, frozen=True):
    postgres: bool | None = None
    redis: bool | None = None
    s3: bool | None = None
    outbox: int | None = None


class ProcessNow(Wire, frozen=True):
    name: str
    ok: bool
    why: str | None = None


class DeadGroup(Wire, frozen=True):
    reason: str
    last_error: str
    submissions: int


class Now(Wire, frozen=True):
    sentence: str
    sentence_code: str | None = None
    stuck: tuple[Stuck, ...] = ()
    queues: tuple[Depth, ...] = ()
    workers: tuple[Worker, ...] = ()
    rates: Rates | None = None
    stores: Stores = Stores()
    processes: tuple[ProcessNow, ...] = ()
    dead_groups: tuple[DeadGroup, ...] = ()
