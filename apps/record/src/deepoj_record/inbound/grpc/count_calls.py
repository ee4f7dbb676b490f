"""Queue statistics and counts, asked by other services on their own behalf."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc import decode, encode
from deepoj_record.inbound.grpc.refusals import raise_refusal
from deepoj_record.queries.best_record import BestRecord
from deepoj_record.queries.counts import CountByDay, CountByQuestion, CountPassed, LoadOfAccount
from deepoj_record.queries.queue_stats import QueueStats


@dataclass(frozen=True, slots=True)
class CountUseCases:
    queue_stats: QueueStats
    best: BestRecord
    passed: CountPassed
    by_question: CountByQuestion
    by_day: CountByDay
    load: LoadOfAccount


class CountCalls:
    _counts: CountUseCases

    async def QueueStats(
        self, request: record_pb2.QueueStatsRequest, context: object
    ) -> record_pb2.QueueStatsResponse:
        state = await self._counts.queue_stats(decode.actor(request.actor))
        if isinstance(state, Refused):
            raise_refusal(state)
        queues = [
            record_pb2.QueueDepth(
                lane=encode.LANE_OF[depth.route.lane],
                band=encode.BAND_OF[depth.route.band],
                waiting=depth.waiting,
                oldest_wait=encode.duration(depth.oldest_wait),
            )
            for depth in state.queues
        ]
        return record_pb2.QueueStatsResponse(
            queues=queues,
            running=state.running,
            stalled=state.stalled,
            dead=state.dead,
            outbox_pending=state.outbox_pending,
        )

    async def BestRecord(
        self, request: record_pb2.BestRecordRequest, context: object
    ) -> record_pb2.BestRecordResponse:
        best = await self._counts.best(
            decode.actor(request.actor),
            decode.account_id(request.account_id),
            decode.question_id(request.question_id),
            decode.game_id(request.game_id),
        )
        return record_pb2.BestRecordResponse(submission=None if best is None else encode.submission(best))

    async def CountPassed(
        self, request: record_pb2.CountPassedRequest, context: object
    ) -> record_pb2.CountPassedResponse:
        passed = await self._counts.passed(
            decode.account_id(request.account_id), decode.game_id(request.game_id)
        )
        return record_pb2.CountPassedResponse(questions=passed)

    async def CountByQuestion(
        self, request: record_pb2.CountByQuestionRequest, context: object
    ) -> record_pb2.CountByQuestionResponse:
        ids = [decode.question_id(each) for each in request.question_ids]
        tallies = await self._counts.by_question(ids, decode.game_id(request.game_id))
        return record_pb2.CountByQuestionResponse(
            counts=[
                record_pb2.QuestionCount(
                    question_id=str(key), submitted=tally.submitted, accepted=tally.accepted
                )
                for key, tally in tallies.items()
            ]
        )

    async def CountByDay(
        self, request: record_pb2.CountByDayRequest, context: object
    ) -> record_pb2.CountByDayResponse:
        start, end = decode.moment(request, "from"), decode.moment(request, "before")
        if start is None or end is None:
            raise InvalidValueError("period_malformed", "a period has a beginning and an end")
        account = decode.account_id(request.account_id) if request.account_id else None
        tallies = await self._counts.by_day(account, start, end)
        return record_pb2.CountByDayResponse(
            days=[
                record_pb2.DayCount(day=day.isoformat(), submitted=tally.submitted, accepted=tally.accepted)
                for day, tally in tallies.items()
            ]
        )

    async def AccountLoad(
        self, request: record_pb2.AccountLoadRequest, context: object
    ) -> record_pb2.AccountLoadResponse:
        load = await self._counts.load(decode.account_id(request.account_id))
        return record_pb2.AccountLoadResponse(in_flight=load.in_flight, submitted_today=load.submitted_today)
