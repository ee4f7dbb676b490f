"""How the system is now, for operators."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.admin import DeadLetterGroup, QueueDepth
from deepoj_bff.queries.views.base import Id, Milliseconds, View
from deepoj_domain.submission.route import Band, Lane


class WaitingGroup(View, frozen=True, kw_only=True):
    lane: Lane
    band: Band
    language: str
    submissions: int
    oldest_wait: Milliseconds
    needs: str = ""


class RunningJob(View, frozen=True, kw_only=True):
    submission_id: Id
    language: str
    worker: str
    since: datetime | None


class Workload(View, frozen=True, kw_only=True):
    waiting: list[WaitingGroup]
    running: list[RunningJob]
    per_minute: float
    wait_p50: Milliseconds | None
    wait_p95: Milliseconds | None
    redis: bool
    objects: bool


class Trouble(StrEnum):
    """What is wrong, the worst first."""

    PROCESS_AWAY = "process_away"
    STORE_AWAY = "store_away"
    NO_WORKER = "no_worker"
    NO_WORKER_FOR_LANGUAGE = "no_worker_for_language"
    NO_ABLE_WORKER = "no_able_worker"
    WORKER_LOST = "worker_lost"
    WORKER_HELD_BACK = "worker_held_back"
    WAITS_LONG = "waits_long"
    OUTBOX_STUCK = "outbox_stuck"
    DEAD_LETTERS = "dead_letters"
    WORKER_SLOW = "worker_slow"
    ISOLATION_DEGRADED = "isolation_degraded"
    WORKER_DRAINED = "worker_drained"


class Stuck(View, frozen=True, kw_only=True):
    cause: Trouble
    count: Annotated[
        int, Meta(description="Submissions, messages, or processes, stores and workers that it is true of.")
    ]
    hint: Annotated[str, Meta(description="What to look at.")]
    names: Annotated[
        list[str], Meta(description="Of the processes, stores and workers; empty where it is true of others.")
    ]
    language: str | None = None
    needs: Annotated[str | None, Meta(description="What no worker has that they need.")] = None
    lane: Lane | None = None
    band: Band | None = None
    oldest_wait: Milliseconds | None = None


class WorkerNow(View, frozen=True, kw_only=True):
    name: str
    version: str
    started_at: datetime | None
    seen_at: datetime | None
    running: int
    capacity: int
    languages: list[str]
    layers: list[str]
    memory_mib: Annotated[int, Meta(description="What one program may use; 0: it does not say.")] = 0
    speed_percent: Annotated[
        int, Meta(description="How long it takes for what the reference host does in 100.")
    ] = 100
    trouble: str = ""
    held_back: bool = False
    drained: str = ""
    jobs: list[RunningJob]


class Rates(View, frozen=True, kw_only=True):
    per_minute: Annotated[float, Meta(description="Judged, over the last ten minutes.")]
    wait_p50: Milliseconds | None = msgspec.field(name="wait_p50_ms")
    wait_p95: Milliseconds | None = msgspec.field(name="wait_p95_ms")


class Stores(View, frozen=True, kw_only=True):
    """Null: nobody can say."""

    postgres: bool | None
    redis: bool | None
    objects: bool | None = msgspec.field(name="s3")
    outbox: Annotated[int | None, Meta(description="Messages that wait to be sent.")]


class ProcessNow(View, frozen=True, kw_only=True):
    name: str
    ok: bool
    why: str | None


class Now(View, frozen=True, kw_only=True):
    sentence_code: Annotated[Trouble | None, Meta(description="The worst that is wrong; null: nothing is.")]
    sentence: str
    stuck: list[Stuck]
    queues: list[QueueDepth]
    workers: list[WorkerNow]
    rates: Rates | None
    stores: Stores
    processes: list[ProcessNow]
    dead_groups: list[DeadLetterGroup]
