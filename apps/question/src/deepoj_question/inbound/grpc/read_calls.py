"""Get, List, ListTags, ListHidden, ListRevisions, GetJudgeSpec, GetStatement, GetAsset."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from deepoj_domain.documents import JUDGING
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_kit.documents import Document
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.inbound.grpc import mapper
from deepoj_question.inbound.grpc.refusals import raise_refusal
from deepoj_question.queries.get import Get
from deepoj_question.queries.get_asset import GetAsset
from deepoj_question.queries.get_judge_spec import GetJudgeSpec
from deepoj_question.queries.get_statement import GetStatement
from deepoj_question.queries.list import List
from deepoj_question.queries.list_hidden import ListHidden
from deepoj_question.queries.list_tags import ListTags
from deepoj_question.queries.revisions import ListRevisions

_JUDGING: Final = Document(JUDGING, InvalidValueError)


@dataclass(frozen=True, slots=True)
class ReadingUseCases:
    get: Get
    list: List
    tags: ListTags
    revisions: ListRevisions
    hidden: ListHidden
    judge_spec: GetJudgeSpec
    statement: GetStatement
    asset: GetAsset


class ReadingCalls:
    _reading: ReadingUseCases

    async def Get(self, request: pb.GetRequest, context: object) -> pb.GetResponse:
        found = await self._reading.get(
            mapper.actor(request.actor),
            mapper.question_key(request),
            revision=request.revision,
            game_id=mapper.game_id(request.game_id),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return pb.GetResponse(question=mapper.question(found))

    async def List(self, request: pb.ListRequest, context: object) -> pb.ListResponse:
        found = await self._reading.list(
            mapper.actor(request.actor), mapper.search(request), mapper.page(request.page)
        )
        return mapper.catalogue(found)

    async def ListTags(self, request: pb.ListTagsRequest, context: object) -> pb.ListTagsResponse:
        return pb.ListTagsResponse(tags=map(mapper.tag_count, await self._reading.tags()))

    async def ListHidden(self, request: pb.ListHiddenRequest, context: object) -> pb.ListHiddenResponse:
        hidden = await self._reading.hidden()
        return pb.ListHiddenResponse(
            questions=[
                pb.HiddenQuestion(question_id=str(question), owner_id=str(owner))
                for question, owner in hidden.items()
            ]
        )

    async def ListRevisions(
        self, request: pb.ListRevisionsRequest, context: object
    ) -> pb.ListRevisionsResponse:
        found = await self._reading.revisions(
            mapper.actor(request.actor),
            mapper.question_id(request.question_id),
            with_changes=request.with_changes,
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return pb.ListRevisionsResponse(revisions=[mapper.revision(each) for each in found])

    async def GetJudgeSpec(self, request: pb.GetJudgeSpecRequest, context: object) -> pb.GetJudgeSpecResponse:
        revision = RevisionRef(mapper.question_id(request.question_id), request.revision)
        found = await self._reading.judge_spec(revision)
        if isinstance(found, Refused):
            raise_refusal(found)
        return pb.GetJudgeSpecResponse(judge_hash=found.hash, document=_JUDGING.encode(found))

    async def GetStatement(self, request: pb.GetStatementRequest, context: object) -> pb.GetStatementResponse:
        found = await self._reading.statement(
            mapper.actor(request.actor),
            mapper.question_key(request),
            mapper.locale(request.locale),
            revision=request.revision,
            game_id=mapper.game_id(request.game_id),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return mapper.statement(found)

    async def GetAsset(
        self, request: pb.GetAssetRequest, context: object
    ) -> AsyncIterator[pb.GetAssetResponse]:
        found = await self._reading.asset(
            mapper.actor(request.actor),
            mapper.question_id(request.question_id),
            mapper.asset_name(request),
            revision=request.revision,
            game_id=mapper.game_id(request.game_id),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        yield pb.GetAssetResponse(header=mapper.asset(found.asset))
        async with aclosing(found.chunks) as chunks:
            async for chunk in chunks:
                yield pb.GetAssetResponse(chunk=chunk)
