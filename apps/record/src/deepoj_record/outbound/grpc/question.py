"""The question service, asked which revision a submission is to be judged by."""

from __future__ import annotations

import grpc

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub
from deepoj_record.commands.ports import QuestionFacts

_ROLES = {
    Role.CONTESTANT: common_pb2.ROLE_CONTESTANT,
    Role.SETTER: common_pb2.ROLE_SETTER,
    Role.JUDGE: common_pb2.ROLE_JUDGE,
    Role.ADMIN: common_pb2.ROLE_ADMIN,
}


class GrpcCatalogue:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._questions = QuestionServiceStub(channel)

    async def newest(self, question_id: QuestionId, actor: Actor, *, vouched: bool) -> QuestionFacts | None:
        # The problems of a game are hidden from contestants elsewhere; whoever let them in has checked that.
        role = common_pb2.ROLE_JUDGE if vouched else _ROLES[actor.role]
        asking = common_pb2.Actor(account_id=str(actor.account_id), role=role)
        try:
            answer = await self._questions.Get(
                question_pb2.GetRequest(actor=asking, question_id=str(question_id))
            )
        except RemoteError as error:
            if error.kind in {Kind.NOT_FOUND, Kind.FORBIDDEN}:
                return None
            raise
        question = answer.question
        return QuestionFacts(
            revision=RevisionRef(question_id, question.revision),
            languages=frozenset(language_slug(each) for each in question.languages),
            source_bytes=question.limits.source_bytes or None,
        )
