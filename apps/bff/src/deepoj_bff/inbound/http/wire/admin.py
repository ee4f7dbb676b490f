"""What staff send to start a rejudge, or to take a judge worker out of service."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from deepoj_bff.queries.count_rejudge import RejudgeFilter
from deepoj_bff.queries.views.base import Body, Milliseconds, Reason

WorkerName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=128,
        pattern=r"^[\x21-\x7e]+$",
        description="Of a judge worker, or of its host.",
    ),
]


class RejudgeSelection(Body, frozen=True, kw_only=True):
    filter: RejudgeFilter


class Replay(Body, frozen=True, kw_only=True):
    """Submissions that are dead, or all that died of the same."""

    submission_ids: Annotated[list[UUID], Meta(max_length=500)] = msgspec.field(
        name="ids", default_factory=list
    )
    group: Annotated[str, Meta(max_length=32, pattern="^([0-9a-f]{32})?$")] = ""


class NewRejudge(Body, frozen=True, kw_only=True):
    """One submission, or all that a filter selects."""

    rejudge_id: Annotated[
        UUID | None,
        Meta(description="Yours; repeated with the same id, the request starts nothing new."),
    ] = None
    submission_id: UUID | None = None
    filter: RejudgeFilter | None = None
    reason: Reason = ""


class NewDrain(Body, frozen=True, kw_only=True):
    name: WorkerName
    reason: Reason = ""
    hand_back_after: Annotated[
        Milliseconds, Meta(description="How long it may take with what it judges; 0: no longer.")
    ] = 600_000


class WorkerNamed(Body, frozen=True, kw_only=True):
    name: WorkerName
