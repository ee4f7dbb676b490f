"""Counts, marks and the log of a game, asked by other services on their own behalf."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import cursor_of, position_of
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc import mapper
from deepoj_record.inbound.grpc.mapper import MAPPER
from deepoj_record.inbound.grpc.refusals import raise_refusal
from deepoj_record.queries.counts import (
    CountByDay,
    CountByQuestion,
    CountByRevision,
    CountPassed,
    LoadOfAccount,
)
from deepoj_record.queries.get import BestRecord
from deepoj_record.queries.marks import (
    CountPeople,
    ListMarks,
    ListSolvers,
    QuestionMark,
    QuestionPeople,
    Solvers,
)
from deepoj_record.queries.ports import AccountLoad, QueueState, RevisionCount
from deepoj_record.queries.read_game import ReadGame
from deepoj_record.queries.workload import GetWorkload, ListAttempts, QueueStats, WorkerAttempts, Workload

# ruff: noqa: N802, ARG002 — gRPC's names and signatures


@dataclass(frozen=True, slots=True)
class _Period:
    account_id: AccountId | None
    from_: datetime | None
    before: datetime | None


_PERIOD: Final = MAPPER.reader(record_pb2.CountByDayRequest, _Period)
_QUEUES: Final = MAPPER.writer(QueueState, record_pb2.QueueStatsResponse)
_WORKLOAD: Final = MAPPER.writer(Workload, record_pb2.GetWorkloadResponse)
_ATTEMPTS: Final = MAPPER.writer(WorkerAttempts, record_pb2.ListAttemptsResponse)
_REVISION: Final = MAPPER.writer(RevisionCount, record_pb2.RevisionCount)
_LOAD: Final = MAPPER.writer(AccountLoad, record_pb2.AccountLoadResponse)


@dataclass(frozen=True, slots=True)
class CountUseCases:
    queue_stats: QueueStats
    best: BestRecord
    passed: CountPassed
    by_question: CountByQuestion
    by_revision: CountByRevision
    by_day: CountByDay
    load: LoadOfAccount
    workload: GetWorkload
    attempts: ListAttempts
    read_game: ReadGame


class CountCalls:
    _counts: CountUseCases

    async def QueueStats(
        self, request: record_pb2.QueueStatsRequest, context: object
    ) -> record_pb2.QueueStatsResponse:
        state = await self._counts.queue_stats(mapper.actor(request.actor))
        if isinstance(state, Refused):
            raise_refusal(state)
        return _QUEUES(state)

    async def GetWorkload(
        self, request: record_pb2.GetWorkloadRequest, context: object
    ) -> record_pb2.GetWorkloadResponse:
        found = await self._counts.workload(mapper.actor(request.actor))
        if isinstance(found, Refused):
            raise_refusal(found)
        return _WORKLOAD(found)

    async def ListAttempts(
        self, request: record_pb2.ListAttemptsRequest, context: object
    ) -> record_pb2.ListAttemptsResponse:
        within = request.within.ToTimedelta()
        found = await self._counts.attempts(mapper.actor(request.actor), within)
        if isinstance(found, Refused):
            raise_refusal(found)
        return _ATTEMPTS(found)

    async def BestRecord(
        self, request: record_pb2.BestRecordRequest, context: object
    ) -> record_pb2.BestRecordResponse:
        best = await self._counts.best(
            mapper.actor(request.actor),
            mapper.account_id(request.account_id),
            mapper.question_id(request.question_id),
            mapper.game_id(request.game_id),
        )
        return record_pb2.BestRecordResponse(submission=None if best is None else mapper.submission(best))

    async def CountPassed(
        self, request: record_pb2.CountPassedRequest, context: object
    ) -> record_pb2.CountPassedResponse:
        passed = await self._counts.passed(
            mapper.account_id(request.account_id), mapper.game_id(request.game_id)
        )
        return record_pb2.CountPassedResponse(questions=passed)

    async def CountByQuestion(
        self, request: record_pb2.CountByQuestionRequest, context: object
    ) -> record_pb2.CountByQuestionResponse:
        ids = [mapper.question_id(each) for each in request.question_ids]
        tallies = await self._counts.by_question(ids, mapper.game_id(request.game_id))
        return record_pb2.CountByQuestionResponse(
            counts=[
                record_pb2.QuestionCount(
                    question_id=str(key), submitted=tally.submitted, accepted=tally.accepted
                )
                for key, tally in tallies.items()
            ]
        )

    async def ReadGame(
        self, request: record_pb2.ReadGameRequest, context: object
    ) -> record_pb2.ReadGameResponse:
        game = mapper.game_id(request.game_id)
        if game is None:
            raise InvalidValueError("game_id_malformed", "game_id is not a UUID")
        account = mapper.account_id(request.account_id) if request.account_id else None
        found = await self._counts.read_game(game, account, position_of(request.cursor))
        return record_pb2.ReadGameResponse(
            lines=found.lines, count=found.count, next_cursor=cursor_of(found.next)
        )

    async def CountByRevision(
        self, request: record_pb2.CountByRevisionRequest, context: object
    ) -> record_pb2.CountByRevisionResponse:
        found = await self._counts.by_revision(
            mapper.actor(request.actor), mapper.question_id(request.question_id)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return record_pb2.CountByRevisionResponse(revisions=map(_REVISION, found))

    async def CountByDay(
        self, request: record_pb2.CountByDayRequest, context: object
    ) -> record_pb2.CountByDayResponse:
        period = _PERIOD(request)
        if period.from_ is None or period.before is None:
            raise InvalidValueError("period_malformed", "a period has a beginning and an end")
        tallies = await self._counts.by_day(period.account_id, period.from_, period.before)
        return record_pb2.CountByDayResponse(
            days=[
                record_pb2.DayCount(day=day.isoformat(), submitted=tally.submitted, accepted=tally.accepted)
                for day, tally in tallies.items()
            ]
        )

    async def AccountLoad(
        self, request: record_pb2.AccountLoadRequest, context: object
    ) -> record_pb2.AccountLoadResponse:
        return _LOAD(await self._counts.load(mapper.account_id(request.account_id)))


# ruff: noqa: N802, ARG002 — gRPC's names and signatures


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
