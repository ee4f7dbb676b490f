"""Organisers and contestants at the level of gRPC, for tests that see the service from outside."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from deepoj_domain.kernel.score import Score
from deepoj_domain.testing import ALICE, BOB, ROOT, uuid
from deepoj_kit.grpc.mapping.values import timestamp
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.game.v1 import game_pb2

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub

GUEST = common_pb2.Actor(role=common_pb2.ROLE_GUEST)
ORGANISER = common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_JUDGE)
ADMIN = common_pb2.Actor(account_id=str(ROOT.account_id), role=common_pb2.ROLE_ADMIN)
CONTESTANT = common_pb2.Actor(account_id=str(ALICE), role=common_pb2.ROLE_CONTESTANT)
OTHER = common_pb2.Actor(account_id=str(uuid(5)), role=common_pb2.ROLE_CONTESTANT)
JUDGE = common_pb2.Actor(account_id=str(uuid(6)), role=common_pb2.ROLE_CONTESTANT)
QUESTIONS = [str(uuid(100 + number)) for number in range(3)]


def contestant(account_id: UUID | str) -> common_pb2.Actor:
    return common_pb2.Actor(account_id=str(account_id), role=common_pb2.ROLE_CONTESTANT)


def a_draft(
    starts_in: timedelta = timedelta(hours=1), length: timedelta = timedelta(hours=5), problems: int = 3
) -> game_pb2.Draft:
    """Open to all, frozen for the last fifth."""
    start = datetime.now(UTC) + starts_in
    return game_pb2.Draft(
        title="Regional",
        description="Five hours.",
        format=game_pb2.FORMAT_ICPC,
        schedule=game_pb2.Schedule(
            starts_at=timestamp(start),
            ends_at=timestamp(start + length),
            freezes_at=timestamp(start + length * 0.8),
        ),
        problems=[
            game_pb2.Problem(
                question_id=QUESTIONS[number],
                label="ABC"[number],
                points=judging_pb2.Score(micros=Score.points(100).micros),
                colour="#ff0000",
            )
            for number in range(problems)
        ],
        judge_ids=[JUDGE.account_id],
    )


def a_create(draft: game_pb2.Draft | None = None) -> game_pb2.CreateRequest:
    return game_pb2.CreateRequest(actor=ORGANISER, game_id=str(uuid4()), draft=draft or a_draft())


async def a_contest(
    game: GameServiceAsyncStub,
    starts_in: timedelta,
    game_format: game_pb2.Format.ValueType = game_pb2.FORMAT_ICPC,
    names: tuple[str, str] = ("Alice", "Bea"),
) -> str:
    """Make a contest that two contestants could still sign up for, then move it to where it should be."""
    request = a_create(a_draft())
    request.draft.format = game_format
    made = (await game.Create(request)).game
    for actor, name in zip((CONTESTANT, OTHER), names, strict=True):
        await game.SignUp(game_pb2.SignUpRequest(actor=actor, game_id=made.id, display_name=name))
    request.draft.schedule.CopyFrom(a_draft(starts_in).schedule)
    update = game_pb2.UpdateRequest(actor=ORGANISER, game_id=made.id, version=1, draft=request.draft)
    await game.Update(update)
    return made.id
