"""The question service, asked which questions somebody may read without a game."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from uuid import UUID

import grpc

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.role import Actor
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub

IDEMPOTENT: Final = ("/deepoj.question.v1.QuestionService/List",)


class GrpcQuestions:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._questions = QuestionServiceStub(channel)

    async def readable(self, actor: Actor, questions: Collection[QuestionId]) -> frozenset[QuestionId]:
        asking = common_pb2.Actor(account_id=str(actor.account_id), role=_role(actor))
        request = question_pb2.ListRequest(
            actor=asking,
            question_ids=map(str, questions),
            page=common_pb2.PageRequest(size=len(questions)),
        )
        found = await self._questions.List(request)
        return frozenset(QuestionId(UUID(each.id)) for each in found.questions)


def _role(actor: Actor) -> common_pb2.Role.ValueType:
    return common_pb2.Role.Value(f"ROLE_{actor.role.name}")
