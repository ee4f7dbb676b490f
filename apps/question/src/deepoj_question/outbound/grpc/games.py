"""The game service, asked which problems somebody may see now."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import grpc

from deepoj_domain.kernel.ids import GameId, QuestionId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.game.v1.game_pb2_grpc import GameServiceStub

IDEMPOTENT: Final = ("/deepoj.game.v1.GameService/Get",)
_GUEST: Final = common_pb2.Actor(role=common_pb2.ROLE_GUEST)
_ROLES: Final = {
    Role.CONTESTANT: common_pb2.ROLE_CONTESTANT,
    Role.SETTER: common_pb2.ROLE_SETTER,
    Role.JUDGE: common_pb2.ROLE_JUDGE,
    Role.ADMIN: common_pb2.ROLE_ADMIN,
}


class GrpcGames:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._games = GameServiceStub(channel)

    async def problems(self, game_id: GameId, actor: Actor | None) -> frozenset[QuestionId]:
        request = game_pb2.GetRequest(actor=_actor(actor), game_id=str(game_id))
        try:
            answer = await self._games.Get(request)
        except RemoteError as error:
            if error.kind in {Kind.NOT_FOUND, Kind.FORBIDDEN}:
                return frozenset()
            raise
        return frozenset(QuestionId(UUID(each.question_id)) for each in answer.game.problems)


def _actor(actor: Actor | None) -> common_pb2.Actor:
    if actor is None:
        return _GUEST
    return common_pb2.Actor(account_id=str(actor.account_id), role=_ROLES[actor.role])
