"""A board as a file, a piece at a time."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Sequence
from typing import Final

import msgspec

from deepoj_game.queries.views import RowView

_CHUNK_ROWS: Final = 200
_MINUTE_MS: Final = 60_000
# A spreadsheet takes a cell that begins like this for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_HEAD: Final = ("rank", "account_id", "name", "kind", "solved", "score", "penalty_minutes", "penalty_ms")
_CELL: Final = ("rejected", "pending", "solved_ms", "score", "first_to_solve")


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
