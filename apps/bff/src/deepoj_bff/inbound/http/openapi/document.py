"""The description of the API: what the framework derives, completed by what holds for every route."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.routes import HTTPRoute

from deepoj_bff.inbound.http.auth.caller import Access, Scope
from deepoj_bff.inbound.http.auth.credentials import ACCESS_COOKIE
from deepoj_bff.inbound.http.errors import PROBLEM_JSON, ErrorType, ProblemDetails
from deepoj_bff.inbound.http.openapi.examples import example
from deepoj_bff.inbound.http.openapi.options import NDJSON

DESCRIPTION: Final = """\
The HTTP API of Deep-OJ. JSON throughout; times in UTC; ids are UUIDs; durations in milliseconds.

**Signing in.** Tools send `Authorization: Bearer …` with an access token from `POST /api/auth/login` or an
API token. Browsers log in with `"transport": "cookie"`; requests that change something must then come from
a page of this site.

**Lists** come in pages: pass `page.next_cursor` on as `cursor`.

**Errors** are RFC 9457 problems. `type` says what kind of refusal it is and `reason` the precise cause; both
are stable. 429 and 503 carry `Retry-After`.

**Live.** Routes ending in `/events` are event streams: first the state as it is, then each change.
"""
# Which refusals a route can give follows from what it is; the documentation of each is the table's.
_ALWAYS: Final = (ErrorType.INVALID_REQUEST, ErrorType.UNAUTHENTICATED, ErrorType.FORBIDDEN)
_UPSTREAM: Final = (ErrorType.INTERNAL, ErrorType.UNAVAILABLE, ErrorType.TIMEOUT)
_WRITES: Final = (ErrorType.TOO_LARGE, ErrorType.UNSUPPORTED_MEDIA_TYPE)

Json = dict[str, Any]
"""A part of the document: whatever JSON holds."""


def config() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Deep-OJ",
        version="1",
        description=DESCRIPTION,
        path="/api/openapi/internal",
        use_handler_docstrings=True,
        components=Components(
            security_schemes={
                "bearer": SecurityScheme(
                    type="http", scheme="bearer", description="An access token or an API token."
                ),
                "cookie": SecurityScheme(
                    type="apiKey",
                    name=ACCESS_COOKIE,
                    security_scheme_in="cookie",
                    description="A browser's session.",
                ),
            }
        ),
        tags=[Tag(name=name) for name in ("auth", "users", "problems", "submissions", "contests", "admin")],
        # The framework insists on one page of its own; it is for admins. Ours are in routes/openapi.py.
        render_plugins=[JsonRenderPlugin()],
    )


def document(app: Litestar) -> bytes:
    """Return the whole description as JSON; made once, the routes do not change."""
    described: Json = app.openapi_schema.to_schema()
    described.setdefault("components", {}).setdefault("schemas", {}).update(_schemas(app))
    for path, method, handler in _operations(app):
        operation = described["paths"].get(path, {}).get(method.lower())
        if operation is not None:
            _complete(operation, method, path, handler)
            _exemplify(operation, described["components"]["schemas"])
    return msgspec.json.encode(described)


def _operations(app: Litestar) -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for method, (handler, _) in route.route_handler_map.items():
                yield route.path_format, str(method), handler


def _schemas(app: Litestar) -> Json:
    """Return the schemas of all bodies as their own library describes them, strictness included."""
    handlers = [handler for _, _, handler in _operations(app) if handler.resolve_include_in_schema()]
    found: set[type] = {ProblemDetails}
    for handler in handlers:
        fields = [handler.parsed_return_field, *filter(None, [handler.parsed_data_field])]
        for field in fields:
            parts = (field.annotation, *(inner.annotation for inner in field.inner_types))
            found |= {part for part in parts if isinstance(part, type) and issubclass(part, msgspec.Struct)}
    _, components = msgspec.json.schema_components(
        sorted(found, key=lambda kind: kind.__name__), ref_template="#/components/schemas/{name}"
    )
    return components


def _complete(operation: Json, method: str, path: str, handler: HTTPRouteHandler) -> None:
    level, scope = Access(handler.opt["access"]), Scope(handler.opt["scope"])
    by_status: dict[int, list[ErrorType]] = {}
    for kind in refusals(method, path, level, live="events" in handler.opt):
        by_status.setdefault(kind.status, []).append(kind)
    for status, kinds in by_status.items():
        operation["responses"].setdefault(str(status), _refusal(kinds))
    operation["responses"].get("400", {})["content"] = _refusal([ErrorType.INVALID_REQUEST])["content"]
    if level is not Access.PUBLIC:
        operation["security"] = [{"bearer": []}, {"cookie": []}]
    if media_types := handler.opt.get("uploads"):
        binary = {"schema": {"type": "string", "format": "binary"}}
        operation["requestBody"] = {"required": True, "content": dict.fromkeys(media_types, binary)}
    if media_types := handler.opt.get("downloads"):
        operation["responses"]["200"]["content"] = {each: {"schema": _file(each)} for each in media_types}
    if handler.opt.get("lines"):
        operation["responses"][str(handler.status_code)]["content"][NDJSON] = {"schema": {"type": "string"}}
    if handler.opt.get("events") == "ends":
        operation["responses"]["204"] = {"description": "`Last-Event-ID` names the last event there is."}
    if handler.opt.get("conditional"):
        operation["responses"]["304"] = {"description": "What `If-None-Match` names is still current."}
    operation["responses"].get("204", {}).pop("content", None)
    for parameter in operation.get("parameters", ()):
        _without_null(parameter["schema"])
    operation["x-access"] = level.value
    operation["x-scope"] = scope.value


def _file(media_type: str) -> Json:
    return {"type": "object"} if media_type == "application/json" else {"type": "string", "format": "binary"}


def _exemplify(operation: Json, schemas: Json) -> None:
    succeeding = [each for status, each in operation["responses"].items() if status.startswith("2")]
    for part in (operation.get("requestBody", {}), *succeeding):
        content = part.get("content", {}).get("application/json")
        if content is not None and "schema" in content:
            content["example"] = example(content["schema"], schemas)


def _without_null(schema: Json) -> None:
    """A parameter is left out, not null."""
    choices = [each for each in schema.get("oneOf", ()) if each.get("type") != "null"]
    if len(choices) == 1:
        del schema["oneOf"]
        schema |= choices[0]


def refusals(method: str, path: str, level: Access, *, live: bool = False) -> list[ErrorType]:
    """Return the kinds of refusal a route may give; of event streams (`live`) there may be too many."""
    kinds = [*_ALWAYS, *_UPSTREAM]
    if "{" in path or method != "GET":
        kinds += (ErrorType.NOT_FOUND, ErrorType.CONFLICT, ErrorType.WRONG_STATE)
    if method != "GET":
        kinds += _WRITES
    if method != "GET" or level is Access.PUBLIC or live:
        kinds.append(ErrorType.TOO_MANY_REQUESTS)
    return kinds


def _refusal(kinds: list[ErrorType]) -> Json:
    examples = {
        kind.value.slug: {
            "value": {
                "type": kind.uri,
                "title": kind.title,
                "status": kind.status,
                "detail": kind.title.lower(),
                "reason": kind.value.slug.replace("-", "_"),
            }
        }
        for kind in kinds
    }
    content = {
        PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}, "examples": examples}
    }
    answer: Json = {"description": "; ".join(kind.title for kind in kinds), "content": content}
    if kinds[0] in {ErrorType.TOO_MANY_REQUESTS, ErrorType.UNAVAILABLE}:
        answer["headers"] = {
            "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
        }
    return answer
