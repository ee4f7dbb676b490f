"""Submit, by record's SubmitMany: submissions that are ready together travel in one call (ADR 0095)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

import grpc

from deepoj_bff.commands.submit import Draft, Stored
from deepoj_bff.outbound.grpc.services import request
from deepoj_domain.kernel.role import Actor
from deepoj_kit.batching import Batched
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.telemetry import current_traceparent
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub

_MOST: Final = 32


class SubmitBatches:
    """Each submission is answered, or refused, on its own. The deadline is that of the call they share."""

    def __init__(self, record: grpc.aio.Channel) -> None:
        self._calls = RecordServiceStub(record)
        self._send = Batched(self._submit_many, most=_MOST)

    async def submit(self, submission_id: UUID, actor: Actor, draft: Draft, key: str) -> Stored:
        return await self._submit(_request(submission_id, actor, draft, key, only_repeat=False))

    async def find(self, submission_id: UUID, actor: Actor, draft: Draft, key: str) -> Stored | None:
        try:
            return await self._submit(_request(submission_id, actor, draft, key, only_repeat=True))
        except RemoteError:
            return None

    async def _submit(self, submission: record_pb2.SubmitRequest) -> Stored:
        traced = record_pb2.TracedSubmit(submission=submission, traceparent=current_traceparent())
        outcome = await self._send(traced)
        if outcome.WhichOneof("outcome") == "accepted":
            return Stored(outcome.accepted.submission_id, outcome.accepted.repeated)
        refused = outcome.refused
        wait = timedelta(milliseconds=refused.retry_after_ms) if refused.retry_after_ms else None
        raise RemoteError(Kind(refused.kind), refused.reason, refused.message, wait)

    async def _submit_many(
        self, submissions: Sequence[record_pb2.TracedSubmit]
    ) -> Sequence[record_pb2.SubmitOutcome]:
        answer = await self._calls.SubmitMany(record_pb2.SubmitManyRequest(submissions=submissions))
        return answer.outcomes


def _request(
    submission_id: UUID, actor: Actor, draft: Draft, key: str, *, only_repeat: bool
) -> record_pb2.SubmitRequest:
    fields = {
        "actor": actor,
        "submission_id": submission_id,
        "idempotency_key": key,
        "question_id": draft.question_id,
        "game_id": draft.game_id,
        "language": draft.language,
        "source": draft.source,
        "only_repeat": only_repeat,
    }
    return request(record_pb2.SubmitRequest, fields)
