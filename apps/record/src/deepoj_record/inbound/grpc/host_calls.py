"""Judge hosts elsewhere, asked for by the front door on their behalf."""

from __future__ import annotations

from typing import Final

from deepoj_domain.kernel.outcome import Refused
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc.mapper import MAPPER
from deepoj_record.inbound.grpc.refusals import raise_refusal
from deepoj_record.queries.join_host import Joined, JoinHost

# ruff: noqa: N802, ARG002 — gRPC's names and signatures

_JOINED: Final = MAPPER.writer(Joined, record_pb2.JoinHostResponse)


class HostCalls:
    _join_host: JoinHost

    async def JoinHost(
        self, request: record_pb2.JoinHostRequest, context: object
    ) -> record_pb2.JoinHostResponse:
        outcome = await self._join_host(request.credential)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return _JOINED(outcome)
