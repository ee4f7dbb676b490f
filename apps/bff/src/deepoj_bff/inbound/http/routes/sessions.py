"""/api/users/me: the caller's sessions and password."""

from __future__ import annotations

from typing import Final

from litestar import Response, delete, get, post
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from deepoj_bff.inbound.http.auth.caller import Access, Means, Scope, by
from deepoj_bff.inbound.http.auth.cookies import answer_session
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.dependencies import FromCaller, FromCookieJar, FromServices
from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_bff.inbound.http.params import PathId
from deepoj_bff.inbound.http.wire.user import PasswordReplacement
from deepoj_bff.queries.services import Call, Nothing
from deepoj_bff.queries.views.user import OpenSessions, Session, SessionItem, SessionItems
from deepoj_kit.grpc import Kind, RemoteError

LIST: Final = Call("user", "ListSessions", OpenSessions)
END: Final = Call("user", "EndSession", Nothing)
REPLACE_PASSWORD: Final = Call("user", "ReplacePassword", Session, body=PasswordReplacement)

_SESSION: Final = access(Access.SIGNED_IN, Scope.ACCOUNT)
_TAGS: Final = ["users"]


@get("/sessions", opt=_SESSION, tags=_TAGS, summary="My sessions")
async def list_sessions(caller: FromCaller, services: FromServices) -> SessionItems:
    """The one used last first."""
    found = await services.call(LIST, actor=caller.actor)
    return SessionItems(
        items=[
            SessionItem(
                id=each.id,
                created_at=each.started_at,
                last_used_at=each.used_at,
                address=each.origin.address,
                user_agent=each.origin.user_agent,
                current=each.id == caller.identity.session_id,
            )
            for each in found.sessions
        ]
    )


@delete("/sessions/{session_id:uuid}", opt=_SESSION, tags=_TAGS, summary="End one of my sessions")
async def end_session(session_id: PathId, caller: FromCaller, services: FromServices) -> None:
    """An access token of it stays good for the few minutes it has left."""
    await services.call(END, session_id=session_id, **by(caller))


@post(
    "/password",
    opt=_SESSION,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="Set a new password with the old one",
)
async def replace_password(
    data: JSONBody[PasswordReplacement], caller: FromCaller, services: FromServices, cookie_jar: FromCookieJar
) -> Response[Session]:
    """Ends every session and API token of mine, and begins a new session."""
    try:
        session = await services.call(REPLACE_PASSWORD, data, **by(caller))
    except RemoteError as error:
        # Not 401: the session is good, and a client would try to renew it.
        if error.kind is not Kind.UNAUTHENTICATED:
            raise
        raise ApiError(ErrorType.FORBIDDEN, error.reason, "the password is wrong") from error
    return answer_session(session, cookie_jar, as_cookies=caller.identity.means is Means.COOKIE)
