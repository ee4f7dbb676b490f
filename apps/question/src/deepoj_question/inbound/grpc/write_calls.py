"""Create, Update, Relist, Delete, SetEnabled, PutObject."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_kit.grpc import signed_in
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.commands.create import Create
from deepoj_question.commands.delete import Delete
from deepoj_question.commands.optimistic_update import Outcome
from deepoj_question.commands.put_object import PutObject
from deepoj_question.commands.relist import Relist
from deepoj_question.commands.set_enabled import SetEnabled
from deepoj_question.commands.update import Update
from deepoj_question.inbound.grpc import mapper
from deepoj_question.inbound.grpc.refusals import raise_refusal
from deepoj_question.queries.views import detail_of


@dataclass(frozen=True, slots=True)
class EditingUseCases:
    create: Create
    update: Update
    relist: Relist
    delete: Delete
    set_enabled: SetEnabled
    put_object: PutObject


class EditingCalls:
    _editing: EditingUseCases

    async def Create(self, request: pb.CreateRequest, context: object) -> pb.CreateResponse:
        outcome = await self._editing.create(
            signed_in(mapper.actor(request.actor)),
            mapper.question_id(request.question_id),
            mapper.draft(request.draft),
        )
        return pb.CreateResponse(question=shown(outcome))

    async def Update(self, request: pb.UpdateRequest, context: object) -> pb.UpdateResponse:
        outcome = await self._editing.update(
            signed_in(mapper.actor(request.actor)),
            mapper.question_id(request.question_id),
            request.version,
            mapper.draft(request.draft),
        )
        return pb.UpdateResponse(question=shown(outcome))

    async def Relist(self, request: pb.RelistRequest, context: object) -> pb.RelistResponse:
        outcome = await self._editing.relist(
            signed_in(mapper.actor(request.actor)),
            mapper.question_id(request.question_id),
            request.version,
            mapper.listing_change(request),
        )
        return pb.RelistResponse(question=shown(outcome))

    async def Delete(self, request: pb.DeleteRequest, context: object) -> pb.DeleteResponse:
        outcome = await self._editing.delete(
            signed_in(mapper.actor(request.actor)),
            mapper.question_id(request.question_id),
            request.version,
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return pb.DeleteResponse()

    async def SetEnabled(self, request: pb.SetEnabledRequest, context: object) -> pb.SetEnabledResponse:
        outcome = await self._editing.set_enabled(
            signed_in(mapper.actor(request.actor)),
            mapper.question_id(request.question_id),
            enabled=request.enabled,
        )
        return pb.SetEnabledResponse(question=shown(outcome))

    async def PutObject(
        self, request_iterator: AsyncIterator[pb.PutObjectRequest], context: object
    ) -> pb.PutObjectResponse:
        first = await anext(request_iterator, pb.PutObjectRequest())
        if first.WhichOneof("part") != "header":
            raise InvalidValueError("header_missing", "the first message is the header")
        actor = signed_in(mapper.actor(first.header.actor))
        outcome = await self._editing.put_object(actor, _chunks(request_iterator))
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return pb.PutObjectResponse(object=pb.ObjectRef(sha256=outcome.content, size=outcome.size))


async def _chunks(requests: AsyncIterator[pb.PutObjectRequest]) -> AsyncIterator[bytes]:
    async for request in requests:
        if request.WhichOneof("part") != "chunk":
            raise InvalidValueError("chunk_missing", "after the header only chunks follow")
        yield request.chunk


def shown(outcome: Outcome) -> pb.Question:
    if isinstance(outcome, Refused):
        raise_refusal(outcome)
    return mapper.question(detail_of(outcome))
