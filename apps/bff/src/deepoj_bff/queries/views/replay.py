"""A submission judged again, beside what it was judged as."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from deepoj_bff.queries.views.base import Id, Milliseconds, View
from deepoj_bff.queries.views.language import LanguageSlug
from deepoj_bff.queries.views.submission import Result
from deepoj_domain.kernel.verdict import Verdict


class Pinned(View, frozen=True, kw_only=True):
    """Of a submission, what it takes to judge it again."""

    question_id: Id
    question_revision: int
    language: LanguageSlug
    attempt_id: int
    source: str
    result: Result | None


class PinnedAnswer(View, frozen=True, kw_only=True):
    submission: Pinned


class JudgedAgain(View, frozen=True, kw_only=True):
    """Documents of the judge."""

    result: bytes
    manifest: bytes


class ReproductionAnswer(JudgedAgain, frozen=True, kw_only=True):
    problem: str


class Reproduced(View, frozen=True, kw_only=True):
    answer: ReproductionAnswer | None


class ReplayedRun(View, frozen=True, kw_only=True):
    verdict: Annotated[Verdict | None, Meta(description="Null: skipped.")]
    time: Milliseconds
    memory_bytes: int


class ReplayedCase(View, frozen=True, kw_only=True):
    name: str
    same: Annotated[bool, Meta(description="The verdict; time and memory always differ a little.")]
    before: Annotated[ReplayedRun | None, Meta(description="Null: there was no such case.")]
    after: ReplayedRun | None


class ReplayDifference(View, frozen=True, kw_only=True):
    what: str
    before: str
    after: str


class ReplayedSubmission(View, frozen=True, kw_only=True):
    submission_id: Id
    same: Annotated[bool, Meta(description="Every verdict is the one of then.")]
    sentence: str
    verdict_before: Verdict
    verdict_after: Verdict
    worker_before: Annotated[str | None, Meta(description="Null: it was not kept.")]
    worker_after: str
    cases: list[ReplayedCase]
    differences: Annotated[
        list[ReplayDifference], Meta(description="In toolchain, flags, limits, host, kernel, isolation.")
    ]
