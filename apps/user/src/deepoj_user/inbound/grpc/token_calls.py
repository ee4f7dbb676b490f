"""API tokens, signing keys and the audit log."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import cursor_of
from deepoj_domain.kernel.role import person
from deepoj_kit.grpc import signed_in
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.user.v1 import user_pb2
from deepoj_user.commands.authenticate_api_token import AuthenticateApiToken
from deepoj_user.commands.create_api_token import CreateApiToken
from deepoj_user.commands.revoke_api_token import RevokeApiToken
from deepoj_user.inbound.grpc import wire
from deepoj_user.inbound.grpc.refusals import raise_refusal
from deepoj_user.queries.list_api_tokens import ListApiTokens
from deepoj_user.queries.list_audit_log import ListAuditLog
from deepoj_user.queries.ports import SigningKeys

ALGORITHM: Final = "EdDSA"


@dataclass(frozen=True, slots=True)
class TokenUseCases:
    create: CreateApiToken
    list: ListApiTokens
    revoke: RevokeApiToken
    authenticate: AuthenticateApiToken
    audit_log: ListAuditLog
    signing_keys: SigningKeys
    issuer: str


class TokenCalls:
    _tokens: TokenUseCases

    async def CreateApiToken(
        self, request: user_pb2.CreateApiTokenRequest, context: object
    ) -> user_pb2.CreateApiTokenResponse:
        outcome = await self._tokens.create(
            person(signed_in(wire.read_actor(request.actor))),
            wire.read_new_token(request),
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.CreateApiTokenResponse(token=wire.write_token(outcome.token), secret=outcome.secret)

    async def ListApiTokens(
        self, request: user_pb2.ListApiTokensRequest, context: object
    ) -> user_pb2.ListApiTokensResponse:
        found = await self._tokens.list(person(signed_in(wire.read_actor(request.actor))))
        return user_pb2.ListApiTokensResponse(tokens=map(wire.write_token, found))

    async def RevokeApiToken(
        self, request: user_pb2.RevokeApiTokenRequest, context: object
    ) -> user_pb2.RevokeApiTokenResponse:
        refused = await self._tokens.revoke(
            signed_in(wire.read_actor(request.actor)),
            wire.read_token_id(request.token_id),
            wire.read_origin(request.origin),
        )
        if refused is not None:
            raise_refusal(refused)
        return user_pb2.RevokeApiTokenResponse()

    async def AuthenticateApiToken(
        self, request: user_pb2.AuthenticateApiTokenRequest, context: object
    ) -> user_pb2.AuthenticateApiTokenResponse:
        bearer = await self._tokens.authenticate(request.secret)
        if isinstance(bearer, Refused):
            raise_refusal(bearer)
        return user_pb2.AuthenticateApiTokenResponse(
            actor=wire.write_actor(bearer.actor), scopes=sorted(bearer.scopes), token_id=str(bearer.token_id)
        )

    async def GetSigningKeys(
        self, request: user_pb2.GetSigningKeysRequest, context: object
    ) -> user_pb2.GetSigningKeysResponse:
        keys = [
            user_pb2.SigningKey(id=key.id, algorithm=ALGORITHM, public_key=key.pem)
            for key in await self._tokens.signing_keys.public_keys()
        ]
        return user_pb2.GetSigningKeysResponse(keys=keys, issuer=self._tokens.issuer)

    async def ListAuditLog(
        self, request: user_pb2.ListAuditLogRequest, context: object
    ) -> user_pb2.ListAuditLogResponse:
        page = await self._tokens.audit_log(
            signed_in(wire.read_actor(request.actor)),
            wire.read_account_id(request.account_id) if request.account_id else None,
            wire.read_page(request.page),
        )
        if isinstance(page, Refused):
            raise_refusal(page)
        return user_pb2.ListAuditLogResponse(
            entries=map(wire.write_entry, page.items),
            page=common_pb2.PageInfo(next_cursor=cursor_of(page.next)),
        )
