"""Submit, SubmitMany, Get, List, Cancel, Watch, Explain."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from deepoj_domain.kernel.outcome import Refused
from deepoj_kit.grpc import call_span, refusal_of
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.commands.cancel import Cancel
from deepoj_record.commands.ports import EntryRefused
from deepoj_record.commands.submit import Submit, SubmitRequest
from deepoj_record.inbound.grpc import decode, encode
from deepoj_record.inbound.grpc.refusals import (
    person,
    raise_entry_refusal,
    raise_refusal,
    signed_in,
    translate,
)
from deepoj_record.queries.explain import Explain
from deepoj_record.queries.get import Get
from deepoj_record.queries.list import List
from deepoj_record.queries.watch import Watch

_SUBMIT: Final = "/deepoj.record.v1.RecordService/Submit"


@dataclass(frozen=True, slots=True)
class SubmissionUseCases:
    submit: Submit
    cancel: Cancel
    get: Get
    list: List
    watch: Watch
    explain: Explain


class SubmissionCalls:
    _submissions: SubmissionUseCases

    async def Submit(self, request: record_pb2.SubmitRequest, context: object) -> record_pb2.SubmitResponse:
        outcome = await self._submissions.submit(
            SubmitRequest(
                actor=person(decode.actor(request.actor)),
                submission_id=decode.submission_id(request.submission_id),
                idempotency_key=request.idempotency_key,
                question_id=decode.question_id(request.question_id),
                game_id=decode.game_id(request.game_id),
                language=request.language,
                source=request.source,
                only_repeat=request.only_repeat,
            )
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        if isinstance(outcome, EntryRefused):
            raise_entry_refusal(outcome)
        return record_pb2.SubmitResponse(submission_id=str(outcome.submission_id), repeated=outcome.repeated)

    async def SubmitMany(
        self, request: record_pb2.SubmitManyRequest, context: object
    ) -> record_pb2.SubmitManyResponse:
        decode.batch_size(len(request.submissions))
        outcomes = await asyncio.gather(*(self._submitted(each) for each in request.submissions))
        return record_pb2.SubmitManyResponse(outcomes=outcomes)

    async def _submitted(self, request: record_pb2.TracedSubmit) -> record_pb2.SubmitOutcome:
        """One of many: as Submit, but a failure is an answer, and the others have theirs."""
        with call_span(_SUBMIT, request.traceparent):
            try:
                return record_pb2.SubmitOutcome(accepted=await self.Submit(request.submission, None))
            except Exception as error:  # noqa: BLE001 — whatever it is, it concerns this one
                refused = encode.submit_refused(refusal_of(error, _SUBMIT, translate))
                return record_pb2.SubmitOutcome(refused=refused)

    async def Get(self, request: record_pb2.GetRequest, context: object) -> record_pb2.GetResponse:
        detail = await self._submissions.get(
            decode.actor(request.actor), decode.submission_id(request.submission_id), head=request.head
        )
        if isinstance(detail, Refused):
            raise_refusal(detail)
        return record_pb2.GetResponse(
            submission=encode.submission(detail.submission, detail.source),
            attempts=[encode.attempt(attempt) for attempt in detail.attempts],
        )

    async def List(self, request: record_pb2.ListRequest, context: object) -> record_pb2.ListResponse:
        page = await self._submissions.list(
            decode.actor(request.actor),
            decode.selection(request.filter),
            decode.page(request.page),
            ascending=request.ascending,
            with_archived=request.filter.with_archived,
        )
        if isinstance(page, Refused):
            raise_refusal(page)
        return record_pb2.ListResponse(
            submissions=[encode.submission(view) for view in page.items], page=encode.page_info(page.next)
        )

    async def Cancel(self, request: record_pb2.CancelRequest, context: object) -> record_pb2.CancelResponse:
        actor = signed_in(decode.actor(request.actor))
        outcome = await self._submissions.cancel(actor, decode.submission_id(request.submission_id))
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        detail = await self._submissions.get(actor, outcome.after.id)
        if isinstance(detail, Refused):
            raise_refusal(detail)
        return record_pb2.CancelResponse(submission=encode.submission(detail.submission))

    async def Watch(
        self, request: record_pb2.WatchRequest, context: object
    ) -> AsyncIterator[record_pb2.WatchResponse]:
        actor, key = decode.actor(request.actor), decode.submission_id(request.submission_id)
        async with aclosing(self._submissions.watch(actor, key)) as views:
            async for view in views:
                if isinstance(view, Refused):
                    raise_refusal(view)
                yield record_pb2.WatchResponse(submission=encode.submission(view))

    async def Explain(
        self, request: record_pb2.ExplainRequest, context: object
    ) -> record_pb2.ExplainResponse:
        found = await self._submissions.explain(
            decode.actor(request.actor), decode.submission_id(request.submission_id)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        view = found.submission
        return record_pb2.ExplainResponse(
            status=encode.STATUS_OF[view.status],
            lane=encode.LANE_OF[view.route.lane],
            band=encode.BAND_OF[view.route.band],
            position=found.position,
            lease_owner=view.lease_owner,
            lease_until=encode.timestamp(view.lease_until),
            attempts=[encode.attempt(attempt) for attempt in found.attempts],
            next_retry_at=encode.timestamp(found.next_retry_at),
            summary=found.summary,
        )
