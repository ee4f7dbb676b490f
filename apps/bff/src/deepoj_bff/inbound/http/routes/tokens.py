"""/api/users/me/tokens: API tokens of the caller."""

from __future__ import annotations

from typing import Final

from litestar import delete, get, post
from litestar.params import JSONBody

from deepoj_bff.inbound.http.auth.caller import Access, Scope, by
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.dependencies import FromCaller, FromNewId, FromServices
from deepoj_bff.inbound.http.params import PathId
from deepoj_bff.inbound.http.wire.user import NewApiToken
from deepoj_bff.queries.services import Call, Nothing
from deepoj_bff.queries.views.user import ApiTokens, CreatedApiToken

LIST: Final = Call("user", "ListApiTokens", ApiTokens)
CREATE: Final = Call("user", "CreateApiToken", CreatedApiToken, body=NewApiToken)
REVOKE: Final = Call("user", "RevokeApiToken", Nothing)

_SESSION: Final = access(Access.SIGNED_IN, Scope.ACCOUNT)
_TAGS: Final = ["API tokens"]


@get("/", opt=_SESSION, tags=_TAGS, summary="My API tokens")
async def list_tokens(caller: FromCaller, services: FromServices) -> ApiTokens:
    return await services.call(LIST, actor=caller.actor)


@post("/", opt=_SESSION, tags=_TAGS, summary="Make an API token")
async def create_token(
    data: JSONBody[NewApiToken], caller: FromCaller, services: FromServices, new_id: FromNewId
) -> CreatedApiToken:
    return await services.call(CREATE, data, token_id=new_id(), **by(caller))


@delete("/{token_id:uuid}", opt=_SESSION, tags=_TAGS, summary="Revoke an API token")
async def revoke_token(token_id: PathId, caller: FromCaller, services: FromServices) -> None:
    await services.call(REVOKE, token_id=token_id, **by(caller))
