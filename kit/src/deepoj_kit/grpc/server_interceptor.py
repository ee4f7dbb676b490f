"""What surrounds every served call: credential, deadline, span, errors, metrics."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import inspect
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeAlias, cast

import grpc
from opentelemetry.trace import Span, SpanKind, get_current_span
from opentelemetry.trace import StatusCode as SpanStatus

from deepoj_kit.grpc import health
from deepoj_kit.grpc.errors import STATUS_OF, Kind, Refusal, RemoteError, Translate
from deepoj_kit.grpc.guests import Guests, serve_guest
from deepoj_kit.grpc.limits import serve_until
from deepoj_kit.settings import Secret
from deepoj_kit.telemetry import TRACEPARENT, counter, histogram, parent_from, trace_id, tracer

# Messages are whatever the service's codec makes; nothing here looks into them.
Message = Any
Context = grpc.aio.ServicerContext[Message, Message]
Behaviour = Callable[[Message, Context], Any]
Handler: TypeAlias = "grpc.RpcMethodHandler[Message, Message]"  # generic only in the type stubs
Continuation: TypeAlias = "Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]]"

UNAUTHENTICATED = Refusal(
    Kind.UNAUTHENTICATED, "bad_service_credential", "a valid service credential is required"
)
NOT_FOR_GUESTS = Refusal(Kind.FORBIDDEN, "call_not_allowed", "this credential is not good for this call")
LATE = Refusal(Kind.TIMEOUT, "deadline_exceeded", "the call took longer than its deadline")
# One who never stops sending is cut off after this time and may then not see the reason.
DROP_SECONDS: Final = 20.0
_BEARER: Final = "Bearer "
NO_DEADLINE: Final = timedelta(days=365).total_seconds()

_REQUESTS = counter("deepoj_grpc_server_requests", "Calls served", ("method", "code"))
_SECONDS = histogram("deepoj_grpc_server_seconds", "Time to serve a call", ("method",))
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CallPolicy:
    token: Secret
    max_duration: timedelta
    """For calls that come without a deadline."""
    translate: Translate


@dataclass(frozen=True, slots=True)
class ServedCall:
    method: str
    traceparent: str | None
    guest: str | None


def call_span(method: str, traceparent: str | None) -> AbstractContextManager[Span]:
    """Continue the caller's trace. A refusal is an answer: only a defect marks the span as failed."""
    return tracer(__name__).start_as_current_span(
        method.lstrip("/"),
        parent_from(traceparent),
        SpanKind.SERVER,
        record_exception=False,
        set_status_on_exception=False,
    )


class CallInterceptor(grpc.aio.ServerInterceptor):
    def __init__(self, policy: CallPolicy) -> None:
        self._policy = policy
        self._expected = f"{_BEARER}{policy.token.reveal()}".encode()
        self.guests: Guests | None = None

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler | None:
        method = handler_call_details.method
        if method.startswith(health.PREFIX):
            return await continuation(handler_call_details)
        metadata = {
            key: value for key, value in handler_call_details.invocation_metadata if isinstance(value, str)
        }
        try:
            caller = await self._caller(method, metadata.get("authorization", ""))
        except Refusal as refusal:
            return _refusing(method, refusal)
        except Exception as error:  # noqa: BLE001 — whoever cannot be looked up is told so, and not let in
            return _refusing(method, refusal_of(error, method, self._policy.translate))
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        return self._wrapped(handler, ServedCall(method, metadata.get(TRACEPARENT), caller))

    async def _caller(self, method: str, shown: str) -> str | None:
        """Return the guest who calls, None for a service; refuse everybody else."""
        if hmac.compare_digest(shown.encode(), self._expected):
            return None
        if self.guests is None or not shown.startswith(_BEARER):
            raise UNAUTHENTICATED
        guest = await self.guests.identify(shown.removeprefix(_BEARER))
        if guest is None:
            raise UNAUTHENTICATED
        if method not in self.guests.methods:
            raise NOT_FOR_GUESTS
        return guest

    def _wrapped(self, handler: Handler, call: ServedCall) -> Handler:
        inner = _behaviour(handler)

        def uploads(request: Message) -> AsyncIterator[Message] | None:
            return request if handler.request_streaming else None

        async def unary(request: Message, context: Context) -> Message:
            async with self._around(call, context, uploads(request)):
                return await inner(request, context)

        async def streaming(request: Message, context: Context) -> None:
            # Not a generator itself: the call's scope must be left by the task that entered it.
            async with self._around(call, context, uploads(request)):
                answers = inner(request, context)
                if not inspect.isasyncgen(answers):
                    await answers
                    return
                async with aclosing(answers):
                    async for answer in answers:
                        await context.write(answer)

        return _factory(handler)(
            streaming if handler.response_streaming else unary,
            handler.request_deserializer,
            handler.response_serializer,
        )

    @asynccontextmanager
    async def _around(
        self, call: ServedCall, context: Context, uploads: AsyncIterator[Message] | None
    ) -> AsyncIterator[None]:
        method, seconds = call.method, self._time_left(context)
        serve_until(seconds)
        serve_guest(call.guest)
        code, started, scope = grpc.StatusCode.OK, time.perf_counter(), asyncio.timeout(seconds)
        try:
            with call_span(method, call.traceparent):
                try:
                    async with scope:
                        yield
                except grpc.aio.AbortError:
                    code = context.code()
                    raise
                except Exception as error:  # noqa: BLE001 — the one place where any failure becomes a status
                    # A time-out inside the servicer is a failure of its own, not the caller's deadline.
                    is_late = isinstance(error, TimeoutError) and scope.expired()
                    refusal = LATE if is_late else refusal_of(error, method, self._policy.translate)
                else:
                    return
                code = STATUS_OF[refusal.kind]
                if uploads is not None:
                    await _drop(uploads)
                await context.abort(code, refusal.message, refusal.trailers())
        except asyncio.CancelledError:
            code = grpc.StatusCode.CANCELLED
            raise
        finally:
            _REQUESTS.add(method=method, code=code.name)
            _SECONDS.record(time.perf_counter() - started, method=method)

    def _time_left(self, context: Context) -> float:
        """Without a deadline gRPC reports none, or one that is years away."""
        limit = self._policy.max_duration.total_seconds()
        remaining: float | None = context.time_remaining()
        return limit if remaining is None or remaining > NO_DEADLINE else remaining


def refusal_of(error: Exception, method: str, translate: Translate) -> Refusal:
    """Return what a caller is told; only a defect is logged, and marks the span as failed."""
    known = error if isinstance(error, Refusal) else translate(error)
    if known is not None:
        return known
    if isinstance(error, RemoteError) and error.kind in {Kind.UNAVAILABLE, Kind.TIMEOUT, Kind.EXHAUSTED}:
        message = "a service this one needs did not answer"
        return Refusal(Kind.UNAVAILABLE, "dependency_unavailable", message, error.retry_after)
    _log.error("call %s failed: %s", method, error, exc_info=error)
    get_current_span().record_exception(error)
    get_current_span().set_status(SpanStatus.ERROR)
    return Refusal(Kind.INTERNAL, "internal", f"internal error, reference {trace_id()}")


async def _drop(uploads: AsyncIterator[Message]) -> None:
    """Take what the caller still sends: a client of grpc.aio that is writing does not see why it failed."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DROP_SECONDS):
            async for _ in uploads:
                pass


def _behaviour(handler: Handler) -> Behaviour:
    """Return the one that is set; the stubs know only the signatures of the blocking server."""
    shapes = (handler.unary_unary, handler.unary_stream, handler.stream_unary, handler.stream_stream)
    return cast("Behaviour", next(each for each in shapes if each is not None))


def _factory(handler: Handler) -> Callable[..., Handler]:
    if handler.request_streaming:
        stream, unary = grpc.stream_stream_rpc_method_handler, grpc.stream_unary_rpc_method_handler
    else:
        stream, unary = grpc.unary_stream_rpc_method_handler, grpc.unary_unary_rpc_method_handler
    return stream if handler.response_streaming else unary


def _refusing(method: str, refusal: Refusal) -> Handler:
    """Answer before any message is read: a stream handler, whatever the method is."""

    async def refuse_call(requests: Message, context: Context) -> None:  # noqa: ARG001 — gRPC's signature
        _log.warning("call %s is refused: %s", method, refusal.message, extra={"peer": context.peer()})
        await context.abort(STATUS_OF[refusal.kind], refusal.message, refusal.trailers())

    return grpc.stream_stream_rpc_method_handler(refuse_call)
