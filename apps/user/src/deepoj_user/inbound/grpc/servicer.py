"""The user service on a server."""

from __future__ import annotations

import grpc

from deepoj_proto.user.v1.user_pb2_grpc import UserServiceServicer, add_UserServiceServicer_to_server
from deepoj_user.inbound.grpc.account_calls import AccountCalls, AccountUseCases
from deepoj_user.inbound.grpc.administration_calls import AdministrationCalls, AdministrationUseCases
from deepoj_user.inbound.grpc.session_calls import SessionCalls, SessionUseCases
from deepoj_user.inbound.grpc.token_calls import TokenCalls, TokenUseCases


class UserServicer(SessionCalls, AccountCalls, AdministrationCalls, TokenCalls, UserServiceServicer):
    def __init__(
        self,
        sessions: SessionUseCases,
        accounts: AccountUseCases,
        administration: AdministrationUseCases,
        tokens: TokenUseCases,
    ) -> None:
        self._sessions = sessions
        self._accounts = accounts
        self._administration = administration
        self._tokens = tokens


def register(server: grpc.aio.Server, servicer: UserServicer) -> None:
    add_UserServiceServicer_to_server(servicer, server)
