"""A game as its organiser drafted it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from deepoj_domain.game.format import USUAL, FormatOptions, GameFormat, PenaltyRounding
from deepoj_domain.game.game import GamePlan
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.schedule import Schedule
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import Score
from deepoj_game.inbound.grpc import decode
from deepoj_proto.game.v1 import game_pb2

FORMATS: Final[Mapping[int, GameFormat]] = {
    game_pb2.Format.Value(f"FORMAT_{each.name}"): each for each in GameFormat
}
ROUNDINGS: Final[Mapping[int, PenaltyRounding]] = {
    game_pb2.PENALTY_ROUNDING_UNSPECIFIED: PenaltyRounding.PER_SUBMISSION,
    **{game_pb2.PenaltyRounding.Value(f"PENALTY_ROUNDING_{each.name}"): each for each in PenaltyRounding},
}
_TITLE: Final = 200
_DESCRIPTION: Final = 50_000
_LABEL: Final = 8
_PROBLEMS: Final = 100
_ACCOUNTS: Final = 20_000
_PASSWORD: Final = 200


def plan(message: game_pb2.Draft) -> GamePlan:
    """A password is not part of a plan; whether there is one follows from what is stored."""
    _require_sizes(message)
    return GamePlan(
        title=message.title,
        description=message.description,
        format=decode.enum(FORMATS, message.format, "format"),
        options=_options(message.options),
        schedule=_schedule(message.schedule),
        problems=tuple(_problem(each) for each in message.problems),
        sign_up=SignUpRules(
            private=message.entry.private,
            invited=decode.account_ids(message.invited_ids),
            late_sign_up=message.entry.during_contest,
            late_withdrawal=message.entry.cancel_during_contest,
            virtual_allowed=message.entry.virtual_allowed,
        ),
        admins=decode.account_ids(message.admin_ids),
        judges=decode.account_ids(message.judge_ids),
    )


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


def _options(message: game_pb2.FormatOptions) -> FormatOptions:
    has_points = message.HasField("wrong_try_points")
    points = Score(message.wrong_try_points.micros) if has_points else USUAL.wrong_try_points
    return FormatOptions(
        penalty_minutes=message.penalty_minutes if message.HasField("penalty_minutes") else None,
        rounding=decode.enum(ROUNDINGS, message.rounding, "rounding"),
        decay_minutes=message.decay_minutes if message.HasField("decay_minutes") else USUAL.decay_minutes,
        wrong_try_points=points,
        floor_percent=message.floor_percent if message.HasField("floor_percent") else USUAL.floor_percent,
    )


def _schedule(message: game_pb2.Schedule) -> Schedule:
    """Removed intervals have a command of their own."""
    return Schedule(
        start=decode.required_moment(message, "starts_at"),
        end=decode.required_moment(message, "ends_at"),
        freeze=decode.moment(message, "freezes_at"),
    )


def _problem(message: game_pb2.Problem) -> GameProblem:
    if len(message.label) > _LABEL or not message.label.isprintable():
        raise InvalidValueError("label_malformed", f"a label has at most {_LABEL} printable characters")
    return GameProblem(
        label=message.label,
        question_id=decode.question_id(message.question_id),
        points=Score(message.points.micros),
        colour=message.colour.lower(),
    )
