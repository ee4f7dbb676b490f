"""Get, List, UpdateInfo, SetRole, SetStatus, Delete."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import cursor_of
from deepoj_domain.kernel.role import Actor
from deepoj_kit.grpc import signed_in
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.user.v1 import user_pb2
from deepoj_user.commands.account_change import Administered
from deepoj_user.commands.delete import Delete
from deepoj_user.commands.set_role import SetRole
from deepoj_user.commands.set_status import SetStatus
from deepoj_user.commands.update_info import UpdateInfo
from deepoj_user.inbound.grpc import wire
from deepoj_user.inbound.grpc.refusals import raise_refusal
from deepoj_user.queries.access import shown
from deepoj_user.queries.get import Get
from deepoj_user.queries.list import List


@dataclass(frozen=True, slots=True)
class AccountUseCases:
    get: Get
    list: List
    update_info: UpdateInfo
    set_role: SetRole
    set_status: SetStatus
    delete: Delete


class AccountCalls:
    _accounts: AccountUseCases

    async def Get(self, request: user_pb2.GetRequest, context: object) -> user_pb2.GetResponse:
        found = await self._accounts.get(wire.read_actor(request.actor), _key(request))
        if isinstance(found, Refused):
            raise_refusal(found)
        return user_pb2.GetResponse(account=wire.write_account(found))

    async def List(self, request: user_pb2.ListRequest, context: object) -> user_pb2.ListResponse:
        page = await self._accounts.list(
            wire.read_actor(request.actor), wire.read_list(request), wire.read_page(request.page)
        )
        if isinstance(page, Refused):
            raise_refusal(page)
        return user_pb2.ListResponse(
            accounts=map(wire.write_account, page.items),
            page=common_pb2.PageInfo(next_cursor=cursor_of(page.next)),
        )

    async def UpdateInfo(
        self, request: user_pb2.UpdateInfoRequest, context: object
    ) -> user_pb2.UpdateInfoResponse:
        actor = signed_in(wire.read_actor(request.actor))
        outcome = await self._accounts.update_info(
            actor,
            wire.read_account_id(request.account_id),
            wire.read_info(request),
            wire.read_origin(request.origin),
        )
        return user_pb2.UpdateInfoResponse(account=_changed(outcome, actor))

    async def SetRole(self, request: user_pb2.SetRoleRequest, context: object) -> user_pb2.SetRoleResponse:
        actor = signed_in(wire.read_actor(request.actor))
        outcome = await self._accounts.set_role(
            actor,
            wire.read_account_id(request.account_id),
            wire.read_role(request),
            wire.read_origin(request.origin),
        )
        return user_pb2.SetRoleResponse(account=_changed(outcome, actor))

    async def SetStatus(
        self, request: user_pb2.SetStatusRequest, context: object
    ) -> user_pb2.SetStatusResponse:
        actor = signed_in(wire.read_actor(request.actor))
        outcome = await self._accounts.set_status(
            actor,
            wire.read_account_id(request.account_id),
            request.reason,
            wire.read_origin(request.origin),
            active=wire.read_active(request),
        )
        return user_pb2.SetStatusResponse(account=_changed(outcome, actor))

    async def Delete(self, request: user_pb2.DeleteRequest, context: object) -> user_pb2.DeleteResponse:
        actor = signed_in(wire.read_actor(request.actor))
        outcome = await self._accounts.delete(
            actor, wire.read_account_id(request.account_id), wire.read_origin(request.origin)
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.DeleteResponse()


def _key(request: user_pb2.GetRequest) -> AccountId | str:
    match request.WhichOneof("by"):
        case "account_id":
            return wire.read_account_id(request.account_id)
        case "name" if "\0" not in request.name:
            return request.name
        case _:
            raise InvalidValueError("key_missing", "name an account by its id or its name")


def _changed(outcome: Administered, actor: Actor) -> user_pb2.Account:
    if isinstance(outcome, Refused):
        raise_refusal(outcome)
    return wire.write_account(shown(outcome, actor))
