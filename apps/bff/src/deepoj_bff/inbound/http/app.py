"""The Litestar application: all routes behind one guard."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler

from deepoj_bff.inbound.http.auth.guard import Guard
from deepoj_bff.inbound.http.dependencies import Dependencies
from deepoj_bff.inbound.http.errors import to_response
from deepoj_bff.inbound.http.openapi import document
from deepoj_bff.inbound.http.routes import (
    admin,
    auth,
    contests,
    events,
    health,
    invitations,
    judge_hosts,
    languages,
    openapi,
    packages,
    participants,
    problems,
    runs,
    scoreboard,
    sessions,
    site,
    statistics,
    submissions,
    tokens,
    user_import,
    users,
)
from deepoj_kit.single_flight import SingleFlight

# In each module, every handler is a route.
_ROUTES: Final = (
    ("/api/problems", problems),
    ("/api/problems", packages),
    ("/api/languages", languages),
    ("/api/submissions", submissions),
    ("/api/contests", contests),
    ("/api/contests", participants),
    ("/api/contests", scoreboard),
    ("/api/admin", admin),
    ("/api/admin/invitations", invitations),
    ("/api/judge-hosts", judge_hosts),
    ("/api/runs", runs),
    ("/api/auth", auth),
    ("/api/users", users),
    ("/api/users", user_import),
    ("/api/users/me", sessions),
    ("/api/users/me/tokens", tokens),
    ("/api", statistics),
    ("/api", site),
    ("/api", events),
    ("/api/health", health),
    ("/api/openapi", openapi),
)


def make_app(dependencies: Dependencies, guard: Guard, body_limit: int) -> Litestar:
    routers: list[ControllerRouterHandler] = [
        Router(path, route_handlers=_handlers(module)) for path, module in _ROUTES
    ]
    return Litestar(
        route_handlers=routers,
        dependencies=dependencies.provided(),
        guards=[guard],
        exception_handlers={Exception: to_response},
        openapi_config=document.config(),
        state=State({openapi.FLIGHT: SingleFlight[None, bytes]()}),
        request_max_body_size=body_limit,
        # Our own logging is set up by the process; Litestar's would be a second one.
        logging_config=None,
    )


def _handlers(module: ModuleType) -> list[ControllerRouterHandler]:
    return [value for value in vars(module).values() if isinstance(value, HTTPRouteHandler)]
