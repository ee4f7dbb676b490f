"""Scoreboards, and what rejudges and recomputes do to them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.inbound.http.wire.base import Milliseconds, PageInfo, Points, Wire
from deepoj_bff.inbound.http.wire.contest import Clarification, Participant
from deepoj_bff.inbound.http.wire.submission import Verdict


class BoardView(StrEnum):
    PUBLIC = "public"
    FROZEN = "frozen"
    OWN = "own"
    ADMIN = "admin"


class ExportFormat(StrEnum):
    CSV = "csv"
    JSON = "json"


class BoardCell(Wire, frozen=True, kw_only=True):
    label: str
    rejected: Annotated[int, Meta(description="Counted rejections before the accepted one.")]
    pending: int
    solved: bool
    solved_after: Milliseconds | None
    first_to_solve: bool
    score: Points


class BoardRow(Wire, frozen=True, kw_only=True):
    rank: Annotated[int, Meta(description="Equal participants share it; 0 is out of competition.")]
    participant: Participant
    solved: int
    score: Points
    penalty_minutes: int
    cells: list[BoardCell]


class Scoreboard(Wire, frozen=True, kw_only=True):
    rows: list[BoardRow] = msgspec.field(name="items")
    page: PageInfo
    sequence: Annotated[int, Meta(description="The last change that is in it.")]
    view: BoardView | None


class Score(Wire, frozen=True, kw_only=True):
    row: BoardRow


class CountedSubmission(Wire, frozen=True, kw_only=True):
    submission_id: str
    label: str
    verdict: Verdict | None
    score: Points
    after_start: Milliseconds
    effect: Annotated[str, Meta(description="Why it counts, or does not.", examples=["accepted"])]


class RankExplanation(Wire, frozen=True, kw_only=True):
    row: BoardRow
    submissions: list[CountedSubmission]
    summary: Annotated[str, Meta(description="What separates it from the next better rank.")]


class BoardChange(Wire, frozen=True, kw_only=True):
    sequence: int
    row: BoardRow | None
    reload: Annotated[bool, Meta(description="The board changed as a whole: read it again.")]
    clarification: Clarification | None


class RankChange(Wire, frozen=True, kw_only=True):
    account_id: str
    before: BoardRow | None
    after: BoardRow | None
    reason: str


class RankChanges(Wire, frozen=True, kw_only=True):
    changes: list[RankChange]
    submissions: int
    judged: Annotated[int, Meta(description="The preview is final when all are.")]


class RecomputeProgress(Wire, frozen=True, kw_only=True):
    submissions_read: int
    submissions_total: Annotated[int, Meta(description="0 while it is not known.")]


class RecomputeDone(Wire, frozen=True, kw_only=True):
    submissions: int
    changes: Annotated[list[RankChange], Meta(description="The first thousand, best rank first.")]
    rows_changed: int
    submissions_corrected: int


class RecomputeEvent(Wire, frozen=True, kw_only=True):
    progress: RecomputeProgress | None
    done: RecomputeDone | None


class BoardChunk(Wire, frozen=True, kw_only=True):
    chunk: bytes
