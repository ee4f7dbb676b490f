"""Rows of a board as text, and their keys as bytes that sort as the keys do."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Final

import msgspec

from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.policy import Cell, Total
from deepoj_domain.game.scoring.tally import Row
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.score import Score

_CellText = tuple[int, int, int | None, int | None, int]
_RowText = tuple[int, int, int, tuple[int, int, int], list[_CellText]]
_DECODER = msgspec.json.Decoder(_RowText)
_ENCODER = msgspec.json.Encoder()
_OFFSET: Final = 2**63
_KEY = struct.Struct(">QQQ")


def encode_row(row: Row) -> str:
    total = row.total
    cells = [
        (cell.rejected, cell.pending, cell.solved_ms, cell.pending_ms, cell.score.micros)
        for cell in row.cells
    ]
    text = (total.solved, total.score.micros, total.penalty_ms, total.key, cells)
    return _ENCODER.encode(text).decode()


def decode_row(account_id: AccountId, kind: ParticipantKind, text: str) -> Row:
    solved, micros, penalty_ms, key, cells = _DECODER.decode(text)
    total = Total(solved=solved, score=Score(micros), penalty_ms=penalty_ms, key=key)
    return Row(account_id, kind, total, tuple(_cell(*cell) for cell in cells))


@lru_cache(maxsize=65_536)
def _cell(rejected: int, pending: int, solved: int | None, waiting: int | None, micros: int) -> Cell:
    """Most cells of a board are alike, and a frozen dataclass takes its time to make."""
    return Cell(rejected=rejected, pending=pending, solved_ms=solved, pending_ms=waiting, score=Score(micros))


def key_of(row: Row) -> bytes:
    """Shifted into the positive, so that bytes compare as the signed numbers do."""
    return _KEY.pack(*(part + _OFFSET for part in row.total.key))
