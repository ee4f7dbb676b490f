"""Work and rulings as protobuf."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from deepoj_domain.game.work import Rebuilt, Stage, Work, WorkOutcome
from deepoj_game.inbound.grpc.encode import timestamp
from deepoj_game.inbound.grpc.encode_board import change
from deepoj_game.queries.views import RulingView
from deepoj_proto.game.v1 import game_pb2

_STATE_OF: Final[Mapping[Stage | WorkOutcome, game_pb2.WorkState.ValueType]] = {
    each: game_pb2.WorkState.Value(f"WORK_STATE_{each.name}") for each in (*Stage, *WorkOutcome)
}


def work(found: Work) -> game_pb2.Work:
    return game_pb2.Work(
        id=str(found.id),
        kind=found.kind,
        state=_STATE_OF[found.outcome or found.stage],
        done=found.done,
        total=found.total,
        asked_by=str(found.asked_by),
        asked_at=timestamp(found.asked_at),
        reason=found.reason,
        finished_at=None if found.finished_at is None else timestamp(found.finished_at),
        error=found.error,
        result=None if found.result is None else done(found.result),
    )


def progress(found: Work) -> game_pb2.RecomputeProgress:
    total = found.total if found.stage is Stage.READING else found.submissions
    return game_pb2.RecomputeProgress(
        submissions_read=found.submissions, submissions_total=total, work=work(found)
    )


def done(rebuilt: Rebuilt) -> game_pb2.RecomputeDone:
    return game_pb2.RecomputeDone(
        submissions=rebuilt.submissions,
        changes=[change(each, rebuilt.labels, rebuilt.names) for each in rebuilt.changes],
        rows_changed=rebuilt.rows_changed,
        submissions_corrected=rebuilt.corrected,
    )


def ruling(found: RulingView) -> game_pb2.Ruling:
    return game_pb2.Ruling(
        id=str(found.id),
        by=str(found.by),
        at=timestamp(found.at),
        action=found.action,
        reason=found.reason,
        details=found.details,
    )
