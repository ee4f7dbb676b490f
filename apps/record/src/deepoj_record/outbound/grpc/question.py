"""The question service, asked which revision a submission is to be judged by."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import grpc

from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.batching import Batched
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub
from deepoj_record.commands.ports import QuestionAwayError, QuestionFacts
from deepoj_record.outbound.grpc.actors import ROLES


@dataclass(frozen=True, slots=True)
class _Asked:
    question_id: QuestionId
    role: common_pb2.Role.ValueType
    personal: AccountId | None
    """Who asks, where the answer depends on it."""
    account_id: AccountId = field(compare=False)


_Answer = QuestionFacts | QuestionAwayError | None


class GrpcCatalogue:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._questions = QuestionServiceStub(channel)
        # Those who come while calls are under way share the next ones: no answer is older than its asking.
        self._newest = Batched(self._ask_all)

    async def newest(self, question_id: QuestionId, actor: Actor, *, vouched: bool) -> QuestionFacts | None:
        # The problems of a game are hidden from contestants elsewhere; whoever let them in has checked that.
        role = common_pb2.ROLE_JUDGE if vouched else ROLES[actor.role]
        personal = None if vouched or actor.role is Role.CONTESTANT else actor.account_id
        answer = await self._newest(_Asked(question_id, role, personal, actor.account_id))
        if isinstance(answer, QuestionAwayError):
            raise answer
        return answer

    async def _ask_all(self, asked: Sequence[_Asked]) -> list[_Answer]:
        different = tuple(dict.fromkeys(asked))
        answers = await asyncio.gather(*(self._ask(each) for each in different))
        known = dict(zip(different, answers, strict=True))
        return [known[each] for each in asked]

    async def _ask(self, asked: _Asked) -> _Answer:
        actor = common_pb2.Actor(account_id=str(asked.account_id), role=asked.role)
        try:
            answer = await self._questions.Get(
                question_pb2.GetRequest(actor=actor, question_id=str(asked.question_id))
            )
        except RemoteError as error:
            if error.kind in {Kind.NOT_FOUND, Kind.FORBIDDEN}:
                return None
            return QuestionAwayError(str(error))
        question = answer.question
        return QuestionFacts(
            revision=RevisionRef(asked.question_id, question.revision),
            languages=frozenset(language_slug(each) for each in question.languages),
            source_bytes=question.limits.source_bytes or None,
        )
