"""Contests, those who take part, and what they ask."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from deepoj_bff.inbound.http.wire.base import Body, Id, IdField, Milliseconds, PageInfo, Points, Reason, Wire


class Format(StrEnum):
    ICPC = "icpc"
    IOI = "ioi"
    OI = "oi"
    ATCODER = "atcoder"
    CODEFORCES = "codeforces"


class Phase(StrEnum):
    BEFORE = "before"
    RUNNING = "running"
    FROZEN = "frozen"
    ENDED = "ended"
    FINALIZED = "finalized"


class PenaltyRounding(StrEnum):
    PER_SUBMISSION = "per_submission"
    ON_THE_SUM = "on_the_sum"


class ParticipantKind(StrEnum):
    OFFICIAL = "official"
    UNOFFICIAL = "unofficial"
    HIDDEN = "hidden"
    VIRTUAL = "virtual"


Minutes = Annotated[int, Meta(ge=0, le=100_000)]
Title = Annotated[str, Meta(min_length=1, max_length=200, examples=["Spring contest"])]
Text = Annotated[str, Meta(min_length=1, max_length=10_000)]


class FormatOptions(Body, frozen=True, kw_only=True):
    penalty_minutes: Minutes | None = None
    rounding: PenaltyRounding | None = None
    decay_minutes: Minutes | None = None
    wrong_try_points: Points | None = None
    floor_percent: Annotated[int, Meta(ge=0, le=100)] | None = None


class Interval(Body, frozen=True, kw_only=True):
    from_: datetime
    before: datetime


class Schedule(Body, frozen=True, kw_only=True):
    starts_at: datetime
    ends_at: datetime
    freezes_at: Annotated[datetime | None, Meta(description="Null: never frozen.")] = None
    removed: list[Interval] = msgspec.field(default_factory=list)


class ContestProblem(Body, frozen=True, kw_only=True):
    question_id: IdField
    label: Annotated[str, Meta(min_length=1, max_length=8, examples=["A"])]
    points: Points | None = None
    colour: Annotated[str, Meta(max_length=7, examples=["#ff0000"])] = ""


class Entry(Body, frozen=True, kw_only=True):
    private: Annotated[bool, Meta(description="Not listed, and only by password or invitation.")] = False
    during_contest: bool = False
    virtual_allowed: bool = False
    cancel_during_contest: bool = False


class ShownEntry(Entry, frozen=True, kw_only=True):
    has_password: bool


class ContestSummary(Wire, frozen=True, kw_only=True):
    id: Id
    title: Title
    owner_id: Id
    format: Format
    schedule: Schedule
    entry: ShownEntry
    phase: Phase
    participants: int


class Contest(ContestSummary, frozen=True, kw_only=True):
    description: str
    options: FormatOptions | None
    problems: Annotated[list[ContestProblem], Meta(description="Empty while you may not see them.")]
    admin_ids: list[str]
    judge_ids: list[str]
    unfrozen_at: datetime | None
    finalized_at: datetime | None
    version: Annotated[
        int, Meta(description="Give it back with a change: it fails when it is not the newest.")
    ]


class Contests(Wire, frozen=True, kw_only=True):
    games: list[ContestSummary] = msgspec.field(name="items")
    page: PageInfo


class Participant(Wire, frozen=True, kw_only=True):
    account_id: Id
    display_name: str
    kind: ParticipantKind
    signed_up_at: datetime | None
    virtual_start: datetime | None
    penalty_adjustment_minutes: int


class ContestDetail(Wire, frozen=True, kw_only=True):
    game: Contest
    participant: Annotated[Participant | None, Meta(description="My own participation.")]
    staff: bool
    administers: bool


class ContestAnswer(Wire, frozen=True, kw_only=True):
    game: Contest


class ParticipantAnswer(Wire, frozen=True, kw_only=True):
    participant: Participant


class Participants(Wire, frozen=True, kw_only=True):
    participants: list[Participant] = msgspec.field(name="items")
    page: PageInfo


class EntryCheck(Wire, frozen=True, kw_only=True):
    phase: Phase | None


class ContestDraft(Body, frozen=True, kw_only=True):
    title: Title
    description: Annotated[str, Meta(max_length=100_000)] = ""
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
    display_name: Annotated[str, Meta(max_length=200)] = ""
    password: Annotated[str, Meta(max_length=200)] = ""
    virtual: Annotated[bool, Meta(description="A virtual participation, starting now.")] = False


class ParticipantEdit(Body, frozen=True, kw_only=True):
    kind: ParticipantKind | None = None
    penalty_adjustment_minutes: Annotated[int, Meta(ge=-100_000, le=100_000)] = 0
    display_name: Annotated[str, Meta(max_length=200)] = ""


class Extension(Body, frozen=True, kw_only=True):
    by: Milliseconds
    reason: Reason = ""


class RemovedInterval(Body, frozen=True, kw_only=True):
    interval: Interval
    reason: Reason = ""


class Ignoring(Body, frozen=True, kw_only=True):
    ignored: Annotated[bool, Meta(description="False takes it back.")]
    reason: Reason = ""


class Clarification(Wire, frozen=True, kw_only=True):
    id: Id
    asked_by: Annotated[str | None, Meta(description="Null for a broadcast.")]
    question_id: Annotated[str | None, Meta(description="Null: about the contest as a whole.")]
    text: str
    asked_at: datetime | None
    answer: str | None
    answered_by: str | None
    answered_at: datetime | None
    public: bool


class ClarificationAnswer(Wire, frozen=True, kw_only=True):
    clarification: Clarification


class Clarifications(Wire, frozen=True, kw_only=True):
    clarifications: list[Clarification] = msgspec.field(name="items")
    page: PageInfo


class NewClarification(Body, frozen=True, kw_only=True):
    question_id: UUID | None = None
    text: Text


class Answer(Body, frozen=True, kw_only=True):
    answer: Text
    public: Annotated[bool, Meta(description="Everybody sees question and answer.")] = False
