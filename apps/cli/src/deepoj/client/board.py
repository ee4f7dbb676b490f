"""A scoreboard as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from deepoj.client.wire import Cell, Row

_MINUTE: Final = 60_000
_BY_PENALTY: Final = "icpc"


def board_table(rows: Sequence[Row], contest_format: str) -> Table:
    """ICPC ranks by problems and penalty, everything else by points."""
    by_penalty = contest_format == _BY_PENALTY
    table = Table(box=None, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("participant")
    for heading in ("solved", "penalty") if by_penalty else ("score",):
        table.add_column(heading, justify="right")
    for label in dict.fromkeys(cell.label for row in rows for cell in row.cells):
        table.add_column(escape(label), justify="right")
    for row in rows:
        totals = (str(row.solved), str(row.penalty_minutes)) if by_penalty else (f"{row.score:g}",)
        cells = (_tries(cell) if by_penalty else _points(cell) for cell in row.cells)
        table.add_row(str(row.rank or ""), escape(row.participant.display_name), *totals, *cells)
    return table


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
