"""The Litestar application: routes, and what they all share."""

from __future__ import annotations

from litestar import Litestar
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig

from deepoj_bff.inbound.http.health import health
from deepoj_bff.queries.health import GetHealth


def make_app(get_health: GetHealth) -> Litestar:
    return Litestar(
        route_handlers=[health],
        dependencies={"get_health": Provide(lambda: get_health, sync_to_thread=False)},
        openapi_config=OpenAPIConfig(title="Deep-OJ", version="1", path="/api/openapi"),
        # Our own logging is set up by the process; Litestar's would be a second one.
        logging_config=None,
    )
