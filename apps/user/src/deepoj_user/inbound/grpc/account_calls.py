"""Get, List, UpdateInfo, SetRole, SetStatus, Delete."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_proto.user.v1 import user_pb2
from deepoj_user.commands.changing import Administered
from deepoj_user.commands.delete import Delete
from deepoj_user.commands.set_role import SetRole
from deepoj_user.commands.set_status import SetStatus
from deepoj_user.commands.update_info import InfoChange, UpdateInfo
from deepoj_user.inbound.grpc import decode, encode
from deepoj_user.inbound.grpc.refusals import raise_refusal, signed_in
from deepoj_user.queries.access import shown
from deepoj_user.queries.get import Get
from deepoj_user.queries.list import List, ListRequest


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
        found = await self._accounts.get(decode.actor(request.actor), _key(request))
        if isinstance(found, Refused):
            raise_refusal(found)
        return user_pb2.GetResponse(account=encode.view(found))

    async def List(self, request: user_pb2.ListRequest, context: object) -> user_pb2.ListResponse:
        wanted = ListRequest(
            search=request.search,
            role=decode.role_or_none(request.role),
            status=decode.status_or_none(request.status),
            ids=frozenset(decode.account_id(each) for each in request.account_ids),
        )
        page = await self._accounts.list(decode.actor(request.actor), wanted, decode.page(request.page))
        if isinstance(page, Refused):
            raise_refusal(page)
        return user_pb2.ListResponse(
            accounts=[encode.view(each) for each in page.items], page=encode.page_info(page.next_cursor)
        )

    async def UpdateInfo(
        self, request: user_pb2.UpdateInfoRequest, context: object
    ) -> user_pb2.UpdateInfoResponse:
        actor = signed_in(decode.actor(request.actor))
        change = InfoChange(
            display_name=request.display_name if request.HasField("display_name") else None,
            bio=request.bio if request.HasField("bio") else None,
            avatar=request.avatar if request.HasField("avatar") else None,
        )
        outcome = await self._accounts.update_info(
            actor, decode.account_id(request.account_id), change, decode.origin(request.origin)
        )
        return user_pb2.UpdateInfoResponse(account=_changed(outcome, actor))

    async def SetRole(self, request: user_pb2.SetRoleRequest, context: object) -> user_pb2.SetRoleResponse:
        actor = signed_in(decode.actor(request.actor))
        outcome = await self._accounts.set_role(
            actor,
            decode.account_id(request.account_id),
            decode.enum(decode.ROLES, request.role, "role"),
            decode.origin(request.origin),
        )
        return user_pb2.SetRoleResponse(account=_changed(outcome, actor))

    async def SetStatus(
        self, request: user_pb2.SetStatusRequest, context: object
    ) -> user_pb2.SetStatusResponse:
        actor = signed_in(decode.actor(request.actor))
        outcome = await self._accounts.set_status(
            actor,
            decode.account_id(request.account_id),
            request.reason,
            decode.origin(request.origin),
            active=decode.is_active(request.status),
        )
        return user_pb2.SetStatusResponse(account=_changed(outcome, actor))

    async def Delete(self, request: user_pb2.DeleteRequest, context: object) -> user_pb2.DeleteResponse:
        actor = signed_in(decode.actor(request.actor))
        outcome = await self._accounts.delete(
            actor, decode.account_id(request.account_id), decode.origin(request.origin)
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return user_pb2.DeleteResponse()


def _key(request: user_pb2.GetRequest) -> AccountId | str:
    match request.WhichOneof("by"):
        case "account_id":
            return decode.account_id(request.account_id)
        case "name" if "\0" not in request.name:
            return request.name
        case _:
            raise InvalidValueError("key_missing", "name an account by its id or its name")


def _changed(outcome: Administered, actor: Actor) -> user_pb2.Account:
    if isinstance(outcome, Refused):
        raise_refusal(outcome)
    return encode.view(shown(outcome, actor))
