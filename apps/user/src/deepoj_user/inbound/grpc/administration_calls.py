"""Accounts made for others, their passwords, and invitations."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass

from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import person
from deepoj_kit.grpc import signed_in
from deepoj_proto.user.v1 import user_pb2
from deepoj_user.commands.create_accounts import CreateAccounts
from deepoj_user.commands.create_invitation import CreateInvitation
from deepoj_user.commands.ports import Throttled
from deepoj_user.commands.reset_password import ResetPassword
from deepoj_user.commands.revoke_invitation import RevokeInvitation
from deepoj_user.inbound.grpc import wire
from deepoj_user.inbound.grpc.refusals import raise_refusal, raise_throttled
from deepoj_user.queries.list_invitations import ListInvitations


@dataclass(frozen=True, slots=True)
class AdministrationUseCases:
    create_accounts: CreateAccounts
    reset_password: ResetPassword
    create_invitation: CreateInvitation
    list_invitations: ListInvitations
    revoke_invitation: RevokeInvitation


class AdministrationCalls:
    _administration: AdministrationUseCases

    async def CreateAccounts(
        self, request: user_pb2.CreateAccountsRequest, context: object
    ) -> user_pb2.CreateAccountsResponse:
        outcome = await self._administration.create_accounts(
            person(signed_in(wire.read_actor(request.actor))),
            [wire.read_new_account(each) for each in request.accounts],
            wire.read_origin(request.origin),
            dry_run=request.dry_run,
        )
        if isinstance(outcome, Throttled):
            raise_throttled(outcome)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.CreateAccountsResponse(creations=map(wire.write_creation, outcome))

    async def ResetPassword(
        self, request: user_pb2.ResetPasswordRequest, context: object
    ) -> user_pb2.ResetPasswordResponse:
        outcome = await self._administration.reset_password(
            person(signed_in(wire.read_actor(request.actor))),
            wire.read_account_id(request.account_id),
            wire.read_origin(request.origin),
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.ResetPasswordResponse(password=outcome)

    async def CreateInvitation(
        self, request: user_pb2.CreateInvitationRequest, context: object
    ) -> user_pb2.CreateInvitationResponse:
        outcome = await self._administration.create_invitation(
            person(signed_in(wire.read_actor(request.actor))), wire.read_new_invitation(request)
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.CreateInvitationResponse(invitation=wire.write_invitation(outcome))

    async def ListInvitations(
        self, request: user_pb2.ListInvitationsRequest, context: object
    ) -> user_pb2.ListInvitationsResponse:
        outcome = await self._administration.list_invitations(
            person(signed_in(wire.read_actor(request.actor)))
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.ListInvitationsResponse(invitations=map(wire.write_invitation, outcome))

    async def RevokeInvitation(
        self, request: user_pb2.RevokeInvitationRequest, context: object
    ) -> user_pb2.RevokeInvitationResponse:
        refused = await self._administration.revoke_invitation(
            person(signed_in(wire.read_actor(request.actor))),
            wire.read_invitation_id(request.invitation_id),
            wire.read_origin(request.origin),
        )
        if refused is not None:
            raise_refusal(refused)
        return user_pb2.RevokeInvitationResponse()
