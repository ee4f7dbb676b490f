"""/api/languages."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get

from deepoj_bff.inbound.http.auth.caller import Access
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.conditional_get import answer
from deepoj_bff.inbound.http.dependencies import FromListLanguages
from deepoj_bff.inbound.http.openapi.options import conditional
from deepoj_bff.queries.views.language import Languages


@get(
    "/",
    opt=access(Access.PUBLIC) | conditional(),
    tags=["submissions"],
    summary="Languages, and which can be judged now",
)
async def list_languages(
    request: Request[Any, Any, Any], list_languages: FromListLanguages
) -> Response[Languages]:
    return answer(request, await list_languages(), Languages)
