"""What is decided while a game is read as its organiser drafted it: sizes, and what stands for nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from deepoj_domain.game.format import USUAL, FormatOptions, PenaltyRounding
from deepoj_domain.game.game import GamePlan
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.schedule import Schedule
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.score import Score
from deepoj_kit.grpc.mapping import Mapper, Pair
from deepoj_proto.game.v1 import game_pb2

_TITLE: Final = 200
_DESCRIPTION: Final = 50_000
_LABEL: Final = 8
_PROBLEMS: Final = 100
_ACCOUNTS: Final = 20_000
_PASSWORD: Final = 200


def plan(message: game_pb2.Draft) -> GamePlan:
    _require_sizes(message)
    drafted = _plan(message)
    return replace(drafted, sign_up=replace(drafted.sign_up, invited=_invited(message)))


def _require_sizes(message: game_pb2.Draft) -> None:
    accounts = len(message.invited_ids) + len(message.admin_ids) + len(message.judge_ids)
    for name, size, most in (
        ("title", len(message.title), _TITLE),
        ("description", len(message.description), _DESCRIPTION),
        ("password", len(message.password), _PASSWORD),
        ("problems", len(message.problems), _PROBLEMS),
        ("accounts", accounts, _ACCOUNTS),
    ):
        if size > most:
            raise InvalidValueError(f"{name}_too_long", f"{name}: {size} is more than {most}")
    if "\0" in message.title + message.description + message.password:
        raise InvalidValueError("text_malformed", "a text holds a character that cannot be stored")


def _options(
    penalty_minutes: int | None,
    rounding: PenaltyRounding | None,
    decay_minutes: int | None,
    wrong_try_points: Score | None,
    floor_percent: int | None,
) -> FormatOptions:
    return FormatOptions(
        penalty_minutes=penalty_minutes,
        rounding=rounding or USUAL.rounding,
        decay_minutes=USUAL.decay_minutes if decay_minutes is None else decay_minutes,
        wrong_try_points=USUAL.wrong_try_points if wrong_try_points is None else wrong_try_points,
        floor_percent=USUAL.floor_percent if floor_percent is None else floor_percent,
    )


def _times(start: datetime, end: datetime, freeze: datetime | None) -> Schedule:
    return Schedule(start=start, end=end, freeze=freeze)


def _entry(*, private: bool, late_sign_up: bool, late_withdrawal: bool, virtual_allowed: bool) -> SignUpRules:
    return SignUpRules(
        private=private,
        late_sign_up=late_sign_up,
        late_withdrawal=late_withdrawal,
        virtual_allowed=virtual_allowed,
    )


def _problem(label: str, question_id: QuestionId, points: Score, colour: str) -> GameProblem:
    if len(label) > _LABEL or not label.isprintable():
        raise InvalidValueError("label_malformed", f"a label has at most {_LABEL} printable characters")
    return GameProblem(label, question_id, points, colour.lower())


_MAPPER: Final = Mapper(
    Pair(
        game_pb2.Draft,
        GamePlan,
        names={"sign_up": "entry", "admins": "admin_ids", "judges": "judge_ids"},
        # A password is not part of a plan; whether there is one follows from what is stored.
        unmapped=("password", "invited_ids"),
    ),
    Pair(game_pb2.FormatOptions, FormatOptions, made_by=_options),
    Pair(
        game_pb2.Schedule,
        Schedule,
        names={"start": "starts_at", "end": "ends_at", "freeze": "freezes_at"},
        # Removed intervals have a command of their own.
        unmapped=("removed",),
        made_by=_times,
    ),
    Pair(
        game_pb2.Entry,
        SignUpRules,
        names={"late_sign_up": "during_contest", "late_withdrawal": "cancel_during_contest"},
        unmapped=("has_password",),
        made_by=_entry,
    ),
    Pair(game_pb2.Problem, GameProblem, made_by=_problem),
    error=InvalidValueError,
)
_plan: Final = _MAPPER.reader(game_pb2.Draft, GamePlan)
_invited: Final = _MAPPER.field(game_pb2.Draft, "invited_ids", frozenset[AccountId])
