"""Submissions, runs, languages."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from deepoj_bff.inbound.http.wire.base import Body, Id, IdField, Milliseconds, PageInfo, Points, Wire
from deepoj_bff.inbound.http.wire.problem import LanguageSlug


class Status(StrEnum):
    PENDING = "pending"
    DISPATCHED = "dispatched"
    RUNNING = "running"
    FINISHED = "finished"
    DEAD = "dead"
    CANCELLED = "cancelled"

    @property
    def is_terminal(self) -> bool:
        return self in {Status.FINISHED, Status.DEAD, Status.CANCELLED}


class Verdict(StrEnum):
    ACCEPTED = "AC"
    WRONG_ANSWER = "WA"
    PRESENTATION_ERROR = "PE"
    TIME_LIMIT_EXCEEDED = "TLE"
    MEMORY_LIMIT_EXCEEDED = "MLE"
    OUTPUT_LIMIT_EXCEEDED = "OLE"
    RUNTIME_ERROR = "RE"
    COMPILE_ERROR = "CE"
    SYSTEM_ERROR = "SE"


class Lane(StrEnum):
    LIGHT = "light"
    HEAVY = "heavy"


class Band(StrEnum):
    CONTEST = "contest"
    NORMAL = "normal"
    BULK = "bulk"


class CaseResult(Wire, frozen=True, kw_only=True):
    number: int
    name: str
    verdict: Annotated[
        Verdict | None, Meta(description="Null: skipped, because an earlier case had decided.")
    ]
    time: Milliseconds
    memory_bytes: int
    exit_code: int
    signal: int
    message: Annotated[str, Meta(description="What the checker said, for setters and judges.")]
    points: Points | None


class GroupResult(Wire, frozen=True, kw_only=True):
    name: str
    verdict: Verdict | None
    score: Points


class Result(Wire, frozen=True, kw_only=True):
    verdict: Verdict
    score: Points
    time: Milliseconds
    memory_bytes: int
    cases: list[CaseResult]
    groups: list[GroupResult]
    compile_output: str


class Submission(Wire, frozen=True, kw_only=True):
    id: Id
    account_id: Id
    question_id: Id
    question_revision: int
    game_id: Annotated[str | None, Meta(description="Null outside a contest.")]
    language: LanguageSlug
    status: Status
    attempt_id: int
    result: Annotated[Result | None, Meta(description="Null until it is finished, or not for you.")]
    submitted_at: datetime | None
    finished_at: datetime | None
    origin_id: Annotated[str, Meta(description="The first of the chain of rejudges.")]
    rejudge_of: str | None
    is_head: Annotated[bool, Meta(description="The one of its chain that counts.")]
    source_bytes: int
    reason: Annotated[str | None, Meta(description="Why it is dead or cancelled.")]


class Attempt(Wire, frozen=True, kw_only=True):
    attempt_id: int
    worker: str
    started_at: datetime | None
    ended_at: datetime | None
    outcome: Annotated[str | None, Meta(description="Null while it runs.")]
    reason: str | None


class SubmissionDetail(Wire, frozen=True, kw_only=True):
    submission: Submission
    attempts: list[Attempt]


class SourceOf(Wire, frozen=True, kw_only=True):
    source: str
    language: LanguageSlug


class SourceAnswer(Wire, frozen=True, kw_only=True):
    submission: SourceOf


class SubmissionAnswer(Wire, frozen=True, kw_only=True):
    submission: Submission


class Submissions(Wire, frozen=True, kw_only=True):
    submissions: list[Submission] = msgspec.field(name="items")
    page: PageInfo


class Explanation(Wire, frozen=True, kw_only=True):
    status: Status
    lane: Lane
    band: Band
    position: Annotated[int | None, Meta(description="How many wait before it; null when it does not wait.")]
    lease_owner: str | None
    lease_until: datetime | None
    attempts: list[Attempt]
    next_retry_at: datetime | None
    summary: Annotated[str, Meta(description="The same in one sentence.")]


class NewSubmission(Body, frozen=True, kw_only=True):
    question_id: IdField
    game_id: UUID | None = None
    language: LanguageSlug
    source: Annotated[
        str, Meta(min_length=1, max_length=1_000_000, examples=["print(sum(map(int, input().split())))"])
    ]


class Submitted(Wire, frozen=True, kw_only=True):
    submission_id: Id
    repeated: Annotated[bool, Meta(description="The same key and body had come before.")]


class Quota(Wire, frozen=True, kw_only=True):
    in_flight: int
    in_flight_limit: int
    submitted_today: int
    daily_quota: int
    interval_ms: Annotated[int, Meta(description="One more submission may be sent in each interval …")]
    burst: Annotated[int, Meta(description="… and so many at once after a pause.")]


class SandboxVerdict(StrEnum):
    OK = "OK"
    TIME_LIMIT_EXCEEDED = "TLE"
    MEMORY_LIMIT_EXCEEDED = "MLE"
    OUTPUT_LIMIT_EXCEEDED = "OLE"
    RUNTIME_ERROR = "RE"
    SYSTEM_ERROR = "SE"


class NewRun(Body, frozen=True, kw_only=True):
    language: LanguageSlug
    source: Annotated[str, Meta(min_length=1, max_length=1_000_000)]
    input: Annotated[str, Meta(max_length=1_000_000)] = ""
    time_limit: Annotated[int, Meta(ge=1, le=10_000)] | None = msgspec.field(
        name="time_limit_ms", default=None
    )
    memory_limit_bytes: Annotated[int, Meta(ge=1 << 20, le=1 << 30)] | None = None


class RanAnswer(Wire, frozen=True, kw_only=True):
    verdict: SandboxVerdict | None
    stdout: bytes
    stderr: bytes
    truncated: bool
    time: Milliseconds
    memory_bytes: int
    exit_code: int
    signal: int
    compile_error: str | None


class Ran(Wire, frozen=True, kw_only=True):
    """Output that is not UTF-8 is shown with replacement characters."""

    verdict: Annotated[SandboxVerdict | None, Meta(description="Null when it did not compile.")]
    stdout: str
    stderr: str
    truncated: bool
    time: Milliseconds
    memory_bytes: int
    exit_code: int
    signal: int
    compile_error: str | None


class Language(Wire, frozen=True, kw_only=True):
    slug: LanguageSlug
    name: Annotated[str, Meta(examples=["C++17"])]
    version: Annotated[str | None, Meta(description="Null when no worker has it.")]
    available: bool
    lane: Lane
    time_factor_milli: Annotated[
        int, Meta(description="Thousandths of the problem's limit.", examples=[1000])
    ]
    memory_factor_milli: int
    source_name: str
    template: Annotated[str, Meta(description="What an editor starts with.")]


class Languages(Wire, frozen=True, kw_only=True):
    languages: list[Language] = msgspec.field(name="items")
