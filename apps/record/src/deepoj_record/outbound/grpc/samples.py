"""The question service, asked which cases of a revision are samples. A revision never changes."""

from __future__ import annotations

import logging
from typing import Final

import grpc
from cachetools import LRUCache

from deepoj_domain.documents import JUDGING
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_kit.documents import Document
from deepoj_kit.grpc import RemoteError
from deepoj_kit.single_flight import SingleFlight
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub
from deepoj_record.queries.read_log import Sample

_log = logging.getLogger(__name__)
_JUDGING: Final = Document(JUDGING, InvalidValueError)
_MOST_KEPT: Final = 512


class GrpcSamples:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._questions = QuestionServiceStub(channel)
        self._kept = LRUCache[RevisionRef, dict[str, Sample]](_MOST_KEPT)
        self._calls = SingleFlight[RevisionRef, dict[str, Sample]]()

    async def of(self, revision: RevisionRef) -> dict[str, Sample]:
        known = self._kept.get(revision)
        return await self._calls(revision, lambda: self._ask(revision)) if known is None else known

    async def _ask(self, revision: RevisionRef) -> dict[str, Sample]:
        request = question_pb2.GetJudgeSpecRequest(
            question_id=str(revision.question_id), revision=revision.number
        )
        try:
            judging = _JUDGING.decode((await self._questions.GetJudgeSpec(request)).document)
        except (RemoteError, InvalidValueError) as error:
            _log.warning("which cases of %s are samples is not known: %s", revision, error)
            return {}
        found = {each.name: Sample(each.input, each.answer) for each in judging.suite.cases if each.is_sample}
        self._kept[revision] = found
        return found
