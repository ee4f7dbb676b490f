"""What staff and participants send about contests."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import Body, Milliseconds, Reason
from deepoj_bff.queries.views.contest import (
    ContestProblem,
    Entry,
    FormatOptions,
    Interval,
    Schedule,
    Title,
)
from deepoj_domain.game.format import Format
from deepoj_domain.game.participant import ParticipantKind

DisplayName = Annotated[str, Meta(min_length=1, max_length=100, examples=["Ada"])]
Text = Annotated[str, Meta(min_length=1, max_length=10_000)]


class ContestDraft(Body, frozen=True, kw_only=True):
    title: Title
    description: Annotated[str, Meta(max_length=50_000)] = ""
    format: Format
    options: FormatOptions | None = None
    schedule: Schedule
    problems: Annotated[list[ContestProblem], Meta(max_length=100)] = msgspec.field(default_factory=list)
    entry: Entry = msgspec.field(default_factory=Entry)
    password: Annotated[str, Meta(max_length=200, description="Empty keeps the one there is.")] = ""
    invited_ids: Annotated[list[UUID], Meta(max_length=10_000)] = msgspec.field(default_factory=list)
    admin_ids: Annotated[list[UUID], Meta(max_length=100)] = msgspec.field(default_factory=list)
    judge_ids: Annotated[list[UUID], Meta(max_length=100)] = msgspec.field(default_factory=list)


class ContestEdit(Body, frozen=True, kw_only=True):
    version: Annotated[int, Meta(ge=0, description="Of the contest as it was read.")]
    draft: ContestDraft


class SignUp(Body, frozen=True, kw_only=True):
    display_name: DisplayName
    password: Annotated[str, Meta(max_length=200)] = ""
    virtual: Annotated[bool, Meta(description="A virtual participation, starting now.")] = False


class ParticipantEdit(Body, frozen=True, kw_only=True):
    """What it does not name stays as it is."""

    kind: ParticipantKind | None = None
    penalty_adjustment_minutes: Annotated[int, Meta(ge=-10_080, le=10_080)] | None = None
    display_name: DisplayName | None = None


class Extension(Body, frozen=True, kw_only=True):
    by: Milliseconds
    reason: Reason = ""


class RemovedInterval(Body, frozen=True, kw_only=True):
    interval: Interval
    reason: Reason = ""


class Reopening(Body, frozen=True, kw_only=True):
    reason: Reason = ""


class Ignoring(Body, frozen=True, kw_only=True):
    ignored: Annotated[bool, Meta(description="False takes it back.")]
    reason: Reason = ""


class IgnoredSubmission(msgspec.Struct, frozen=True, kw_only=True):
    """What a dry run is about."""

    submission_id: UUID
    ignored: bool


class ParticipantNames(Body, frozen=True, kw_only=True):
    names: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=100)]],
        Meta(min_length=1, max_length=1000, description="Of accounts, as they sign in."),
    ]


class NewClarification(Body, frozen=True, kw_only=True):
    question_id: UUID | None = None
    text: Text


class Answer(Body, frozen=True, kw_only=True):
    answer: Text
    public: Annotated[bool, Meta(description="Everybody sees question and answer.")] = False
