"""Submit, SubmitMany, Get, List, Cancel, GetLog, Explain."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import person
from deepoj_domain.submission.attempt import Attempt
from deepoj_kit.grpc import Refusal, call_span, refusal_of, signed_in
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.commands.cancel import Cancel
from deepoj_record.commands.ports import EntryRefused
from deepoj_record.commands.submit import Accepted, Submit, SubmitRequest
from deepoj_record.inbound.grpc import mapper
from deepoj_record.inbound.grpc.mapper import MAPPER
from deepoj_record.inbound.grpc.refusals import raise_entry_refusal, raise_refusal, translate
from deepoj_record.queries.explain import Explain, Explanation
from deepoj_record.queries.get import Get
from deepoj_record.queries.list import List
from deepoj_record.queries.read_log import LogName, LogText, ReadLog

_SUBMIT: Final = "/deepoj.record.v1.RecordService/Submit"
_SUBMIT_REQUEST: Final = MAPPER.reader(record_pb2.SubmitRequest, SubmitRequest)
_ACCEPTED: Final = MAPPER.writer(Accepted, record_pb2.SubmitResponse)
_ATTEMPT: Final = MAPPER.writer(Attempt, record_pb2.Attempt)
_LOG_NAME: Final = MAPPER.reader(record_pb2.GetLogRequest, LogName)
_LOG: Final = MAPPER.writer(LogText, record_pb2.GetLogResponse)
_EXPLAINED: Final = MAPPER.writer(Explanation, record_pb2.ExplainResponse)


@dataclass(frozen=True, slots=True)
class SubmissionUseCases:
    submit: Submit
    cancel: Cancel
    get: Get
    list: List
    read_log: ReadLog
    explain: Explain


class SubmissionCalls:
    _submissions: SubmissionUseCases

    async def Submit(self, request: record_pb2.SubmitRequest, context: object) -> record_pb2.SubmitResponse:
        person(signed_in(mapper.actor(request.actor)))
        outcome = await self._submissions.submit(_SUBMIT_REQUEST(request))
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        if isinstance(outcome, EntryRefused):
            raise_entry_refusal(outcome)
        return _ACCEPTED(outcome)

    async def SubmitMany(
        self, request: record_pb2.SubmitManyRequest, context: object
    ) -> record_pb2.SubmitManyResponse:
        mapper.require_batch(len(request.submissions))
        outcomes = await asyncio.gather(*(self._submitted(each) for each in request.submissions))
        return record_pb2.SubmitManyResponse(outcomes=outcomes)

    async def _submitted(self, request: record_pb2.TracedSubmit) -> record_pb2.SubmitOutcome:
        """One of many: as Submit, but a failure is an answer, and the others have theirs."""
        with call_span(_SUBMIT, request.traceparent):
            try:
                return record_pb2.SubmitOutcome(accepted=await self.Submit(request.submission, None))
            except Exception as error:  # noqa: BLE001 — whatever it is, it concerns this one
                return record_pb2.SubmitOutcome(refused=_refused(refusal_of(error, _SUBMIT, translate)))

    async def Get(self, request: record_pb2.GetRequest, context: object) -> record_pb2.GetResponse:
        detail = await self._submissions.get(
            mapper.actor(request.actor), mapper.submission_id(request.submission_id), head=request.head
        )
        if isinstance(detail, Refused):
            raise_refusal(detail)
        submission = mapper.submission(detail.submission)
        submission.source = detail.source or ""
        for case in submission.result.cases:
            case.sample = case.name in detail.samples
        return record_pb2.GetResponse(
            submission=submission,
            attempts=map(_ATTEMPT, detail.attempts),
            shows_cases=detail.shows_cases,
        )

    async def List(self, request: record_pb2.ListRequest, context: object) -> record_pb2.ListResponse:
        page = await self._submissions.list(
            mapper.actor(request.actor),
            mapper.selection(request.filter),
            mapper.page(request.page),
            ascending=request.ascending,
            with_archived=request.filter.with_archived,
        )
        if isinstance(page, Refused):
            raise_refusal(page)
        return record_pb2.ListResponse(
            submissions=map(mapper.submission, page.items), page=mapper.page_info(page.next)
        )

    async def Cancel(self, request: record_pb2.CancelRequest, context: object) -> record_pb2.CancelResponse:
        actor = signed_in(mapper.actor(request.actor))
        outcome = await self._submissions.cancel(actor, mapper.submission_id(request.submission_id))
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        detail = await self._submissions.get(actor, outcome.after.id)
        if isinstance(detail, Refused):
            raise_refusal(detail)
        return record_pb2.CancelResponse(submission=mapper.submission(detail.submission))

    async def GetLog(self, request: record_pb2.GetLogRequest, context: object) -> record_pb2.GetLogResponse:
        found = await self._submissions.read_log(
            mapper.actor(request.actor), mapper.submission_id(request.submission_id), _LOG_NAME(request)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return _LOG(found)

    async def Explain(
        self, request: record_pb2.ExplainRequest, context: object
    ) -> record_pb2.ExplainResponse:
        found = await self._submissions.explain(
            mapper.actor(request.actor), mapper.submission_id(request.submission_id)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return _EXPLAINED(found)


def _refused(refusal: Refusal) -> record_pb2.SubmitRefused:
    wait = refusal.retry_after or timedelta(0)
    return record_pb2.SubmitRefused(
        kind=refusal.kind,
        reason=refusal.reason,
        message=refusal.message,
        retry_after_ms=round(wait / timedelta(milliseconds=1)),
    )
