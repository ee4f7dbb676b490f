"""The Litestar application: routes, and what they all share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Final
from uuid import UUID

from litestar import Litestar, Router
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, ControllerRouterHandler

from deepoj_bff.commands.admit_run import AdmitRun
from deepoj_bff.commands.admit_submission import AdmitSubmission
from deepoj_bff.inbound.http import (
    access_tokens,
    api_tokens,
    live_contests,
    live_submissions,
    openapi,
    problem_pages,
    statistics,
    submission_views,
    submitting,
)
from deepoj_bff.inbound.http.authorise import Authorise, caller_of
from deepoj_bff.inbound.http.board_pages import BoardPages
from deepoj_bff.inbound.http.calls import Call, ServicesPort
from deepoj_bff.inbound.http.cookies import CookieJar
from deepoj_bff.inbound.http.edge import Edge
from deepoj_bff.inbound.http.errors import to_response
from deepoj_bff.inbound.http.live_contests import LiveContests
from deepoj_bff.inbound.http.live_submissions import LiveSubmissions
from deepoj_bff.inbound.http.problem_pages import ProblemPages
from deepoj_bff.inbound.http.routes import (
    admin,
    auth,
    contests,
    describe,
    health,
    languages,
    packages,
    participants,
    problems,
    runs,
    scoreboard,
    submissions,
    tokens,
    users,
)
from deepoj_bff.inbound.http.routes import statistics as statistics_routes
from deepoj_bff.inbound.http.statistics import Statistics
from deepoj_bff.inbound.http.submission_views import SubmissionViews
from deepoj_bff.inbound.http.submitting import Submitting
from deepoj_bff.queries.cache import Cache
from deepoj_bff.queries.health import GetHealth

# In each module, every handler is a route and every call is prepared at the start.
_ROUTES: Final = (
    ("/api/problems", problems),
    ("/api/problems", packages),
    ("/api/languages", languages),
    ("/api/submissions", submissions),
    ("/api/contests", contests),
    ("/api/contests", participants),
    ("/api/contests", scoreboard),
    ("/api/admin", admin),
    ("/api/runs", runs),
    ("/api/auth", auth),
    ("/api/users", users),
    ("/api/users/me/tokens", tokens),
    ("/api", statistics_routes),
    ("/api/health", health),
    ("/api/openapi", describe),
)
_CALLING: Final = (
    statistics,
    access_tokens,
    api_tokens,
    problem_pages,
    submission_views,
    submitting,
    live_submissions,
    live_contests,
)
CALLS: Final = tuple(
    value
    for module in (*_CALLING, *(module for _, module in _ROUTES))
    for value in vars(module).values()
    if isinstance(value, Call)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What the routes work with; each attribute is a dependency of the same name."""

    services: ServicesPort
    get_health: GetHealth
    new_id: Callable[[], UUID]
    cookie_jar: CookieJar
    problem_pages: ProblemPages
    language_cache: Cache
    submission_views: SubmissionViews
    live_submissions: LiveSubmissions
    live_contests: LiveContests
    board_pages: BoardPages
    statistics: Statistics
    submitting: Submitting
    admit_submission: AdmitSubmission
    admit_run: AdmitRun


def make_app(parts: Parts, authorise: Authorise, body_limit: int) -> Litestar:
    routers: list[ControllerRouterHandler] = [
        Router(path, route_handlers=_handlers(module)) for path, module in _ROUTES
    ]
    return Litestar(
        route_handlers=routers,
        dependencies={
            "caller": Provide(caller_of, sync_to_thread=False),
            **{name: _constant(getattr(parts, name)) for name in parts.__slots__},
        },
        guards=[authorise],
        exception_handlers={Exception: to_response},
        openapi_config=openapi.config(),
        request_max_body_size=body_limit,
        # Our own logging is set up by the process; Litestar's would be a second one.
        logging_config=None,
    )


def _handlers(module: ModuleType) -> list[ControllerRouterHandler]:
    return [value for value in vars(module).values() if isinstance(value, HTTPRouteHandler)]


def make_edge(app: ASGIApp, public_origin: str | None) -> Edge:
    return Edge(app, https=is_https(public_origin))


def is_https(public_origin: str | None) -> bool:
    return public_origin is not None and public_origin.startswith("https://")


def _constant(value: object) -> Provide:
    return Provide(lambda: value, sync_to_thread=False, use_cache=True)
