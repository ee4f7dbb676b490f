"""Counts over judged submissions."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from deepoj_bff.inbound.http.wire.base import Wire
from deepoj_bff.inbound.http.wire.submission import Submission


class ProblemCount(Wire, frozen=True, kw_only=True):
    question_id: str
    submitted: int
    accepted: int


class ProblemCounts(Wire, frozen=True, kw_only=True):
    counts: list[ProblemCount]


class ProblemStatistics(Wire, frozen=True, kw_only=True):
    submitted: int
    accepted: Annotated[int, Meta(description="Submissions, not people.")]


class DayCount(Wire, frozen=True, kw_only=True):
    day: Annotated[str, Meta(description="In UTC.", examples=["2026-01-31"])]
    submitted: int
    accepted: int


class DayCounts(Wire, frozen=True, kw_only=True):
    days: list[DayCount]


class Passed(Wire, frozen=True, kw_only=True):
    questions: int


class UserStatistics(Wire, frozen=True, kw_only=True):
    passed: Annotated[int, Meta(description="Different problems with an accepted submission.")]
    days: Annotated[list[DayCount], Meta(description="Of the last year, those with submissions.")]


class BestSubmission(Wire, frozen=True, kw_only=True):
    submission: Annotated[Submission | None, Meta(description="Null: none that you may see.")]
