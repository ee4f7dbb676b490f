"""A scoreboard as people read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from deepoj.client.wire import Cell, Row

_MINUTE: Final = 60_000
_SECOND: Final = 1000
# What ranks the rows; everything else is ranked by points alone.
_TOTALS: Final[Mapping[str, tuple[str, ...]]] = {"icpc": ("solved", "penalty"), "atcoder": ("score", "time")}


def board_table(rows: Sequence[Row], contest_format: str) -> Table:
    headings = _TOTALS.get(contest_format, ("score",))
    by_penalty = "penalty" in headings
    table = Table(box=None, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("participant")
    for heading in headings:
        table.add_column(heading, justify="right")
    for label in dict.fromkeys(cell.label for row in rows for cell in row.cells):
        table.add_column(escape(label), justify="right")
    for row in rows:
        totals = (_total(row, heading) for heading in headings)
        cells = (_tries(cell) if by_penalty else _points(cell) for cell in row.cells)
        table.add_row(str(row.rank or ""), escape(row.participant.display_name), *totals, *cells)
    return table


def _total(row: Row, heading: str) -> str:
    match heading:
        case "solved":
            return str(row.solved)
        case "penalty":
            return str(row.penalty_minutes)
        case "time":
            return f"{row.penalty_ms // _MINUTE}:{row.penalty_ms % _MINUTE // _SECOND:02}"
        case _:
            return f"{row.score:g}"


def _tries(cell: Cell) -> Text:
    if cell.solved:
        tries = f"+{cell.rejected or ''}"
        minute = "" if cell.solved_after_ms is None else f" {cell.solved_after_ms // _MINUTE}'"
        return Text(tries + minute, "bold green" if cell.first_to_solve else "green")
    if cell.pending:
        return Text(f"?{cell.rejected + cell.pending}", "yellow")
    return Text(f"-{cell.rejected}" if cell.rejected else "", "red")


def _points(cell: Cell) -> Text:
    if cell.pending:
        return Text(f"{cell.score:g}?", "yellow")
    if not cell.score and not cell.rejected:
        return Text("")
    return Text(f"{cell.score:g}", "green" if cell.solved else "default")
