"""The record service, asked whose credential a judge host shows."""

from __future__ import annotations

from typing import Final

import grpc

from deepoj_domain.judgement.host_credential import is_host_credential
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import WorkerServiceStub

IDEMPOTENT: Final = ("/deepoj.record.v1.WorkerService/IdentifyHost",)


class GrpcJudgeHosts:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._record = WorkerServiceStub(channel)

    async def __call__(self, credential: str) -> str | None:
        if not is_host_credential(credential):
            return None
        answer = await self._record.IdentifyHost(record_pb2.IdentifyHostRequest(credential=credential))
        return answer.name or None
