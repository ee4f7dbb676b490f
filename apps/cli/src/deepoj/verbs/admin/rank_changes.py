"""Who would move on a board, and where."""

from __future__ import annotations

from collections.abc import Sequence

from deepoj.client.contest_wire import RankChange, RulingPreview
from deepoj.client.wire import Wire
from deepoj.verbs.admin.desk import Desk


class Move(Wire, frozen=True):
    participant: str
    rank: str
    solved: str
    score: str
    why: str


def show_changes(desk: Desk, changes: Sequence[RankChange]) -> None:
    desk.show(
        [_move(each) for each in changes],
        *Move.__struct_fields__,
        none="nobody on the board moves or changes",
    )


def show_preview(desk: Desk, preview: RulingPreview) -> None:
    if desk.as_json:
        desk.facts(preview)
        return
    show_changes(desk, preview.changes)
    desk.done(f"nothing was done; it would change {preview.rows_changed} rows of the board")


def _move(change: RankChange) -> Move:
    known = change.after or change.before
    return Move(
        participant=known.participant.display_name if known else change.user_id,
        rank=_both(*(row and row.rank for row in (change.before, change.after))),
        solved=_both(*(row and row.solved for row in (change.before, change.after))),
        score=_both(*(row and f"{row.score:g}" for row in (change.before, change.after))),
        why=change.reason,
    )


def _both(before: object, after: object) -> str:
    return f"{_or_none(before)} → {_or_none(after)}"


def _or_none(value: object) -> str:
    return "–" if value is None else str(value)
