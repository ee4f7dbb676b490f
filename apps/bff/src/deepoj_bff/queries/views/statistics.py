"""Counts over judged submissions."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from deepoj_bff.queries.views.base import View
from deepoj_bff.queries.views.submission import Submission


class ProblemCount(View, frozen=True, kw_only=True):
    question_id: str
    submitted: int
    accepted: int


class ProblemCounts(View, frozen=True, kw_only=True):
    counts: list[ProblemCount]


class ProblemPeople(View, frozen=True, kw_only=True):
    question_id: str
    attempted: int
    accepted: int


class ProblemPeopleCounts(View, frozen=True, kw_only=True):
    counts: list[ProblemPeople]


class Solvers(View, frozen=True, kw_only=True):
    question_id: str
    people: int


class SolversOfAll(View, frozen=True, kw_only=True):
    solvers: list[Solvers]


class ProblemMark(View, frozen=True, kw_only=True):
    question_id: str
    solved: bool


class ProblemMarks(View, frozen=True, kw_only=True):
    marks: list[ProblemMark]


class ProblemStatistics(View, frozen=True, kw_only=True):
    submitted: int
    accepted: Annotated[int, Meta(description="Submissions, not people.")]


class DayCount(View, frozen=True, kw_only=True):
    day: Annotated[str, Meta(description="In UTC.", examples=["2026-01-31"])]
    submitted: int
    accepted: int


class DayCounts(View, frozen=True, kw_only=True):
    days: list[DayCount]


class Passed(View, frozen=True, kw_only=True):
    questions: int


class UserStatistics(View, frozen=True, kw_only=True):
    passed: Annotated[int, Meta(description="Different problems with an accepted submission.")]
    days: Annotated[list[DayCount], Meta(description="Of the last year, those with submissions.")]


class BestSubmission(View, frozen=True, kw_only=True):
    submission: Annotated[Submission | None, Meta(description="Null: none that you may see.")]
