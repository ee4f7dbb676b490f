"""/api/openapi: the description of the API, for programs and for people."""

from __future__ import annotations

import asyncio
from functools import cache, partial
from importlib.resources import files
from typing import Any, Final

from litestar import Request, Response, get

from deepoj_bff.inbound.http.auth.caller import Access
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.openapi.document import document

FLIGHT: Final = "flight_of_openapi"
"""The application's state has the one call that makes the document under this name."""
_OPT: Final = access(Access.PUBLIC)
# Everything the page needs comes from here.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS: Final = {"content-security-policy": _POLICY, "cache-control": "no-cache"}
_VIEWER: Final = files("deepoj_bff.inbound.http.openapi") / "viewer"


@cache
def _asset(name: str) -> bytes:
    return (_VIEWER / name).read_bytes()


@get("/openapi.json", opt=_OPT, include_in_schema=False)
async def openapi_json(request: Request[Any, Any, Any]) -> Response[bytes]:
    state = request.app.state
    if "openapi" not in state:
        # Making the document takes a while: in a thread, and once however many ask.
        state.openapi = await state[FLIGHT](None, partial(asyncio.to_thread, document, request.app))
    return Response(state.openapi, media_type="application/json", headers={"cache-control": "no-cache"})


@get("/", opt=_OPT, include_in_schema=False)
async def viewer() -> Response[bytes]:
    return Response(_asset("index.html"), media_type="text/html; charset=utf-8", headers=_HEADERS)


@get("/viewer.js", opt=_OPT, include_in_schema=False)
async def viewer_script() -> Response[bytes]:
    return Response(_asset("viewer.js"), media_type="text/javascript; charset=utf-8", headers=_HEADERS)


@get("/viewer.css", opt=_OPT, include_in_schema=False)
async def viewer_style() -> Response[bytes]:
    return Response(_asset("viewer.css"), media_type="text/css; charset=utf-8", headers=_HEADERS)
