"""From views to protobuf."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.format import FormatOptions, GameFormat, PenaltyRounding
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.schedule import Phase, Schedule
from deepoj_domain.kernel.paging import Position, cursor_of
from deepoj_domain.kernel.score import Score
from deepoj_game.inbound.grpc.decode import KINDS, PHASES
from deepoj_game.inbound.grpc.decode_draft import FORMATS
from deepoj_game.queries.views import GameView
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.game.v1 import game_pb2

PHASE_OF: Final[Mapping[Phase, game_pb2.Phase.ValueType]] = {
    phase: game_pb2.Phase.ValueType(number) for number, phase in PHASES.items()
}
_FORMAT_OF: Final[Mapping[GameFormat, game_pb2.Format.ValueType]] = {
    each: game_pb2.Format.ValueType(number) for number, each in FORMATS.items()
}
KIND_OF: Final[Mapping[ParticipantKind, game_pb2.ParticipantKind.ValueType]] = {
    kind: game_pb2.ParticipantKind.ValueType(number) for number, kind in KINDS.items()
}
_ROUNDING_OF: Final = {
    each: game_pb2.PenaltyRounding.Value(f"PENALTY_ROUNDING_{each.name}") for each in PenaltyRounding
}


def timestamp(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    made = Timestamp()
    made.FromDatetime(moment)
    return made


def duration(length: timedelta) -> Duration:
    made = Duration()
    made.FromTimedelta(length)
    return made


def milliseconds(length: int) -> Duration:
    made = Duration()
    made.FromMilliseconds(length)
    return made


def score(value: Score) -> judging_pb2.Score:
    return judging_pb2.Score(micros=value.micros)


def page_info(position: Position | None) -> common_pb2.PageInfo:
    return common_pb2.PageInfo(next_cursor=cursor_of(position))


def game(view: GameView) -> game_pb2.Game:
    plan = view.game.plan
    rules = plan.sign_up
    return game_pb2.Game(
        id=str(view.game.id),
        title=plan.title,
        description=plan.description,
        owner_id=str(view.game.owner),
        format=_FORMAT_OF[plan.format],
        options=_options(plan.options),
        schedule=_schedule(plan.schedule),
        problems=[_problem(each) for each in plan.problems],
        entry=game_pb2.Entry(
            private=rules.private,
            has_password=rules.has_password,
            during_contest=rules.late_sign_up,
            virtual_allowed=rules.virtual_allowed,
            cancel_during_contest=rules.late_withdrawal,
        ),
        phase=PHASE_OF[view.phase],
        participants=view.participants,
        version=view.version,
        unfrozen_at=timestamp(plan.schedule.unfrozen_at),
        finalized_at=timestamp(plan.schedule.finalized_at),
        admin_ids=sorted(map(str, plan.admins)),
        judge_ids=sorted(map(str, plan.judges)),
        invited_ids=sorted(map(str, rules.invited)),
    )


def listed_game(view: GameView) -> game_pb2.Game:
    found = game(view)
    found.ClearField("description")
    found.ClearField("problems")
    found.ClearField("invited_ids")
    return found


def participant(who: Participant, display_name: str) -> game_pb2.Participant:
    return game_pb2.Participant(
        account_id=str(who.account_id),
        display_name=display_name,
        kind=KIND_OF[who.kind],
        signed_up_at=timestamp(who.signed_up_at),
        virtual_start=timestamp(who.virtual_start),
        penalty_adjustment_minutes=who.penalty_adjustment_minutes,
    )


def clarification(note: Clarification) -> game_pb2.Clarification:
    return game_pb2.Clarification(
        id=str(note.id),
        asked_by="" if note.asked_by is None else str(note.asked_by),
        question_id="" if note.question_id is None else str(note.question_id),
        text=note.text,
        asked_at=timestamp(note.asked_at),
        answer="" if note.answer is None else note.answer.text,
        answered_by="" if note.answer is None else str(note.answer.by),
        answered_at=None if note.answer is None else timestamp(note.answer.at),
        public=note.public,
    )


def _options(options: FormatOptions) -> game_pb2.FormatOptions:
    return game_pb2.FormatOptions(
        penalty_minutes=options.penalty_minutes,
        rounding=_ROUNDING_OF[options.rounding],
        decay_minutes=options.decay_minutes,
        wrong_try_points=score(options.wrong_try_points),
        floor_percent=options.floor_percent,
    )


def _schedule(schedule: Schedule) -> game_pb2.Schedule:
    made = game_pb2.Schedule(
        starts_at=timestamp(schedule.start),
        ends_at=timestamp(schedule.end),
        freezes_at=timestamp(schedule.freeze),
    )
    for each in schedule.removed:
        # `from` is a keyword in Python.
        made.removed.add(**{"from": timestamp(each.since), "before": timestamp(each.until)})
    return made


def _problem(problem: GameProblem) -> game_pb2.Problem:
    return game_pb2.Problem(
        question_id=str(problem.question_id),
        label=problem.label,
        points=score(problem.points),
        colour=problem.colour,
    )
