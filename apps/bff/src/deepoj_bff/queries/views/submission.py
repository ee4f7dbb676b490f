"""Submissions."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import Id, Milliseconds, PageInfo, Points, View
from deepoj_bff.queries.views.language import LanguageSlug
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.route import Band, Lane
from deepoj_domain.submission.states import Cause


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


class CaseResult(View, frozen=True, kw_only=True):
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
    sample: Annotated[bool, Meta(description="Its input and answer are in the statement.")]


class GroupResult(View, frozen=True, kw_only=True):
    name: str
    score: Points


class Result(View, frozen=True, kw_only=True):
    verdict: Verdict
    score: Points
    time: Milliseconds
    memory_bytes: int
    cases: list[CaseResult]
    groups: list[GroupResult]
    compile_output: str


class Submission(View, frozen=True, kw_only=True):
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
    user_name: str | None = None
    user_display_name: str | None = None
    problem_slug: Annotated[str | None, Meta(description="Null where the problem is hidden from you.")] = None
    problem_title: str | None = None
    contest_title: str | None = None
    contest_label: Annotated[str | None, Meta(description="Of its problem in the contest.")] = None
    judge_hash: Annotated[
        str | None, Meta(description="What it was judged by, for those who may read the test data.")
    ] = None
    outdated: Annotated[
        bool,
        Meta(
            description="Its problem has been given another judge hash since; "
            "told those who may read the test data."
        ),
    ] = False


class Attempt(View, frozen=True, kw_only=True):
    attempt_id: int
    worker: str
    started_at: datetime | None
    ended_at: datetime | None
    outcome: Annotated[str | None, Meta(description="Null while it runs.")]
    reason: str | None
    toolchain: Annotated[
        str | None, Meta(description="What its compiler or interpreter said its version is, for the staff.")
    ]


class SubmissionDetail(View, frozen=True, kw_only=True):
    submission: Submission
    attempts: list[Attempt]
    shows_cases: Annotated[
        bool, Meta(description="You are shown its cases, and told of each while it is judged.")
    ]


class CaseProgress(View, frozen=True, kw_only=True):
    number: int
    verdict: Verdict | None
    time_ms: int
    memory_bytes: int


class Progress(View, frozen=True, kw_only=True):
    """How far the judge is; the cases are the latest ones."""

    submission_id: Id
    attempt_id: int
    done: int
    total: int
    verdict: Verdict | None
    cases: list[CaseProgress]


class SourceOf(View, frozen=True, kw_only=True):
    source: str
    language: LanguageSlug


class SourceAnswer(View, frozen=True, kw_only=True):
    submission: SourceOf


class SubmissionAnswer(View, frozen=True, kw_only=True):
    submission: Submission


class Submissions(View, frozen=True, kw_only=True):
    submissions: list[Submission] = msgspec.field(name="items")
    page: PageInfo


class LogContent(View, frozen=True, kw_only=True):
    content: bytes
    truncated: bool


class Explanation(View, frozen=True, kw_only=True):
    status: Status
    lane: Lane
    band: Band
    position: Annotated[
        int | None, Meta(description="How many wait before it; null when it does not wait.")
    ] = msgspec.field(name="ahead")
    lease_owner: str | None
    lease_until: datetime | None
    attempts: list[Attempt]
    next_retry_at: datetime | None
    summary: Annotated[str, Meta(description="The same in one sentence.")]
    cause: Cause
    estimate: Annotated[
        Milliseconds | None, Meta(description="Until it is judged, by how fast its lane judged of late.")
    ]
    reason_code: Annotated[str | None, Meta(description="Why it is dead or cancelled.")]
    worker: Annotated[str | None, Meta(description="Who judges or judged it, for the staff.")]


class Submitted(View, frozen=True, kw_only=True):
    submission_id: Id
    repeated: Annotated[bool, Meta(description="The same key and body had come before.")]
