"""Scoreboards, and what rejudges and recomputes do to them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import Milliseconds, PageInfo, Points, View
from deepoj_bff.queries.views.contest import Clarification, Participant, Work
from deepoj_domain.kernel.verdict import Verdict


class BoardView(StrEnum):
    PUBLIC = "public"
    FROZEN = "frozen"
    OWN = "own"
    ADMIN = "admin"


class BoardCell(View, frozen=True, kw_only=True):
    label: str
    rejected: Annotated[int, Meta(description="Counted rejections before the accepted one.")]
    pending: int
    solved: bool
    solved_after: Milliseconds | None
    first_to_solve: bool
    score: Points


class BoardRow(View, frozen=True, kw_only=True):
    rank: Annotated[int, Meta(description="Equal participants share it; 0 is out of competition.")]
    participant: Participant
    solved: int
    score: Points
    penalty_minutes: Annotated[int, Meta(description="`penalty_ms`, cut to whole minutes.")]
    penalty: Annotated[Milliseconds, Meta(description="Exact: what ranks equal scores.")]
    cells: list[BoardCell]


class Scoreboard(View, frozen=True, kw_only=True):
    rows: list[BoardRow] = msgspec.field(name="items")
    page: PageInfo
    sequence: Annotated[int, Meta(description="The last change that is in it.")]
    view: BoardView | None


class Score(View, frozen=True, kw_only=True):
    row: BoardRow


class CountedSubmission(View, frozen=True, kw_only=True):
    submission_id: str
    label: str
    verdict: Verdict | None
    score: Points
    after_start: Milliseconds
    effect: Annotated[str, Meta(description="Why it counts, or does not.", examples=["accepted"])]


class RankExplanation(View, frozen=True, kw_only=True):
    row: BoardRow
    submissions: list[CountedSubmission]
    summary: Annotated[str, Meta(description="What separates it from the next better rank.")]


class BoardChange(View, frozen=True, kw_only=True):
    sequence: int
    row: BoardRow | None
    reload: Annotated[bool, Meta(description="The board changed as a whole: read it again.")]
    clarification: Clarification | None


class RankChange(View, frozen=True, kw_only=True):
    account_id: str
    before: BoardRow | None
    after: BoardRow | None
    reason: str


class RankChanges(View, frozen=True, kw_only=True):
    changes: list[RankChange]
    submissions: int
    judged: Annotated[int, Meta(description="The preview is final when all are.")]


class RecomputeDone(View, frozen=True, kw_only=True):
    submissions: int
    changes: Annotated[list[RankChange], Meta(description="The first hundred, best rank first.")]
    rows_changed: int
    submissions_corrected: int


class WorkDetail(Work, frozen=True, kw_only=True):
    result: Annotated[RecomputeDone | None, Meta(description="What a recompute found.")]


class WorkAnswer(View, frozen=True, kw_only=True):
    work: WorkDetail


class WorkList(View, frozen=True, kw_only=True):
    work: list[Work] = msgspec.field(name="items")
    page: PageInfo


class RecomputeProgress(View, frozen=True, kw_only=True):
    submissions_read: int
    submissions_total: Annotated[int, Meta(description="0 while it is not known.")]
    work: Work


class RecomputeEvent(View, frozen=True, kw_only=True):
    progress: RecomputeProgress | None
    done: RecomputeDone | None


class BoardChunk(View, frozen=True, kw_only=True):
    chunk: bytes
