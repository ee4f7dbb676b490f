"""The service on a server."""

from __future__ import annotations

import grpc

from deepoj_proto.question.v1.question_pb2_grpc import add_QuestionServiceServicer_to_server
from deepoj_question.inbound.grpc.question_servicer import QuestionServicer


def register(server: grpc.aio.Server, servicer: QuestionServicer) -> None:
    add_QuestionServiceServicer_to_server(servicer, server)
