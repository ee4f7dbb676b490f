"""Boards as protobuf."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from deepoj_domain.game.participant import Participant
from deepoj_domain.game.scoring.attempt import Effect
from deepoj_domain.game.scoring.board import BoardRow
from deepoj_domain.game.scoring.diff import RankChange
from deepoj_domain.game.scoring.explain import CountedSubmission
from deepoj_domain.game.scoring.policy import Cell
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.verdict import Verdict
from deepoj_game.inbound.grpc.encode import KIND_OF, clarification, milliseconds, participant, score
from deepoj_game.queries.views import RowView, Shown
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.game.v1 import game_pb2

VIEW_OF: Final[Mapping[BoardView, game_pb2.BoardView.ValueType]] = {
    view: game_pb2.BoardView.Value(f"BOARD_VIEW_{view.name}") for view in BoardView
}
_VERDICT_OF: Final[Mapping[Verdict, judging_pb2.Verdict.ValueType]] = {
    verdict: judging_pb2.Verdict.Value(f"VERDICT_{verdict.name}") for verdict in Verdict
}
_MINUTE_MS: Final = 60_000


def row(view: RowView) -> game_pb2.BoardRow:
    who = participant(view.entrant.participant, view.entrant.display_name)
    return _row(view.row, view.labels, who)


def _row(found: BoardRow, labels: tuple[str, ...], who: game_pb2.Participant) -> game_pb2.BoardRow:
    total = found.row.total
    return game_pb2.BoardRow(
        rank=found.rank,
        participant=who,
        solved=total.solved,
        score=score(total.score),
        penalty_minutes=total.penalty_ms // _MINUTE_MS,
        penalty=milliseconds(total.penalty_ms),
        cells=[
            _cell(label, each, first=label in found.first_in)
            for label, each in zip(labels, found.row.cells, strict=True)
        ],
    )


def _cell(label: str, cell: Cell, *, first: bool) -> game_pb2.BoardCell:
    return game_pb2.BoardCell(
        label=label,
        rejected=cell.rejected,
        pending=cell.pending,
        solved=cell.solved,
        solved_after=None if cell.solved_ms is None else milliseconds(cell.solved_ms),
        first_to_solve=first,
        score=score(cell.score),
    )


def change(
    found: RankChange,
    labels: tuple[str, ...],
    names: Mapping[AccountId, str],
    known: Mapping[AccountId, Participant] | None = None,
) -> game_pb2.RankChange:
    """`known` brings more of the participants than their names, where the caller has it."""
    account = found.account_id

    def encoded(side: BoardRow | None) -> game_pb2.BoardRow | None:
        if side is None:
            return None
        name = names.get(account, "")
        whole = None if known is None else known.get(account)
        brief = game_pb2.Participant(account_id=str(account), display_name=name, kind=KIND_OF[side.row.kind])
        return _row(side, labels, brief if whole is None else participant(whole, name))

    return game_pb2.RankChange(
        account_id=str(account),
        before=encoded(found.before),
        after=encoded(found.after),
        reason=found.reason,
    )


def counted(submission: CountedSubmission) -> game_pb2.CountedSubmission:
    """Of a frozen submission only that it was made is told."""
    fact = submission.fact
    told = submission.effect is not Effect.FROZEN and fact.verdict is not None
    return game_pb2.CountedSubmission(
        submission_id=str(fact.submission_id),
        label=submission.label,
        verdict=_VERDICT_OF[fact.verdict] if told and fact.verdict else judging_pb2.VERDICT_UNSPECIFIED,
        score=score(fact.score) if told else None,
        after_start=milliseconds(submission.elapsed_ms),
        effect=submission.effect,
    )


def shown(change_: Shown) -> game_pb2.WatchScoreboardResponse:
    return game_pb2.WatchScoreboardResponse(
        sequence=change_.sequence,
        row=None if change_.row is None else row(change_.row),
        reload=change_.reload,
        clarification=None if change_.clarification is None else clarification(change_.clarification),
    )
