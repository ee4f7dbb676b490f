"""The guard in front of every route: who is it, may they come here, is it their own page that asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, cast
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from deepoj_bff.inbound.http.auth.caller import ROLES, Access, Caller, Means, Scope
from deepoj_bff.inbound.http.auth.credentials import REFRESH_COOKIE, Credentials
from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_domain.kernel.role import Actor

Connection = ASGIConnection[Any, Any, Any, Any]

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_JSON: Final = "application/json"
_SAME_SITE: Final = frozenset({"same-origin", "none"})


def access(level: Access, scope: Scope = Scope.READ, also: Scope | None = None) -> dict[str, object]:
    """Return the `opt` of a route: the least a caller must be, and what an API token needs.

    `also` is for a route that asks for more by itself, depending on the request.
    """
    return {"access": level, "scope": scope, "also": also or scope}


class Guard:
    """A route that declares nothing is for admins in a session: forgetting is safe."""

    def __init__(self, credentials: Credentials, public_origin: str | None) -> None:
        self._credentials = credentials
        self._public_origin = public_origin

    async def __call__(self, connection: Connection, handler: BaseRouteHandler) -> None:
        level = Access(handler.opt.get("access", Access.ADMIN))
        scope = Scope(handler.opt.get("scope", Scope.ACCOUNT))
        caller = await self._credentials.caller_of(connection, lenient=level is Access.PUBLIC)
        connection.scope["state"]["caller"] = caller
        self._check_origin(connection, caller)
        check_level(level, caller)
        check_any_scope((scope, Scope(handler.opt.get("also", scope))), caller)
        check_content_type(connection.headers, handler)

    def _check_origin(self, connection: Connection, caller: Caller) -> None:
        """Other sites make browsers send requests: with our cookies, or to be given cookies of theirs.

        A bearer token is nothing a browser adds by itself. Tools without one say nothing of an origin.
        """
        bearer = caller.identity.means in {Means.BEARER, Means.API_TOKEN}
        if bearer or connection.scope["method"] in _SAFE:  # type: ignore[typeddict-item]  # HTTP only here
            return
        headers = connection.headers
        cookies = caller.identity.means is Means.COOKIE or REFRESH_COOKIE in connection.cookies
        browser = "sec-fetch-site" in headers or "origin" in headers
        if not (cookies or browser) or is_same_origin(headers, self._public_origin):
            return
        raise ApiError(
            ErrorType.CROSS_SITE,
            "cross_site",
            "a browser may send this, and anything with cookies, only from a page of this site",
        )


def is_same_origin(headers: Mapping[str, str], public_origin: str | None) -> bool:
    if site := headers.get("sec-fetch-site"):
        return site in _SAME_SITE
    origin = headers.get("origin", "")
    if public_origin is not None:
        return origin == public_origin
    return bool(origin) and urlsplit(origin).netloc == headers.get("host")


def check_content_type(headers: Mapping[str, str], handler: BaseRouteHandler) -> None:
    """Other types are those that a form of another site can send without asking."""
    body = handler.parsed_data_field
    if body is None:
        return
    given = headers.get("content-type")
    if given is None and body.is_optional:
        return
    if given is None or given.partition(";")[0].strip().lower() != _JSON:
        detail = f"send the body as {_JSON}, not as {given or 'something without a Content-Type'}"
        raise ApiError(ErrorType.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", detail)


def check_level(level: Access, caller: Caller) -> None:
    if level is Access.PUBLIC:
        return
    if caller.actor is None:
        raise ApiError(ErrorType.UNAUTHENTICATED, "sign_in_required", "this is only for those who signed in")
    if caller.actor.role not in ROLES[level]:
        raise ApiError(ErrorType.FORBIDDEN, "role_required", f"this needs the role {level}")


def check_scope(scope: Scope, caller: Caller) -> None:
    check_any_scope((scope,), caller)


def check_any_scope(scopes: Collection[Scope], caller: Caller) -> None:
    given = caller.identity.scopes
    if given is not None and given.isdisjoint(scopes):
        detail = f"the API token lacks the scope {' or '.join(dict.fromkeys(scopes))}"
        raise ApiError(ErrorType.FORBIDDEN, "scope_required", detail)


def caller_of(request: Request[Any, Any, Any]) -> Caller:
    """Hand the caller that the guard found to the route."""
    caller: Caller = request.scope["state"]["caller"]
    return caller


def signed_in(caller: Caller) -> Actor:
    """Return the actor of a route that is not for guests."""
    check_level(Access.SIGNED_IN, caller)
    return cast("Actor", caller.actor)
