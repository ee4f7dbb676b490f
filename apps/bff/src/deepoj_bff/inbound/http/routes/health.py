"""GET /api/health."""

from __future__ import annotations

from typing import Literal

import msgspec
from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.status_codes import HTTP_200_OK, HTTP_503_SERVICE_UNAVAILABLE

from deepoj_bff.inbound.http.auth.caller import Access
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.dependencies import FromGetHealth


class Health(msgspec.Struct, frozen=True):
    status: Literal["ok", "degraded"]
    services: dict[str, Literal["serving", "not serving"]]


@get(
    "/",
    opt=access(Access.PUBLIC),
    tags=["health"],
    summary="Whether every service behind the API is able to serve",
    responses={
        HTTP_503_SERVICE_UNAVAILABLE: ResponseSpec(
            Health, description="At least one is not.", generate_examples=False
        )
    },
)
async def health(get_health: FromGetHealth) -> Response[Health]:
    found = await get_health()
    body = Health(
        "ok" if found.serving else "degraded",
        {name: "serving" if serving else "not serving" for name, serving in found.services.items()},
    )
    return Response(body, status_code=HTTP_200_OK if found.serving else HTTP_503_SERVICE_UNAVAILABLE)
