"""Judge hosts ask question for what they judge by, and for nothing else."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path
from uuid import uuid4

import pytest

from deepoj_kit.grpc import Kind, RemoteError, Server, connect
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.settings import Secret
from deepoj_kit.testing.services import TOKEN, ServiceStarter
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import WorkerServiceServicer, add_WorkerServiceServicer_to_server


class Hosts(WorkerServiceServicer):
    async def IdentifyHost(
        self, request: record_pb2.IdentifyHostRequest, context: object
    ) -> record_pb2.IdentifyHostResponse:
        return record_pb2.IdentifyHostResponse(
            name="judge-1" if request.credential == "host_" + "k" * 43 else ""
        )


async def test_a_host_that_record_knows_may_ask_for_a_specification_and_no_more(
    starter: ServiceStarter, settings: dict[str, str], private_home: Path
) -> None:
    record = Server(f"unix:{private_home / 'record.sock'}", Secret(TOKEN), Readiness())
    hosts = Hosts()  # type: ignore[abstract]  # only one call is asked
    add_WorkerServiceServicer_to_server(hosts, record.registry)
    async with record:
        serving = starter("deepoj_question", {**settings, "record_address": record.address})
        spec = pb.GetJudgeSpecRequest(question_id=str(uuid4()), revision=1)
        async with connect(serving.address, Secret("host_" + "k" * 43)) as channel:
            question = QuestionServiceStub(channel)
            assert await refused(question.GetJudgeSpec(spec)) == (Kind.NOT_FOUND, "not_found")
            listing = question.ListHidden(pb.ListHiddenRequest())
            assert await refused(listing) == (Kind.FORBIDDEN, "call_not_allowed")
        async with connect(serving.address, Secret("host_" + "u" * 43)) as channel:
            answer = QuestionServiceStub(channel).GetJudgeSpec(spec)
            assert await refused(answer) == (Kind.UNAUTHENTICATED, "bad_service_credential")
    async with connect(serving.address, Secret("host_" + "a" * 43)) as channel:
        answer = QuestionServiceStub(channel).GetJudgeSpec(spec)
        assert (await refused(answer))[0] is Kind.UNAVAILABLE


async def refused(call: Awaitable[object]) -> tuple[Kind, str]:
    with pytest.raises(RemoteError) as error:
        await call
    return error.value.kind, error.value.reason
