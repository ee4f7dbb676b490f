"""GET /api/site."""

from __future__ import annotations

from litestar import get

from deepoj_bff.inbound.http.auth.caller import Access
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.dependencies import FromSite
from deepoj_bff.queries.views.site import Site


@get("/site", opt=access(Access.PUBLIC), tags=["site"], summary="What this site is, and how one gets in")
async def get_site(site: FromSite) -> Site:
    """`time` is the clock that contests go by."""
    return await site()
