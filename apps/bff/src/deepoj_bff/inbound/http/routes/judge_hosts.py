"""/api/judge-hosts: how a judge host elsewhere learns what it needs."""

from __future__ import annotations

from typing import Final

from litestar import post
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from deepoj_bff.inbound.http.auth.caller import Access
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.dependencies import FromServices
from deepoj_bff.inbound.http.wire.judge_host import HostCredential
from deepoj_bff.queries.services import Call
from deepoj_bff.queries.views.judge_host import HostSettings

JOIN: Final = Call("record", "JoinHost", HostSettings, body=HostCredential)


@post(
    "/join",
    opt=access(Access.PUBLIC),
    tags=["admin"],
    status_code=HTTP_200_OK,
    summary="What a judge host needs, for its credential",
)
async def join(data: JSONBody[HostCredential], services: FromServices) -> HostSettings:
    """Asked by `deepoj worker join`. The credential is in the body, so that no log of addresses has it."""
    return await services.call(JOIN, data)
