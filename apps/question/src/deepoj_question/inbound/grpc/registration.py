"""The service on a server."""

from __future__ import annotations

from typing import Final

import grpc

from deepoj_proto.question.v1.question_pb2_grpc import add_QuestionServiceServicer_to_server
from deepoj_question.inbound.grpc.question_servicer import QuestionServicer

# What a judge host may call with its own credential.
FOR_HOSTS: Final = frozenset({"/deepoj.question.v1.QuestionService/GetJudgeSpec"})


def register(server: grpc.aio.Server, servicer: QuestionServicer) -> None:
    add_QuestionServiceServicer_to_server(servicer, server)
