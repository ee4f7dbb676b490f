"""The judge spec of a revision, asked of question once: a revision never changes."""

from __future__ import annotations

from typing import Final

import grpc
from cachetools import LRUCache

from deepoj_domain.documents import JUDGING
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.retry import Failure
from deepoj_judgement.commands.judge.errors import (
    JudgingFailedError,
    ServiceFailedError,
    UnknownRevisionError,
)
from deepoj_judgement.commands.judge.spec import JudgeSpec, spec_of
from deepoj_kit.documents import Document
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub

IDEMPOTENT: Final = ("/deepoj.question.v1.QuestionService/GetJudgeSpec",)
_MOST_KEPT: Final = 512
_JUDGING: Final = Document(JUDGING, InvalidValueError)


class GrpcSpecs:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._calls = QuestionServiceStub(channel)
        self._kept: LRUCache[RevisionRef, JudgeSpec] = LRUCache(_MOST_KEPT)

    async def get(self, revision: RevisionRef) -> JudgeSpec:
        known = self._kept.get(revision)
        if known is None:
            known = self._kept[revision] = await self._ask(revision)
        return known

    async def _ask(self, revision: RevisionRef) -> JudgeSpec:
        request = pb.GetJudgeSpecRequest(question_id=str(revision.question_id), revision=revision.number)
        try:
            answer = await self._calls.GetJudgeSpec(request)
        except RemoteError as error:
            if error.kind in {Kind.NOT_FOUND, Kind.INVALID}:
                raise UnknownRevisionError(revision) from error
            raise ServiceFailedError(f"question: {error}") from error
        try:
            return spec_of(_JUDGING.decode(answer.document))
        except InvalidValueError as error:
            raise JudgingFailedError(Failure.MALFORMED_JOB, f"{revision}: {error}") from error
