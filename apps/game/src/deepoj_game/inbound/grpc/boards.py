"""What is decided while boards are written: cells have their labels, and what is withheld is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.board import BoardRow
from deepoj_domain.game.scoring.diff import RankChange
from deepoj_domain.game.scoring.explain import CountedSubmission
from deepoj_domain.game.scoring.policy import Cell, Total
from deepoj_domain.game.scoring.tries import Effect
from deepoj_domain.kernel.ids import AccountId
from deepoj_game.queries.views import EntrantView, RowView
from deepoj_kit.grpc.mapping import Mapper, Pair
from deepoj_proto.game.v1 import game_pb2

_MINUTE_MS: Final = 60_000
ENTRANT_NAMES: Final = {
    f"participant.{name}": name
    for name in ("account_id", "kind", "signed_up_at", "virtual_start", "penalty_adjustment_minutes")
}
_MAPPER: Final = Mapper(
    Pair(game_pb2.Participant, EntrantView, names=ENTRANT_NAMES),
    Pair(
        game_pb2.BoardRow,
        Total,
        names={"penalty_ms": "penalty"},
        unmapped=("key", "rank", "sort_key", "penalty_minutes", "participant", "cells"),
    ),
    Pair(
        game_pb2.BoardCell,
        Cell,
        names={"solved": "solved", "solved_ms": "solved_after"},
        unmapped=("pending_ms", "label", "first_to_solve"),
    ),
)
_entrant: Final = _MAPPER.writer(EntrantView, game_pb2.Participant)
_total: Final = _MAPPER.writer(Total, game_pb2.BoardRow)
_cell: Final = _MAPPER.writer(Cell, game_pb2.BoardCell)


def write_row(view: RowView) -> game_pb2.BoardRow:
    return _row(view.row, view.labels, _entrant(view.entrant))


def _row(found: BoardRow, labels: tuple[str, ...], who: game_pb2.Participant) -> game_pb2.BoardRow:
    written = _total(found.row.total)
    written.rank, written.sort_key = found.rank, found.sort_key
    written.penalty_minutes = found.row.total.penalty_ms // _MINUTE_MS
    written.participant.CopyFrom(who)
    for label, each in zip(labels, found.row.cells, strict=True):
        cell = _cell(each)
        cell.label, cell.first_to_solve = label, label in found.first_in
        written.cells.append(cell)
    return written


Who = Callable[[AccountId, ParticipantKind], game_pb2.Participant]


def write_change(change: RankChange, labels: tuple[str, ...], who: Who) -> game_pb2.RankChange:
    def row(side: BoardRow | None) -> game_pb2.BoardRow | None:
        return None if side is None else _row(side, labels, who(change.account_id, side.row.kind))

    return game_pb2.RankChange(
        account_id=str(change.account_id),
        before=row(change.before),
        after=row(change.after),
        reason=change.reason,
    )


def known_as(entrants: Mapping[AccountId, EntrantView]) -> Who:
    return lambda account, _: _entrant(entrants[account])


def named(names: Mapping[AccountId, str]) -> Who:
    """Of work only the names are kept."""
    return lambda account, kind: _MAPPER.build(
        game_pb2.Participant, {"account_id": account, "display_name": names.get(account, ""), "kind": kind}
    )


def write_counted(submission: CountedSubmission) -> game_pb2.CountedSubmission:
    """Of a frozen submission only that it was made is told."""
    fact = submission.fact
    told = submission.effect is not Effect.FROZEN and fact.verdict is not None
    return _MAPPER.build(
        game_pb2.CountedSubmission,
        {
            "submission_id": fact.submission_id,
            "label": submission.label,
            "verdict": fact.verdict if told else None,
            "score": fact.score if told else None,
            "after_start": submission.elapsed_ms,
            "effect": submission.effect,
        },
    )
