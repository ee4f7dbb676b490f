"""A board as a file, a piece at a time."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Sequence
from typing import Final

import msgspec

from deepoj_domain.kernel.score import Score
from deepoj_game.queries.views import RowView

_CHUNK_ROWS: Final = 200
_MINUTE_MS: Final = 60_000
# A spreadsheet takes a cell that begins like this for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_HEAD: Final = ("rank", "account_id", "name", "kind", "solved", "score", "penalty_minutes", "penalty_ms")
_CELL: Final = ("rejected", "pending", "solved_ms", "score", "first_to_solve")
_NOTHING: Final = (0, 0, None, 0, 0)
_COMPACT: Final = (
    "rank", "user_id", "name", "kind", "solved", "score", "penalty_ms", "sort_key", "cells",
)  # fmt: skip
_MOST_COMPACT: Final = 10_000
_MICROS: Final = 1_000_000


async def as_csv(labels: Sequence[str], rows: AsyncIterator[RowView]) -> AsyncIterator[bytes]:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*_HEAD, *(f"{label}_{name}" for label in labels for name in _CELL)])
    count = 0
    async for row in rows:
        writer.writerow([_plain(each) for each in (*_line(row), *_cells(row))])
        count += 1
        if count % _CHUNK_ROWS == 0:
            yield _taken(text)
    yield _taken(text)


async def as_json(
    game_id: str, view: str, labels: Sequence[str], rows: AsyncIterator[RowView]
) -> AsyncIterator[bytes]:
    """One document; each row stands on a line of its own."""
    head = msgspec.json.encode({"game_id": game_id, "view": view, "problems": list(labels)})
    yield head[:-1] + b',"rows":['
    separator = b"\n"
    async for row in rows:
        cells = {
            label: dict(zip(_CELL, cell, strict=True))
            for label, cell in zip(labels, _split(row), strict=True)
        }
        line = {**dict(zip(_HEAD, _line(row), strict=True)), "cells": cells}
        yield separator + msgspec.json.encode(line)
        separator = b",\n"
    yield b"\n]}\n"


async def as_compact(
    view: str, sequence: int, labels: Sequence[str], rows: AsyncIterator[RowView]
) -> AsyncIterator[bytes]:
    """One document of arrays. A cell ends where only zeros, and null for `solved_ms`, would follow.

    Who keeps it takes in later changes by `sequence` and puts rows in order by their sort keys.
    """
    head = {
        "sequence": sequence,
        "view": view,
        "problems": list(labels),
        "columns": _COMPACT,
        "cell_columns": _CELL,
    }
    yield msgspec.json.encode(head)[:-1] + b',"rows":['
    count, lines = 0, list[bytes]()
    async for row in rows:
        if count == _MOST_COMPACT:
            break
        lines.append((b"," if count else b"") + msgspec.json.encode(_compact(row)))
        count += 1
        if count % _CHUNK_ROWS == 0:
            yield b"".join(lines)
            lines = []
    yield b"".join(lines) + b"]}"


def _compact(view: RowView) -> tuple[object, ...]:
    row, first_in = view.row.row, view.row.first_in
    cells = [
        _trimmed((cell.rejected, cell.pending, cell.solved_ms, _points(cell.score), int(label in first_in)))
        for label, cell in zip(view.labels, row.cells, strict=True)
    ]
    total = row.total
    return (
        view.row.rank,
        row.account_id,
        view.entrant.display_name,
        row.kind,
        total.solved,
        _points(total.score),
        total.penalty_ms,
        view.row.sort_key,
        cells,
    )


def _trimmed(cell: Sequence[float | None]) -> Sequence[float | None]:
    size = len(cell)
    while size and cell[size - 1] == _NOTHING[size - 1]:
        size -= 1
    return cell[:size]


def _points(score: Score) -> float:
    whole, rest = divmod(score.micros, _MICROS)
    return score.micros / _MICROS if rest else whole


def _line(view: RowView) -> tuple[object, ...]:
    total = view.row.row.total
    return (
        view.row.rank,
        str(view.row.row.account_id),
        view.entrant.display_name,
        view.row.row.kind.value,
        total.solved,
        str(total.score),
        total.penalty_ms // _MINUTE_MS,
        total.penalty_ms,
    )


def _split(view: RowView) -> list[tuple[object, ...]]:
    return [
        (cell.rejected, cell.pending, cell.solved_ms, str(cell.score), label in view.row.first_in)
        for label, cell in zip(view.labels, view.row.row.cells, strict=True)
    ]


def _cells(view: RowView) -> list[object]:
    return [part for cell in _split(view) for part in cell]


def _plain(value: object) -> object:
    match value:
        case bool():
            return int(value)
        case None:
            return ""
        case str() if value.startswith(_FORMULA):
            return f"'{value}"
        case _:
            return value


def _taken(text: io.StringIO) -> bytes:
    found = text.getvalue().encode()
    text.seek(0)
    text.truncate()
    return found
