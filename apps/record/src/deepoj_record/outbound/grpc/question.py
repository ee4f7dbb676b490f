"""The question service, asked which revision a submission is to be judged by."""

from __future__ import annotations

import asyncio
from functools import partial

import grpc

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub
from deepoj_record.commands.ports import QuestionAwayError, QuestionFacts
from deepoj_record.outbound.grpc.actors import ROLES

# What is asked, in which role, and by whom unless that makes no difference.
_Asking = tuple[QuestionId, int, str]


class GrpcCatalogue:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._questions = QuestionServiceStub(channel)
        self._asking: dict[_Asking, asyncio.Task[QuestionFacts | None]] = {}

    async def newest(self, question_id: QuestionId, actor: Actor, *, vouched: bool) -> QuestionFacts | None:
        """Those who ask the same at the same time share one call; nothing is kept after it."""
        # The problems of a game are hidden from contestants elsewhere; whoever let them in has checked that.
        role = common_pb2.ROLE_JUDGE if vouched else ROLES[actor.role]
        is_anybody = vouched or actor.role is Role.CONTESTANT
        key = (question_id, role, "" if is_anybody else str(actor.account_id))
        call = self._asking.get(key)
        if call is None:
            asking = common_pb2.Actor(account_id=str(actor.account_id), role=role)
            call = self._asking[key] = asyncio.create_task(self._ask(question_id, asking))
            call.add_done_callback(partial(self._answered, key))
        # One of those who wait may give up; the others still want the answer.
        return await asyncio.shield(call)

    def begin_anew(self) -> None:
        """Share no call that is under way: it may answer with what was so before a change."""
        self._asking = {}

    def _answered(self, key: _Asking, call: asyncio.Task[QuestionFacts | None]) -> None:
        if self._asking.get(key) is call:
            del self._asking[key]
        if not call.cancelled():
            # Looked at, so that a failure nobody waits for any more is not reported as forgotten.
            call.exception()

    async def _ask(self, question_id: QuestionId, asking: common_pb2.Actor) -> QuestionFacts | None:
        try:
            answer = await self._questions.Get(
                question_pb2.GetRequest(actor=asking, question_id=str(question_id))
            )
        except RemoteError as error:
            if error.kind in {Kind.NOT_FOUND, Kind.FORBIDDEN}:
                return None
            raise QuestionAwayError(str(error)) from error
        question = answer.question
        return QuestionFacts(
            revision=RevisionRef(question_id, question.revision),
            languages=frozenset(language_slug(each) for each in question.languages),
            source_bytes=question.limits.source_bytes or None,
        )
