"""/api/users: profiles, and what admins do with accounts."""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

from litestar import Request, Response, delete, get, patch, post, put
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from deepoj_bff.inbound.http.auth.caller import Access, Scope, by
from deepoj_bff.inbound.http.auth.guard import access, check_level, check_scope
from deepoj_bff.inbound.http.conditional_get import answer
from deepoj_bff.inbound.http.dependencies import FromCaller, FromNewId, FromServices
from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_bff.inbound.http.openapi.options import conditional
from deepoj_bff.inbound.http.params import Cursor, PageSize, PathId
from deepoj_bff.inbound.http.wire.user import GrantedRole, NewUser, ProfileEdit, RoleChange, StatusChange
from deepoj_bff.queries.cache import Encoded, encode
from deepoj_bff.queries.services import Call, Nothing, Page, Services
from deepoj_bff.queries.views.user import (
    AuditLog,
    CreatedUser,
    CreationOutcome,
    Creations,
    NamedUser,
    NewPasswordAnswer,
    Role,
    User,
    UserAnswer,
    UserNames,
    Users,
    WantedAccount,
)
from deepoj_domain.account.account import AccountStatus

GET: Final = Call("user", "Get", UserAnswer)
LIST: Final = Call("user", "List", Users)
UPDATE: Final = Call("user", "UpdateInfo", UserAnswer, body=ProfileEdit)
SET_ROLE: Final = Call("user", "SetRole", UserAnswer, body=RoleChange)
SET_STATUS: Final = Call("user", "SetStatus", UserAnswer, body=StatusChange)
CREATE: Final = Call("user", "CreateAccounts", Creations)
RESET_PASSWORD: Final = Call("user", "ResetPassword", NewPasswordAnswer)
DELETE: Final = Call("user", "Delete", Nothing)
AUDIT_LOG: Final = Call("user", "ListAuditLog", AuditLog)

_OWN: Final = access(Access.SIGNED_IN, Scope.READ)
_ACCOUNT: Final = access(Access.SIGNED_IN, Scope.ACCOUNT)
_ADMIN: Final = access(Access.ADMIN, Scope.ADMIN)
# No token sets passwords, not even an admin's.
_RESET: Final = access(Access.ADMIN, Scope.ACCOUNT)
_TAGS: Final = ["users"]

Search = Annotated[str | None, QueryParameter(name="search", max_length=254, description="Part of a name.")]

Ids = Annotated[
    list[UUID] | None,
    QueryParameter(
        name="id",
        max_items=100,
        description="Only these, up to a hundred; to others than admins their names.",
    ),
]
_SEVERAL: Final = access(Access.PUBLIC, Scope.READ, also=Scope.ADMIN) | conditional()


@get("/me", opt=_OWN, tags=_TAGS, summary="Who am I")
async def me(caller: FromCaller, services: FromServices) -> User:
    return (await services.call(GET, actor=caller.actor, account_id=caller.account_id)).account


@patch("/me", opt=_ACCOUNT, tags=_TAGS, summary="Change my profile")
async def edit_me(data: JSONBody[ProfileEdit], caller: FromCaller, services: FromServices) -> User:
    return (await services.call(UPDATE, data, account_id=caller.account_id, **by(caller))).account


@get("/", opt=_SEVERAL, tags=_TAGS, summary="Names for ids, to everybody; all accounts, to admins")
async def list_users(  # noqa: PLR0913 — one parameter a query parameter
    *,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    services: FromServices,
    ids: Ids = None,
    search: Search = None,
    role: FromQuery[GrantedRole | None] = None,
    status: FromQuery[AccountStatus | None] = None,
    size: PageSize = None,
    cursor: Cursor = None,
) -> Response[Users] | Response[UserNames]:
    if ids and not _sees_all(caller):
        return answer(request, Encoded.of(encode(await _names(services, frozenset(ids)))), UserNames)
    check_level(Access.ADMIN, caller)
    check_scope(Scope.ADMIN, caller)
    page = Page(size, cursor)
    found = await services.call(
        LIST, actor=caller.actor, account_ids=ids, search=search, role=role, status=status, page=page
    )
    return Response(found)


async def _names(services: Services, ids: frozenset[UUID]) -> UserNames:
    """As a guest sees them: nothing but names depends on who asks."""
    found = await services.call(LIST, account_ids=sorted(ids), page=Page(len(ids), None))
    return UserNames(
        accounts=[
            NamedUser(id=each.id, name=each.name, display_name=each.display_name) for each in found.accounts
        ]
    )


def _sees_all(caller: FromCaller) -> bool:
    scopes = caller.identity.scopes
    return caller.actor is not None and caller.actor.is_admin and (scopes is None or Scope.ADMIN in scopes)


@post("/", opt=_ADMIN, tags=_TAGS, summary="Make an account for somebody")
async def create_user(
    data: JSONBody[NewUser], caller: FromCaller, services: FromServices, new_id: FromNewId
) -> CreatedUser:
    wanted = WantedAccount(
        account_id=new_id(),
        name=data.name,
        display_name=data.display_name,
        email=data.email or "",
        password=data.password or "",
        role=Role(data.role),
    )
    (made,) = (await services.call(CREATE, accounts=[wanted], **by(caller))).creations
    match made.outcome:
        case CreationOutcome.EXISTS:
            raise ApiError(ErrorType.CONFLICT, "name_taken", "the username is taken: choose another")
        case CreationOutcome.REFUSED:
            kind = ErrorType.CONFLICT if made.reason == "email_taken" else ErrorType.INVALID_REQUEST
            raise ApiError(kind, made.reason, "the account cannot be made as asked")
        case CreationOutcome.CREATED:
            user = (await services.call(GET, actor=caller.actor, account_id=made.account_id)).account
            return CreatedUser(account=user, password=made.password or None)


@post(
    "/{user_id:uuid}/password",
    opt=_RESET,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="Give somebody a new password",
)
async def reset_password(user_id: PathId, caller: FromCaller, services: FromServices) -> NewPasswordAnswer:
    """Ends every session and API token of the account."""
    return await services.call(RESET_PASSWORD, account_id=user_id, **by(caller))


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
