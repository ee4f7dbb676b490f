"""What surrounds every request, outside the framework: ids, headers, span, metrics, the access log.

One layer of plain ASGI: each middleware of the framework costs as much as a cached answer.
"""

from __future__ import annotations

import logging
import random
import re
import time
from typing import Any, Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from opentelemetry.trace import INVALID_SPAN_CONTEXT, SpanKind, format_span_id, format_trace_id

from deepoj_kit.lifecycle import State
from deepoj_kit.telemetry import bind, counter, histogram, tell, tracer

_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._-]{8,64}")
_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# Sent unless the route says something else.
_DEFAULTS: Final = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
    (b"x-frame-options", b"DENY"),
)
_HSTS: Final = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")
_CLOSE: Final = (b"connection", b"close")
_NO_ROUTE: Final = "(none)"
# A client can invent methods; a label cannot.
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SERVER_FAILURE: Final = 500

_REQUESTS = counter("deepoj_http_requests", "Requests answered", ("route", "method", "status"))
_SECONDS = histogram("deepoj_http_seconds", "Time to answer a request", ("route", "method"))
_log = logging.getLogger("deepoj_bff.access")


class AccessLog:
    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self._app = app
        self._headers = (*_HEADERS, _HSTS) if https else _HEADERS

    async def on_state(self, state: State) -> None:
        """End connections with their next answer when the process goes: later the door is closed."""
        if state is State.DRAINING:
            self._headers = (*self._headers, _CLOSE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, send, self._headers)
        # The trace is ours from here on: a stranger does not choose its id or whether it is recorded.
        with (
            tracer(__name__).start_as_current_span(scope["method"], kind=SpanKind.SERVER) as span,
            bind(request_id=exchange.request_id),
        ):
            exchange.span = span.get_span_context()
            try:
                await self._app(scope, receive, exchange.send)
            finally:
                if span.is_recording():
                    span.update_name(f"{scope['method']} {exchange.route}")
                    span.set_attribute("http.response.status_code", exchange.status)
                exchange.report()


class _Exchange:
    def __init__(self, scope: HTTPScope, send: Send, headers: tuple[tuple[bytes, bytes], ...]) -> None:
        self._scope = scope
        self._send = send
        self._headers = headers
        self._started = time.perf_counter()
        self.request_id = _request_id(scope)
        self.span = INVALID_SPAN_CONTEXT
        self.status = _SERVER_FAILURE
        # The framework puts its own state beside ours.
        state: dict[str, Any] = dict(scope.get("state") or {})
        state["request_id"] = self.request_id
        scope["state"] = state

    @property
    def _is_http1(self) -> bool:
        return self._scope["http_version"].startswith("1")

    @property
    def _trace_id(self) -> str:
        return format_trace_id(self.span.trace_id)

    @property
    def route(self) -> str:
        return self._scope.get("path_template") or _NO_ROUTE

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            given = list(message["headers"])
            names = {name for name, _ in given}
            given += [(name, value) for name, value in _DEFAULTS if name not in names]
            given += (each for each in self._headers if each is not _CLOSE or self._is_http1)
            given += ((b"x-request-id", self.request_id.encode()), (b"x-trace-id", self._trace_id.encode()))
            message["headers"] = given
        await self._send(message)

    def report(self) -> None:
        seconds = time.perf_counter() - self._started
        asked = self._scope["method"]
        method, route = asked if asked in _METHODS else "other", self.route
        _REQUESTS.add(route=route, method=method, status=f"{self.status // 100}xx")
        _SECONDS.record(seconds, route=route, method=method)
        caller = self._scope["state"].get("caller")
        fields = {
            "trace_id": self._trace_id,
            "span_id": format_span_id(self.span.span_id),
            "request_id": self.request_id,
            "method": method,
            "route": route,
            "status": self.status,
            "ms": round(seconds * 1000, 2),
            "user_id": caller.account_id if caller is not None else "",
        }
        tell(_log, "request", fields)


def _request_id(scope: HTTPScope) -> str:
    """Take the client's id when it is harmless in headers and logs; else make one."""
    given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    return given.decode() if _REQUEST_ID.fullmatch(given) else f"{random.getrandbits(128):032x}"
