"""/api/auth: captchas, registering, sessions, passwords."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request, Response, post
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_202_ACCEPTED, HTTP_204_NO_CONTENT

from deepoj_bff.inbound.http.auth.caller import Access, Scope, by
from deepoj_bff.inbound.http.auth.cookies import answer_session
from deepoj_bff.inbound.http.auth.credentials import REFRESH_COOKIE
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.dependencies import FromCaller, FromCookieJar, FromNewId, FromServices
from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_bff.inbound.http.wire.user import (
    CaptchaRequest,
    Login,
    LogoutBody,
    PasswordChange,
    RefreshBody,
    Registration,
)
from deepoj_bff.queries.services import Call, Nothing
from deepoj_bff.queries.views.user import CaptchaSent, Session, User

REGISTER_CAPTCHA: Final = Call("user", "SendRegisterCaptcha", CaptchaSent)
PASSWORD_CAPTCHA: Final = Call("user", "SendChangePasswordCaptcha", CaptchaSent)
REGISTER: Final = Call("user", "Register", Session)
MAKE_GUEST: Final = Call("user", "MakeGuest", Session)
LOGIN: Final = Call("user", "Login", Session)
REFRESH: Final = Call("user", "Refresh", Session)
LOGOUT: Final = Call("user", "Logout", Nothing)
CHANGE_PASSWORD: Final = Call("user", "ChangePassword", Nothing, body=PasswordChange)

_PUBLIC: Final = access(Access.PUBLIC, Scope.ACCOUNT)
_TAGS: Final = ["auth"]


@post("/captchas", opt=_PUBLIC, tags=_TAGS, status_code=HTTP_202_ACCEPTED, summary="Send a captcha by mail")
async def send_captcha(
    data: JSONBody[CaptchaRequest], caller: FromCaller, services: FromServices
) -> CaptchaSent:
    call = REGISTER_CAPTCHA if data.purpose == "register" else PASSWORD_CAPTCHA
    return await services.call(call, email=data.email, origin=caller.origin)


@post("/register", opt=_PUBLIC, tags=_TAGS, summary="Open an account")
async def register(
    data: JSONBody[Registration],
    caller: FromCaller,
    services: FromServices,
    new_id: FromNewId,
    cookie_jar: FromCookieJar,
) -> Response[User | Session]:
    """What is needed, `GET /api/site` tells. With a `transport` it begins a session and answers with it."""
    session = await services.call(
        REGISTER,
        name=data.name,
        password=data.password,
        display_name=data.display_name,
        email=data.email,
        captcha=data.captcha,
        invitation=data.invitation,
        account_id=new_id(),
        sign_in=data.transport is not None,
        origin=caller.origin,
    )
    if data.transport is None:
        return Response(session.account)
    return answer_session(session, cookie_jar, as_cookies=data.transport == "cookie")


@post("/guest", opt=_PUBLIC, tags=_TAGS, summary="Begin a session with an account of a made-up name")
async def make_guest(
    caller: FromCaller, services: FromServices, new_id: FromNewId, cookie_jar: FromCookieJar
) -> Response[Session]:
    """Where `GET /api/site` says `guest_accounts`. Nobody gets into it again once the session is over."""
    session = await services.call(MAKE_GUEST, account_id=new_id(), origin=caller.origin)
    return answer_session(session, cookie_jar, as_cookies=True)


@post("/login", opt=_PUBLIC, tags=_TAGS, status_code=HTTP_200_OK, summary="Begin a session")
async def login(
    data: JSONBody[Login], caller: FromCaller, services: FromServices, cookie_jar: FromCookieJar
) -> Response[Session]:
    session = await services.call(LOGIN, login=data.login, password=data.password, origin=caller.origin)
    return answer_session(session, cookie_jar, as_cookies=data.transport == "cookie")


@post("/refresh", opt=_PUBLIC, tags=_TAGS, status_code=HTTP_200_OK, summary="Exchange the refresh token")
async def refresh(
    request: Request[Any, Any, Any],
    caller: FromCaller,
    services: FromServices,
    cookie_jar: FromCookieJar,
    data: JSONBody[RefreshBody | None] = None,
) -> Response[Session]:
    """A refresh token is good once. One that comes back later ends the session it belongs to."""
    given = data.refresh_token if data else None
    token = given or request.cookies.get(REFRESH_COOKIE)
    if not token:
        raise ApiError(ErrorType.UNAUTHENTICATED, "refresh_token_missing", "there is no refresh token")
    session = await services.call(REFRESH, refresh_token=token, origin=caller.origin)
    return answer_session(session, cookie_jar, as_cookies=given is None)


@post("/logout", opt=_PUBLIC, tags=_TAGS, status_code=HTTP_204_NO_CONTENT, summary="End this session, or all")
async def logout(
    request: Request[Any, Any, Any],
    caller: FromCaller,
    services: FromServices,
    cookie_jar: FromCookieJar,
    data: JSONBody[LogoutBody | None] = None,
) -> Response[None]:
    asked = data or LogoutBody()
    token = asked.refresh_token or request.cookies.get(REFRESH_COOKIE)
    if asked.everywhere and caller.actor is None:
        raise ApiError(ErrorType.UNAUTHENTICATED, "sign_in_required", "sign in to end all your sessions")
    if token or asked.everywhere:
        await services.call(LOGOUT, refresh_token=token, everywhere=asked.everywhere, **by(caller))
    return Response(None, status_code=HTTP_204_NO_CONTENT, cookies=cookie_jar.cleared())


@post("/password", opt=_PUBLIC, tags=_TAGS, status_code=HTTP_204_NO_CONTENT, summary="Set a new password")
async def change_password(data: JSONBody[PasswordChange], caller: FromCaller, services: FromServices) -> None:
    """With a captcha sent for `change_password`; ends every session of the account."""
    await services.call(CHANGE_PASSWORD, data, origin=caller.origin)
