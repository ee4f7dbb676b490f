"""Names the generated code, so that nobody outside this room has to."""

from __future__ import annotations

import grpc

from deepoj_judgement.inbound.grpc.servicer import JudgementServicer
from deepoj_proto.judgement.v1.judgement_pb2_grpc import add_JudgementServiceServicer_to_server


def register(registry: grpc.aio.Server, servicer: JudgementServicer) -> None:
    add_JudgementServiceServicer_to_server(servicer, registry)
