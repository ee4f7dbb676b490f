"""GetJudging, GetCaseFile: what only the owner and the staff see of a revision."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from deepoj_domain.kernel.outcome import Refused
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.inbound.grpc import decode, encode
from deepoj_question.inbound.grpc.encode_tests import judge_spec
from deepoj_question.inbound.grpc.refusals import raise_refusal
from deepoj_question.queries.get_case_file import CaseFile, GetCaseFile
from deepoj_question.queries.revisions import Inspect

_FILES: Final[Mapping[int, CaseFile]] = {
    pb.CASE_FILE_INPUT: CaseFile.INPUT,
    pb.CASE_FILE_ANSWER: CaseFile.ANSWER,
}


@dataclass(frozen=True, slots=True)
class InspectUseCases:
    inspect: Inspect
    case_file: GetCaseFile


class InspectCalls:
    _inspecting: InspectUseCases

    async def GetJudging(self, request: pb.GetJudgingRequest, context: object) -> pb.GetJudgingResponse:
        found = await self._inspecting.inspect(
            decode.actor(request.actor), decode.question_id(request.question_id), request.revision
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        judging = found.content.judging
        return pb.GetJudgingResponse(
            revision=request.revision or found.question.revision,
            judge_hash=judging.hash,
            judging=judge_spec(judging),
            limits=encode.allowance(judging.allowance),
            languages=sorted(judging.languages or ()),
        )

    async def GetCaseFile(
        self, request: pb.GetCaseFileRequest, context: object
    ) -> AsyncIterator[pb.GetCaseFileResponse]:
        found = await self._inspecting.case_file(
            decode.actor(request.actor),
            decode.question_id(request.question_id),
            request.revision,
            request.number,
            decode.enum(_FILES, request.file, "file"),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        async with aclosing(found) as chunks:
            async for chunk in chunks:
                yield pb.GetCaseFileResponse(chunk=chunk)
