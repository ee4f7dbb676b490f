"""CountPeople, ListSolvers and ListMarks, asked by other services on their own behalf."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc import mapper
from deepoj_record.inbound.grpc.mapper import MAPPER
from deepoj_record.queries.marks import (
    CountPeople,
    ListMarks,
    ListSolvers,
    QuestionMark,
    QuestionPeople,
    Solvers,
)

_PEOPLE: Final = MAPPER.writer(QuestionPeople, record_pb2.QuestionPeople)
_SOLVERS: Final = MAPPER.writer(Solvers, common_pb2.Solvers)
_MARK: Final = MAPPER.writer(QuestionMark, record_pb2.QuestionMark)


@dataclass(frozen=True, slots=True)
class MarkUseCases:
    people: CountPeople
    solvers: ListSolvers
    marks: ListMarks


class MarkCalls:
    _marks: MarkUseCases

    async def CountPeople(
        self, request: record_pb2.CountPeopleRequest, context: object
    ) -> record_pb2.CountPeopleResponse:
        found = await self._marks.people([mapper.question_id(each) for each in request.question_ids])
        return record_pb2.CountPeopleResponse(counts=map(_PEOPLE, found))

    async def ListSolvers(
        self, request: record_pb2.ListSolversRequest, context: object
    ) -> record_pb2.ListSolversResponse:
        return record_pb2.ListSolversResponse(solvers=map(_SOLVERS, await self._marks.solvers()))

    async def ListMarks(
        self, request: record_pb2.ListMarksRequest, context: object
    ) -> record_pb2.ListMarksResponse:
        ids = [mapper.question_id(each) for each in request.question_ids]
        found = await self._marks.marks(mapper.account_id(request.account_id), ids)
        return record_pb2.ListMarksResponse(marks=map(_MARK, found))
