"""/api/users: profiles, and what admins do with accounts."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import delete, get, patch, put
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from deepoj_bff.inbound.http.auth.caller import Access, Scope, by
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.dependencies import FromCaller, FromServices
from deepoj_bff.inbound.http.params import Cursor, PageSize, PathId
from deepoj_bff.inbound.http.wire.user import GrantedRole, ProfileEdit, RoleChange, StatusChange
from deepoj_bff.queries.services import Call, Nothing, Page
from deepoj_bff.queries.views.user import AccountStatus, AuditLog, User, UserAnswer, Users

GET: Final = Call("user", "Get", UserAnswer)
LIST: Final = Call("user", "List", Users)
UPDATE: Final = Call("user", "UpdateInfo", UserAnswer, body=ProfileEdit)
SET_ROLE: Final = Call("user", "SetRole", UserAnswer, body=RoleChange)
SET_STATUS: Final = Call("user", "SetStatus", UserAnswer, body=StatusChange)
DELETE: Final = Call("user", "Delete", Nothing)
AUDIT_LOG: Final = Call("user", "ListAuditLog", AuditLog)

_OWN: Final = access(Access.SIGNED_IN, Scope.READ)
_ACCOUNT: Final = access(Access.SIGNED_IN, Scope.ACCOUNT)
_ADMIN: Final = access(Access.ADMIN, Scope.ADMIN)
_TAGS: Final = ["users"]

Search = Annotated[str | None, QueryParameter(name="search", max_length=254, description="Part of a name.")]


@get("/me", opt=_OWN, tags=_TAGS, summary="Who am I")
async def me(caller: FromCaller, services: FromServices) -> User:
    return (await services.call(GET, actor=caller.actor, account_id=caller.account_id)).account


@patch("/me", opt=_ACCOUNT, tags=_TAGS, summary="Change my profile")
async def edit_me(data: JSONBody[ProfileEdit], caller: FromCaller, services: FromServices) -> User:
    return (await services.call(UPDATE, data, account_id=caller.account_id, **by(caller))).account


@get("/", opt=_ADMIN, tags=_TAGS, summary="All accounts")
async def list_users(
    caller: FromCaller,
    services: FromServices,
    search: Search = None,
    role: FromQuery[GrantedRole | None] = None,
    status: FromQuery[AccountStatus | None] = None,
    size: PageSize = None,
    cursor: Cursor = None,
) -> Users:
    page = Page(size, cursor)
    return await services.call(LIST, actor=caller.actor, search=search, role=role, status=status, page=page)


@get("/{user_id:uuid}", opt=access(Access.PUBLIC), tags=_TAGS, summary="A profile")
async def get_user(user_id: PathId, caller: FromCaller, services: FromServices) -> User:
    return (await services.call(GET, actor=caller.actor, account_id=user_id)).account


@get("/by-name/{name:str}", opt=access(Access.PUBLIC), tags=_TAGS, summary="A profile, by name")
async def get_user_by_name(name: FromPath[str], caller: FromCaller, services: FromServices) -> User:
    return (await services.call(GET, actor=caller.actor, name=name)).account


@patch("/{user_id:uuid}", opt=_ADMIN, tags=_TAGS, summary="Change somebody's profile")
async def edit_user(
    user_id: PathId, data: JSONBody[ProfileEdit], caller: FromCaller, services: FromServices
) -> User:
    return (await services.call(UPDATE, data, account_id=user_id, **by(caller))).account


@put("/{user_id:uuid}/role", opt=_ADMIN, tags=_TAGS, summary="Give a role")
async def set_role(
    user_id: PathId, data: JSONBody[RoleChange], caller: FromCaller, services: FromServices
) -> User:
    return (await services.call(SET_ROLE, data, account_id=user_id, **by(caller))).account


@put("/{user_id:uuid}/status", opt=_ADMIN, tags=_TAGS, summary="Suspend an account, or take it back")
async def set_status(
    user_id: PathId, data: JSONBody[StatusChange], caller: FromCaller, services: FromServices
) -> User:
    return (await services.call(SET_STATUS, data, account_id=user_id, **by(caller))).account


@delete(
    "/{user_id:uuid}", opt=_ACCOUNT, tags=_TAGS, summary="Anonymise an account: one's own, or any for admins"
)
async def delete_user(user_id: PathId, caller: FromCaller, services: FromServices) -> None:
    """Submissions and scoreboards keep their rows under a name without a person."""
    await services.call(DELETE, account_id=user_id, **by(caller))


@get("/{user_id:uuid}/audit-log", opt=_ACCOUNT, tags=_TAGS, summary="Security events of an account")
async def audit_log(
    user_id: PathId, caller: FromCaller, services: FromServices, size: PageSize = None, cursor: Cursor = None
) -> AuditLog:
    """One's own, or anybody's for admins."""
    return await services.call(AUDIT_LOG, actor=caller.actor, account_id=user_id, page=Page(size, cursor))
