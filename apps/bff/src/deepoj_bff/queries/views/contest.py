"""Contests, their participants, and clarifications."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import Body, Id, IdField, PageInfo, Points, View
from deepoj_domain.game.format import Format, PenaltyRounding
from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.schedule import Phase

Minutes = Annotated[int, Meta(ge=0, le=100_000)]
Title = Annotated[str, Meta(min_length=1, max_length=200, examples=["Spring contest"])]


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


class ShownProblem(View, frozen=True, kw_only=True):
    question_id: Id
    label: str
    points: Points | None
    colour: str
    title: str = ""
    titles: Annotated[dict[str, str], Meta(description="By locale.")] = msgspec.field(default_factory=dict)
    slug: Annotated[str, Meta(description="As in the address of the problem.")] = ""


class ShownEntry(Entry, frozen=True, kw_only=True):
    has_password: bool


class WorkState(StrEnum):
    WAITING = "waiting"
    READING = "reading"
    SCORING = "scoring"
    SWITCHING = "switching"
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"


class Work(View, frozen=True, kw_only=True):
    """A recompute, or a ruling from which very many scores follow: under way, or over."""

    id: Id
    kind: Annotated[str, Meta(examples=["recompute", "remove_interval"])]
    state: WorkState
    done: Annotated[int, Meta(description="Submissions read, or participants scored.")]
    total: Annotated[int, Meta(description="0 while it is not known.")]
    asked_by: Id
    asked_at: datetime
    reason: str
    finished_at: datetime | None
    error: Annotated[str | None, Meta(description="Why it was refused or failed.")]


class ContestSummary(View, frozen=True, kw_only=True):
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
    problems: Annotated[list[ShownProblem], Meta(description="Empty while you may not see them.")]
    admin_ids: list[str]
    judge_ids: list[str]
    invited_ids: Annotated[list[str], Meta(description="Of a private contest; only told its staff.")]
    unfrozen_at: datetime | None
    finalized_at: datetime | None
    work: Annotated[
        Work | None,
        Meta(description="What is under way, for the staff; a ruling takes effect when it is done."),
    ]
    version: Annotated[
        int, Meta(description="Give it back with a change: it fails when it is not the newest.")
    ]


class Contests(View, frozen=True, kw_only=True):
    games: list[ContestSummary] = msgspec.field(name="items")
    page: PageInfo


class Participant(View, frozen=True, kw_only=True):
    account_id: Id
    display_name: str
    kind: ParticipantKind
    signed_up_at: datetime | None
    virtual_start: datetime | None
    penalty_adjustment_minutes: int


class ContestDetail(View, frozen=True, kw_only=True):
    game: Contest
    participant: Annotated[Participant | None, Meta(description="My own participation.")]
    staff: bool
    administers: bool


class ContestAnswer(View, frozen=True, kw_only=True):
    game: Contest


class ParticipantAnswer(View, frozen=True, kw_only=True):
    participant: Participant


class Participants(View, frozen=True, kw_only=True):
    participants: list[Participant] = msgspec.field(name="items")
    page: PageInfo


class NamedAccount(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    display_name: str


class NamedAccounts(msgspec.Struct, frozen=True, kw_only=True):
    accounts: list[NamedAccount]


class Newcomer(msgspec.Struct, frozen=True, kw_only=True):
    account_id: str
    display_name: str


class Enrolment(msgspec.Struct, frozen=True, kw_only=True):
    account_id: str
    refused: str | None


class Enrolments(msgspec.Struct, frozen=True, kw_only=True):
    enrolments: list[Enrolment]


class ImportedParticipant(View, frozen=True, kw_only=True):
    name: str
    account_id: Annotated[str | None, Meta(description="Null when nobody has this name.")]
    refused: Annotated[
        str | None, Meta(description="Null: takes part now. Else why not.", examples=["already_signed_up"])
    ]


class ImportedParticipants(View, frozen=True, kw_only=True):
    items: list[ImportedParticipant]
    enrolled: int
    refused: int


class LoggedSubmission(View, frozen=True, kw_only=True):
    submission_id: Id
    account_id: Id
    display_name: str
    question_id: Id
    label: str
    submitted_at: datetime


class LoggedSubmissions(View, frozen=True, kw_only=True):
    submissions: list[LoggedSubmission] = msgspec.field(name="items")


class EntryCheck(View, frozen=True, kw_only=True):
    phase: Phase | None


class Ruling(View, frozen=True, kw_only=True):
    id: Id
    # Who ruled; elsewhere `by` is how long.
    by: Id = msgspec.field(name="by")
    at: datetime
    action: Annotated[str, Meta(examples=["extend", "ignore", "finalize"])]
    reason: str
    details: Annotated[str, Meta(description="What was ruled, as JSON.")]


class Rulings(View, frozen=True, kw_only=True):
    rulings: list[Ruling] = msgspec.field(name="items")
    page: PageInfo


class Clarification(View, frozen=True, kw_only=True):
    id: Id
    asked_by: Annotated[str | None, Meta(description="Null for a broadcast.")]
    question_id: Annotated[str | None, Meta(description="Null: about the contest as a whole.")]
    text: str
    asked_at: datetime | None
    answer: str | None
    answered_by: str | None
    answered_at: datetime | None
    public: bool


class ClarificationAnswer(View, frozen=True, kw_only=True):
    clarification: Clarification


class Clarifications(View, frozen=True, kw_only=True):
    clarifications: list[Clarification] = msgspec.field(name="items")
    page: PageInfo
