"""The question service, asked whose questions are whose and which of them are published."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final
from uuid import UUID

import grpc

from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.visibility import Access, may
from deepoj_domain.submission.visibility import UNKNOWN_QUESTION, QuestionRules
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub
from deepoj_record.commands.ports import Clock
from deepoj_record.outbound.grpc.recent_answers import RecentAnswers

_log = logging.getLogger(__name__)
_SERVICE: Final = common_pb2.Actor(role=common_pb2.ROLE_JUDGE)


class GrpcQuestionRules:
    def __init__(self, channel: grpc.aio.Channel, clock: Clock) -> None:
        self._questions = QuestionServiceStub(channel)
        self._hidden = RecentAnswers[None, Mapping[QuestionId, AccountId]](clock)
        self._rules = RecentAnswers[QuestionId, tuple[AccountId, bool]](clock)

    async def rules(self, question_id: QuestionId, actor: Actor) -> QuestionRules:
        known = await self._rules.get(question_id, lambda: self._ask(question_id))
        if known is None:
            return UNKNOWN_QUESTION
        owner, enabled = known
        return QuestionRules(
            reads=may(actor, Access.READ, owner=owner, enabled=enabled),
            inspects=may(actor, Access.INSPECT, owner=owner, enabled=enabled),
        )

    async def hidden(self, actor: Actor | None) -> frozenset[QuestionId] | None:
        known = await self._hidden.get(None, self._ask_hidden)
        if known is None:
            return None
        return frozenset(
            question
            for question, owner in known.items()
            if not may(actor, Access.READ, owner=owner, enabled=False)
        )

    async def _ask(self, question_id: QuestionId) -> tuple[AccountId, bool] | None:
        request = question_pb2.GetRequest(actor=_SERVICE, question_id=str(question_id))
        try:
            question = (await self._questions.Get(request)).question
        except RemoteError as error:
            # A deleted question is nobody's any more.
            if error.kind is not Kind.NOT_FOUND:
                _log.warning("who may see question %s is not known: %s", question_id, error)
            return None
        return AccountId(UUID(question.owner_id)), question.enabled

    async def _ask_hidden(self) -> Mapping[QuestionId, AccountId] | None:
        try:
            told = await self._questions.ListHidden(question_pb2.ListHiddenRequest())
        except RemoteError as error:
            _log.warning("which questions are hidden is not known: %s", error)
            return None
        return {QuestionId(UUID(each.question_id)): AccountId(UUID(each.owner_id)) for each in told.questions}
