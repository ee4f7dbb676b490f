"""Judge hosts: what one elsewhere is told when it joins, and which of them operators take out of service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deepoj_domain.kernel.outcome import Refused
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.commands.drains import Drain, DrainWorker, ListDrains, ResumeWorker
from deepoj_record.commands.reproductions import (
    GetReproduction,
    ReproductionAnswer,
    ReproductionId,
    StartReproduction,
)
from deepoj_record.inbound.grpc import mapper
from deepoj_record.inbound.grpc.mapper import MAPPER
from deepoj_record.inbound.grpc.refusals import raise_refusal
from deepoj_record.queries.join_host import Joined, JoinHost

# ruff: noqa: N802, ARG002 — gRPC's names and signatures

_JOINED: Final = MAPPER.writer(Joined, record_pb2.JoinHostResponse)
_ANSWER: Final = MAPPER.writer(ReproductionAnswer, record_pb2.ReproductionAnswer)
_reproduction_id: Final = MAPPER.id("reproduction_id", ReproductionId)
_DRAIN: Final = MAPPER.writer(Drain, record_pb2.Drain)


@dataclass(frozen=True, slots=True)
class HostUseCases:
    join: JoinHost
    drain: DrainWorker
    resume: ResumeWorker
    drains: ListDrains
    start_reproduction: StartReproduction
    reproduction: GetReproduction


class HostCalls:
    _hosts: HostUseCases

    async def JoinHost(
        self, request: record_pb2.JoinHostRequest, context: object
    ) -> record_pb2.JoinHostResponse:
        outcome = await self._hosts.join(request.credential)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return _JOINED(outcome)

    async def DrainWorker(
        self, request: record_pb2.DrainWorkerRequest, context: object
    ) -> record_pb2.DrainWorkerResponse:
        name, after = mapper.worker(request.name), request.hand_back_after.ToTimedelta()
        outcome = await self._hosts.drain(mapper.actor(request.actor), name, request.reason, after)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return record_pb2.DrainWorkerResponse(drain=_DRAIN(outcome))

    async def ResumeWorker(
        self, request: record_pb2.ResumeWorkerRequest, context: object
    ) -> record_pb2.ResumeWorkerResponse:
        refused = await self._hosts.resume(mapper.actor(request.actor), mapper.worker(request.name))
        if refused is not None:
            raise_refusal(refused)
        return record_pb2.ResumeWorkerResponse()

    async def ListDrains(
        self, request: record_pb2.ListDrainsRequest, context: object
    ) -> record_pb2.ListDrainsResponse:
        outcome = await self._hosts.drains(mapper.actor(request.actor))
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return record_pb2.ListDrainsResponse(drains=map(_DRAIN, outcome))

    async def StartReproduction(
        self, request: record_pb2.StartReproductionRequest, context: object
    ) -> record_pb2.StartReproductionResponse:
        refused = await self._hosts.start_reproduction(
            mapper.actor(request.actor),
            _reproduction_id(request.reproduction_id),
            mapper.submission_id(request.submission_id),
            mapper.worker(request.worker),
        )
        if refused is not None:
            raise_refusal(refused)
        return record_pb2.StartReproductionResponse()

    async def GetReproduction(
        self, request: record_pb2.GetReproductionRequest, context: object
    ) -> record_pb2.GetReproductionResponse:
        found = await self._hosts.reproduction(
            mapper.actor(request.actor), _reproduction_id(request.reproduction_id)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return record_pb2.GetReproductionResponse(answer=None if found is None else _ANSWER(found))
