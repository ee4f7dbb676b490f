"""Scoreboards, and what rejudges and recomputes do to them."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import Milliseconds, PageInfo, Points, View
from deepoj_bff.queries.views.contest import Clarification, Participant, Work
from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.policy import GapCode
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.verdict import Verdict


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
    sort_key: Annotated[str, Meta(description="Ascending order of these is the order of the board.")]


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


class RankGap(View, frozen=True, kw_only=True):
    code: GapCode
    by: Annotated[int, Meta(description="By how much, in what the code names.")] = msgspec.field(name="by")
    rank: int
    better_rank: int
    shared_with: Annotated[int, Meta(description="Others of the same rank.")]


class RankExplanation(View, frozen=True, kw_only=True):
    row: BoardRow
    submissions: list[CountedSubmission]
    summary: Annotated[str, Meta(description="What separates it from the next better rank.")]
    gap: Annotated[RankGap, Meta(description="The same, for who writes the sentence.")]


CompactCell = Annotated[
    list[float | None],
    Meta(max_length=5, description="In the order of `cell_columns`; ends where only nothing would follow."),
]
CompactRow = tuple[int, str, str, ParticipantKind, int, float, int, str, list[CompactCell]]


class CompactBoard(View, frozen=True, kw_only=True):
    """All rows, ten thousand at most, as arrays in the order of `columns`."""

    sequence: Annotated[int, Meta(description="All changes up to it are in it, and perhaps later ones.")]
    view: BoardView
    problems: Annotated[list[str], Meta(description="The labels; rows have a cell for each.")]
    columns: list[str]
    cell_columns: list[str]
    rows: list[CompactRow]


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


class RulingPreview(View, frozen=True, kw_only=True):
    """What a ruling would do; nothing has happened."""

    rows_changed: int
    changes: Annotated[list[RankChange], Meta(description="The first hundred, best rank first.")]


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
