"""GetJudging, GetCaseFile: what only the owner and the staff see of a revision."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass

from deepoj_domain.kernel.outcome import Refused
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.inbound.grpc import mapper
from deepoj_question.inbound.grpc.judge_specs import write_judging
from deepoj_question.inbound.grpc.refusals import raise_refusal
from deepoj_question.queries.get_case_file import GetCaseFile
from deepoj_question.queries.revisions import Inspect


@dataclass(frozen=True, slots=True)
class InspectUseCases:
    inspect: Inspect
    case_file: GetCaseFile


class InspectCalls:
    _inspecting: InspectUseCases

    async def GetJudging(self, request: pb.GetJudgingRequest, context: object) -> pb.GetJudgingResponse:
        found = await self._inspecting.inspect(
            mapper.actor(request.actor), mapper.question_id(request.question_id), request.revision
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        judging = found.content.judging
        return pb.GetJudgingResponse(
            revision=request.revision or found.question.revision,
            judge_hash=judging.hash,
            judging=write_judging(judging),
            limits=mapper.allowance(judging.allowance),
            languages=sorted(judging.languages or ()),
        )

    async def GetCaseFile(
        self, request: pb.GetCaseFileRequest, context: object
    ) -> AsyncIterator[pb.GetCaseFileResponse]:
        found = await self._inspecting.case_file(
            mapper.actor(request.actor),
            mapper.question_id(request.question_id),
            request.revision,
            request.number,
            mapper.case_file(request),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        async with aclosing(found) as chunks:
            async for chunk in chunks:
                yield pb.GetCaseFileResponse(chunk=chunk)
