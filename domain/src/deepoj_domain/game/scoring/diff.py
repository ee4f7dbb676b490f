"""What changed between two boards, and why."""

from collections.abc import Iterator
from dataclasses import dataclass

from deepoj_domain.game.scoring.board import Board, BoardRow
from deepoj_domain.game.scoring.policy import EMPTY, Cell
from deepoj_domain.game.scoring.words import count, minutes
from deepoj_domain.kernel.ids import AccountId


@dataclass(frozen=True, slots=True)
class RankChange:
    account_id: AccountId
    before: BoardRow | None
    after: BoardRow | None
    reason: str


def diff(before: Board, after: Board) -> tuple[RankChange, ...]:
    """In the order of the new board; those who left it come last. Two equal boards differ in nothing."""
    old = {row.row.account_id: row for row in before.rows}
    changes = [_change(before, after, old.pop(row.row.account_id, None), row) for row in after.rows]
    gone = [RankChange(account_id, row, None, "no longer on the board") for account_id, row in old.items()]
    return (*(change for change in changes if change is not None), *gone)


def _change(before: Board, after: Board, old: BoardRow | None, new: BoardRow) -> RankChange | None:
    if old is None:
        return RankChange(new.row.account_id, None, new, "new on the board")
    if old == new and before.labels == after.labels:
        return None
    reasons = "; ".join(_reasons(before, after, old, new)) or "others moved"
    return RankChange(new.row.account_id, old, new, reasons)


def _reasons(before: Board, after: Board, old: BoardRow, new: BoardRow) -> Iterator[str]:
    if old.row.kind is not new.row.kind:
        yield f"now {new.row.kind}, was {old.row.kind}"
    old_cells = dict(zip(before.labels, old.row.cells, strict=True))
    new_cells = dict(zip(after.labels, new.row.cells, strict=True))
    for label in dict.fromkeys((*before.labels, *after.labels)):
        was, now = old_cells.get(label, EMPTY), new_cells.get(label, EMPTY)
        if was != now:
            yield f"{label}: {_describe(now)}, was {_describe(was)}"
    if old_cells == new_cells and old.row.total != new.row.total:
        yield "another penalty or scoring rule"
    for label in sorted(new.first_in - old.first_in):
        yield f"now first to solve {label}"
    for label in sorted(old.first_in - new.first_in):
        yield f"no longer first to solve {label}"


def _describe(cell: Cell) -> str:
    words = []
    if cell.solved_ms is not None:
        words.append(f"solved after {minutes(cell.solved_ms)}")
    if cell.score.micros:
        words.append(f"{cell.score} points")
    if cell.rejected:
        words.append(count(cell.rejected, "wrong try", "wrong tries"))
    if cell.pending:
        words.append(f"{cell.pending} pending")
    return ", ".join(words) or "nothing"
