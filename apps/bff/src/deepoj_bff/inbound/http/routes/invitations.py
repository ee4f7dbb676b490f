"""/api/admin/invitations: codes by which people get in."""

from __future__ import annotations

from typing import Final

from litestar import delete, get, post
from litestar.params import JSONBody

from deepoj_bff.inbound.http.auth.caller import Access, Scope, by
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.dependencies import FromCaller, FromNewId, FromServices
from deepoj_bff.inbound.http.params import PathId
from deepoj_bff.inbound.http.wire.user import NewInvitation
from deepoj_bff.queries.services import Call, Nothing
from deepoj_bff.queries.views.user import Invitation, InvitationAnswer, Invitations

CREATE: Final = Call("user", "CreateInvitation", InvitationAnswer, body=NewInvitation)
LIST: Final = Call("user", "ListInvitations", Invitations)
REVOKE: Final = Call("user", "RevokeInvitation", Nothing)

_ADMIN: Final = access(Access.ADMIN, Scope.ADMIN)
_TAGS: Final = ["admin"]


@get("/", opt=_ADMIN, tags=_TAGS, summary="Invitations")
async def list_invitations(caller: FromCaller, services: FromServices) -> Invitations:
    """The newest first, those that are used up or expired included."""
    return await services.call(LIST, actor=caller.actor)


@post("/", opt=_ADMIN, tags=_TAGS, summary="Make an invitation")
async def create_invitation(
    data: JSONBody[NewInvitation], caller: FromCaller, services: FromServices, new_id: FromNewId
) -> Invitation:
    return (await services.call(CREATE, data, invitation_id=new_id(), **by(caller))).invitation


@delete("/{invitation_id:uuid}", opt=_ADMIN, tags=_TAGS, summary="Take an invitation back")
async def revoke_invitation(invitation_id: PathId, caller: FromCaller, services: FromServices) -> None:
    await services.call(REVOKE, invitation_id=invitation_id, **by(caller))
