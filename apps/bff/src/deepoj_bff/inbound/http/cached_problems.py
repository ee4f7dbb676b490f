"""GET /api/problems/{problem} from the cache, before the framework: finding the route costs more (ADR 0079).

The route answers everything that is not plain: a problem that is not in the cache, a query string, a
credential that was not seen lately. Cached problems are public, so the caller matters only to the access log.
"""

from __future__ import annotations

from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from deepoj_bff.inbound.http.auth.access_tokens import AccessTokens
from deepoj_bff.inbound.http.auth.caller import GUEST, Caller, Identity, Means
from deepoj_bff.inbound.http.auth.credentials import ACCESS_COOKIE
from deepoj_bff.inbound.http.conditional_get import CONTROL, has_it
from deepoj_bff.queries.cache import Encoded
from deepoj_bff.queries.problems import ReadProblems
from deepoj_bff.queries.services import Origin

_PREFIX: Final = "/api/problems/"
_ROUTE: Final = "/api/problems/{problem}"
_BEARER: Final = "Bearer "
_JSON: Final = (b"content-type", b"application/json")
_CACHE_CONTROL: Final = (b"cache-control", CONTROL.encode())
_UNKNOWN: Final = Origin("", "")


class CachedProblems:
    def __init__(self, app: ASGIApp, access_tokens: AccessTokens, problems: ReadProblems) -> None:
        self._app = app
        self._access_tokens = access_tokens
        self._problems = problems

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and scope["method"] == "GET" and scope["path"].startswith(_PREFIX):
            headers = dict(scope["headers"])
            identity = self._identity(headers)
            cached = None if identity is None or scope["query_string"] else self._at_hand(scope)
            if identity is not None and cached is not None:
                scope["path_template"] = _ROUTE
                scope["state"]["caller"] = Caller(identity, _UNKNOWN)
                await _answer(cached, headers.get(b"if-none-match"), send)
                return
        await self._app(scope, receive, send)

    def _at_hand(self, scope: HTTPScope) -> Encoded | None:
        return self._problems.at_hand(scope["path"][len(_PREFIX) :])

    def _identity(self, headers: dict[bytes, bytes]) -> Identity | None:
        """Return who asks; None when a look at the tokens seen lately does not tell."""
        authorization = headers.get(b"authorization")
        if authorization is not None:
            return self._seen(authorization.decode("latin-1"), _BEARER, Means.BEARER)
        cookies = headers.get(b"cookie")
        if cookies is None or ACCESS_COOKIE.encode() not in cookies:
            return GUEST
        # Only a browser with no other cookie of the site is answered here; the others take the route.
        return self._seen(cookies.decode("latin-1"), f"{ACCESS_COOKIE}=", Means.COOKIE)

    def _seen(self, text: str, before: str, means: Means) -> Identity | None:
        actor = self._access_tokens.seen(text[len(before) :]) if text.startswith(before) else None
        return None if actor is None else Identity(actor, means)


async def _answer(cached: Encoded, given: bytes | None, send: Send) -> None:
    body = cached.body or b""
    headers = [_CACHE_CONTROL, (b"etag", cached.etag.encode())]
    status = 200
    if given is not None and has_it(given.decode("latin-1"), cached):
        status, body = 304, b""
    else:
        headers += (_JSON, (b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
