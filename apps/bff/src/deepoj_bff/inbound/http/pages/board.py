"""The first rows of a board that everybody may see."""

from __future__ import annotations

import asyncio
from typing import Final
from uuid import UUID

import msgspec

from deepoj_bff.inbound.http.pages.contests import decoded_contest, headed, read_contest
from deepoj_bff.inbound.http.pages.known import NothingToShowError, address
from deepoj_bff.inbound.http.pages.markup import Child, Markup, element
from deepoj_bff.inbound.http.pages.page import Asked, Render, Shown, table, without_script
from deepoj_bff.inbound.http.pages.words import Words
from deepoj_bff.queries.services import Page
from deepoj_bff.queries.views.board import BoardCell, BoardRow, CompactBoard, CompactRow, Scoreboard
from deepoj_bff.queries.views.contest import Contest
from deepoj_domain.game.format import Format
from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.visibility import BoardView

_BOARD: Final = msgspec.json.Decoder(Scoreboard)
_ROWS: Final = 100
_MINUTE: Final = 60_000


async def board_page(asked: Asked) -> Render:
    contest_id = UUID(asked.part)
    if "at" in asked.query:
        raise NothingToShowError("the past is for the script")
    head, found = await asyncio.gather(
        read_contest(asked, contest_id),
        asked.reads.boards.page(contest_id, BoardView.PUBLIC, None, Page(_ROWS, None), None),
    )
    if found.body is None:
        raise NothingToShowError(asked.part)
    board = _BOARD.decode(found.body)
    whole = address("contests", asked.part, "scoreboard", "compact", query=[("view", BoardView.PUBLIC)])
    asked.known.parts[whole] = msgspec.json.encode(_compact(board))

    def render() -> Shown:
        words, contest = asked.words, decoded_contest(head)
        title = words("contest.board")
        shown = element(
            "div",
            element("h1", title),
            _table(words, contest, board) if board.rows else element("p", words("board.empty")),
            without_script(words, "without_script.board"),
            class_="board-page",
        )
        return Shown(f"{title} · {contest.title}", headed(words, contest, shown, at="/board"))

    return render


def _labels(board: Scoreboard) -> list[str]:
    return [cell.label for cell in board.rows[0].cells] if board.rows else []


def _table(words: Words, contest: Contest, board: Scoreboard) -> Markup:
    is_icpc = contest.format is Format.ICPC
    columns = [
        (words("board.rank"), "number"),
        (words("board.name"), "wide"),
        (words("board.solved" if is_icpc else "contest.points"), "number"),
        (words("board.penalty"), "number"),
        *((label, "") for label in _labels(board)),
    ]
    rows = [_row(words, row, is_icpc=is_icpc) for row in board.rows]
    return table(words("contest.board"), columns, rows)


def _row(words: Words, row: BoardRow, *, is_icpc: bool) -> list[Child]:
    person = row.participant
    kind = element("span", words(f"entrant.{person.kind}"), class_="tag")
    return [
        row.rank or "–",
        [person.display_name, " ", None if person.kind is ParticipantKind.OFFICIAL else kind],
        row.solved if is_icpc else f"{row.score:g}",
        row.penalty_minutes,
        *(_cell(cell, is_icpc=is_icpc) for cell in row.cells),
    ]


def _cell(cell: BoardCell, *, is_icpc: bool) -> str:
    """Return what a cell shows, in the signs of the site's own board."""
    waiting = f"?{cell.pending}" if cell.pending else ""
    if cell.solved and is_icpc:
        tries = f"+{cell.rejected}" if cell.rejected else ""
        return f"{'★' if cell.first_to_solve else '✓'}{tries} {(cell.solved_after or 0) // _MINUTE}"
    sign = "★" if cell.first_to_solve else "✓" if cell.solved else "◐" if cell.score > 0 else "✗"
    if is_icpc:
        told = f"✗{cell.rejected}" if cell.rejected else ""
    elif cell.score > 0 or cell.solved or cell.rejected:
        told = f"{sign} {cell.score:g}" if cell.score > 0 else f"{sign} {cell.rejected}"
    else:
        told = ""
    return " ".join(filter(None, (told, waiting)))


def _compact(board: Scoreboard) -> CompactBoard:
    """Return these rows as the script reads the whole board."""
    return CompactBoard(
        sequence=board.sequence,
        view=BoardView.PUBLIC,
        problems=_labels(board),
        columns=[],
        cell_columns=[],
        rows=[_compact_row(row) for row in board.rows],
    )


def _compact_row(row: BoardRow) -> CompactRow:
    person = row.participant
    cells: list[list[float | None]] = [
        [each.rejected, each.pending, each.solved_after, each.score, int(each.first_to_solve)]
        for each in row.cells
    ]
    sums = (row.solved, row.score, row.penalty, row.sort_key)
    return (row.rank, person.account_id, person.display_name, person.kind, *sums, cells)
