"""What staff send to start a rejudge."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import Body, Reason
from deepoj_bff.queries.views.submission import Status
from deepoj_domain.kernel.verdict import Verdict


class SubmissionFilter(Body, frozen=True, kw_only=True):
    account_id: UUID | None = None
    question_id: UUID | None = None
    game_id: UUID | None = None
    language: Annotated[str, Meta(max_length=32)] | None = None
    statuses: list[Status] = msgspec.field(default_factory=list)
    verdicts: list[Verdict] = msgspec.field(default_factory=list)
    submitted_from: datetime | None = None
    submitted_before: datetime | None = None
    question_revisions: Annotated[
        list[Annotated[int, Meta(ge=1, le=2**31 - 1)]],
        Meta(max_length=100, description="Judged by one of these revisions of the problem."),
    ] = msgspec.field(default_factory=list)


class RejudgeSelection(Body, frozen=True, kw_only=True):
    filter: SubmissionFilter


class Replay(Body, frozen=True, kw_only=True):
    """Submissions that are dead, or all that died of the same."""

    submission_ids: Annotated[list[UUID], Meta(max_length=500)] = msgspec.field(
        name="ids", default_factory=list
    )
    group: Annotated[str, Meta(max_length=64)] = ""


class NewRejudge(Body, frozen=True, kw_only=True):
    """One submission, or all that a filter selects."""

    rejudge_id: Annotated[
        UUID | None,
        Meta(description="Yours; repeated with the same id, the request starts nothing new."),
    ] = None
    submission_id: UUID | None = None
    filter: SubmissionFilter | None = None
    reason: Reason = ""
