"""Submissions that are ready at the same time travel to record in one call; each is answered on its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, cast

import grpc
from google.protobuf.message import Message

from deepoj_kit.gathering import Gathering
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.telemetry import current_traceparent
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub

_MOST: Final = 32


class SubmitsTogether:
    """Called like record's Submit."""

    def __init__(self, record: grpc.aio.Channel) -> None:
        self._calls = RecordServiceStub(record)
        self._send = Gathering(self._submit_many, most=_MOST)

    async def __call__(
        self,
        request: Message,
        *,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 — the deadline is that of the call they share
    ) -> record_pb2.SubmitResponse:
        submission = cast("record_pb2.SubmitRequest", request)
        traced = record_pb2.TracedSubmit(submission=submission, traceparent=current_traceparent())
        outcome = await self._send(traced)
        if outcome.WhichOneof("outcome") == "accepted":
            return outcome.accepted
        refused = outcome.refused
        wait = timedelta(milliseconds=refused.retry_after_ms) if refused.retry_after_ms else None
        raise RemoteError(Kind(refused.kind), refused.reason, refused.message, wait)

    async def _submit_many(
        self, submissions: Sequence[record_pb2.TracedSubmit]
    ) -> Sequence[record_pb2.SubmitOutcome]:
        answer = await self._calls.SubmitMany(record_pb2.SubmitManyRequest(submissions=submissions))
        return answer.outcomes
