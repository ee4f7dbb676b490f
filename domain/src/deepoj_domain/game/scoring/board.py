"""From rows to a board: who is shown in which view, order, shared ranks, and who was first to solve what."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.policy import Cell
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import Row, Tally
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId

OUT_OF_COMPETITION = 0
_DIGITS = "0123456789abcdefghijklmnopqrstuv"
_MIDDLE = len(_DIGITS) // 2


@dataclass(frozen=True, slots=True)
class BoardRow:
    rank: int
    """Equal rows share one; 0 for those out of competition, who stand beside and take none."""
    row: Row
    first_in: frozenset[str] = frozenset()
    """Labels of the problems this participant was the first to solve."""

    @property
    def sort_key(self) -> str:
        """Text that sorts as the rows of a board do. It follows from what the row shows, and nothing else."""
        return "".join(map(_sortable, self.row.total.key)) + str(self.row.account_id)


@dataclass(frozen=True, slots=True)
class Board:
    labels: tuple[str, ...]
    rows: tuple[BoardRow, ...]

    def row_of(self, account_id: AccountId) -> BoardRow | None:
        return next((row for row in self.rows if row.row.account_id == account_id), None)


def board_of(labels: Sequence[str], rows: Iterable[Row]) -> Board:
    ordered = sorted(rows, key=lambda row: (row.total.key, row.account_id.int))
    firsts = _firsts(labels, ordered)
    return Board(
        tuple(labels),
        tuple(
            BoardRow(rank, row, firsts.get(row.account_id, frozenset()))
            for rank, row in zip(ranks(ordered), ordered, strict=True)
        ),
    )


def ranks(ordered: Sequence[Row]) -> list[int]:
    """One for each row: how many official rows are better, plus one."""
    given: list[int] = []
    officials, rank, key = 0, 0, None
    for row in ordered:
        if row.kind is not ParticipantKind.OFFICIAL:
            given.append(OUT_OF_COMPETITION)
            continue
        officials += 1
        if row.total.key != key:
            rank, key = officials, row.total.key
        given.append(rank)
    return given


def first_to_solve(cells: Iterable[tuple[AccountId, Cell]]) -> frozenset[AccountId]:
    """Of the official participants' cells of one problem: who solved it in the earliest millisecond.

    Nobody is named while an undecided submission is earlier, whoever made it: it may yet be the first.
    """
    column = list(cells)
    solved = [cell.solved_ms for _, cell in column if cell.solved_ms is not None]
    pending = [cell.pending_ms for _, cell in column if cell.pending_ms is not None]
    if not solved or (pending and min(pending) < min(solved)):
        return frozenset()
    first_ms = min(solved)
    return frozenset(account_id for account_id, cell in column if cell.solved_ms == first_ms)


def _firsts(labels: Sequence[str], rows: Sequence[Row]) -> dict[AccountId, frozenset[str]]:
    official = [row for row in rows if row.kind is ParticipantKind.OFFICIAL]
    firsts: dict[AccountId, frozenset[str]] = {}
    for position, label in enumerate(labels):
        for account_id in first_to_solve((row.account_id, row.cells[position]) for row in official):
            firsts[account_id] = firsts.get(account_id, frozenset()) | {label}
    return firsts


def _sortable(number: int) -> str:
    """Base 32, after how long it is: longer is more, and less where it is negative."""
    rest, digits = abs(number), ""
    while rest:
        rest, digit = divmod(rest, len(_DIGITS))
        digits = _DIGITS[digit if number > 0 else ~digit] + digits
    return _DIGITS[_MIDDLE + (len(digits) if number > 0 else -len(digits))] + digits


def board_for(
    rules: Rules,
    tallies: Iterable[Tally],
    view: BoardView,
    *,
    is_frozen: bool,
    viewer: AccountId | None = None,
) -> Board:
    """`is_frozen` is what `visibility.shows_frozen` says of the view and the moment."""
    rows = (row_for(tally, view, is_frozen=is_frozen, viewer=viewer) for tally in tallies)
    labels = tuple(problem.label for problem in rules.problems)
    return board_of(labels, (row for row in rows if row is not None))


def row_for(tally: Tally, view: BoardView, *, is_frozen: bool, viewer: AccountId | None = None) -> Row | None:
    """None when this view does not show the participant."""
    if view is BoardView.ADMIN:
        return tally.full
    if view is BoardView.OWN and tally.full.account_id == viewer:
        return tally.full
    if tally.full.kind is ParticipantKind.HIDDEN:
        return None
    return tally.frozen if is_frozen else tally.full
