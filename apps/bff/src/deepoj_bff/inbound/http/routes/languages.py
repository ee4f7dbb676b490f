"""/api/languages."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from deepoj_bff.inbound.http.authorise import access
from deepoj_bff.inbound.http.caller import Access
from deepoj_bff.inbound.http.calls import Call, Services
from deepoj_bff.inbound.http.conditional import answer
from deepoj_bff.inbound.http.openapi import conditional
from deepoj_bff.inbound.http.wire.submission import Languages
from deepoj_bff.queries.cache import Cache

LIST: Final = Call("judgement", "ListLanguages", Languages)
FromLanguageCache = NamedDependency[SkipValidation[Cache]]


@get(
    "/",
    opt=access(Access.PUBLIC) | conditional(),
    tags=["submissions"],
    summary="Languages, and which can be judged now",
)
async def list_languages(
    request: Request[Any, Any, Any], services: Services, language_cache: FromLanguageCache
) -> Response[Languages]:
    async def load() -> bytes:
        return msgspec.json.encode(await services.call(LIST))

    return answer(request, await language_cache.get("language:list:all#v0", load), Languages)
