"""Channels to other services: credential, trace context, deadline, typed errors, retries where declared."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Generator, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import grpc
import msgspec
from grpc.aio import AioRpcError, ClientCallDetails, Metadata

from deepoj_kit.grpc.credentials import of_channel
from deepoj_kit.grpc.errors import remote_error
from deepoj_kit.grpc.health import OPEN
from deepoj_kit.grpc.limits import MAX_MESSAGE, Options, at_most, shared_options
from deepoj_kit.settings import Secret
from deepoj_kit.telemetry import TRACEPARENT, current_traceparent
from deepoj_kit.tls import Tls

# gRPC spreads each back-off by a fifth and allows at most five attempts.
RETRY_POLICY: Final = {
    "maxAttempts": 5,
    "initialBackoff": "0.1s",
    "maxBackoff": "1s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE"],
}
RECONNECT_MIN_MS: Final = 100
RECONNECT_MAX_MS: Final = 2_000
# A busy server may take long to shake hands; an attempt that is cut short fails the calls that wait for it.
CONNECT_MS: Final = 10_000
RESOLVE_AGAIN_MS: Final = 1_000
NO_TLS: Final = Tls()


def connect(
    address: str,
    token: Secret,
    *,
    tls: Tls = NO_TLS,
    deadline: timedelta = timedelta(seconds=5),
    idempotent: Iterable[str] = (),
    max_message: int = MAX_MESSAGE,
    peer: str = "",
) -> grpc.aio.Channel:
    """Make a channel (an async context manager) to `unix:/path` or host:port; it connects at the first call.

    A host with several addresses, or `ipv4:` and several of them with their ports, separated by commas, are
    copies of one service: calls go to each in turn.
    `deadline` holds for calls made without a time-out. `idempotent` names the methods
    (`/package.Service/Method`) that may be sent again when the service is unavailable; no other ever is.
    `peer` names the service in the reason that is given when it does not answer.
    Certificates are read here, once: a process that calls has to be started again with a renewed one.
    """
    options = _options(tuple(idempotent), max_message)
    around = interceptors(CallDefaults(token, deadline, peer))
    credentials = of_channel(tls, address)
    if credentials is None:
        return grpc.aio.insecure_channel(address, options=options, interceptors=around)
    return grpc.aio.secure_channel(address, credentials, options=options, interceptors=around)


def _options(idempotent: tuple[str, ...], max_message: int) -> Options:
    return [
        *shared_options(max_message),
        ("grpc.service_config", _service_config(idempotent)),
        ("grpc.initial_reconnect_backoff_ms", RECONNECT_MIN_MS),
        # Despite its name the time one attempt may take.
        ("grpc.min_reconnect_backoff_ms", CONNECT_MS),
        ("grpc.max_reconnect_backoff_ms", RECONNECT_MAX_MS),
        # A name whose copies change is looked up again soon after one of them has gone.
        ("grpc.dns_min_time_between_resolutions_ms", RESOLVE_AGAIN_MS),
        # Channels share connections by default; closing one must not depend on another.
        ("grpc.use_local_subchannel_pool", 1),
    ]


def _service_config(idempotent: tuple[str, ...]) -> str:
    # A server that says that it is going gets no new calls, as long as there is another.
    config: dict[str, object] = {
        "loadBalancingConfig": [{"round_robin": {}}],
        "healthCheckConfig": {"serviceName": OPEN},
    }
    if idempotent:
        config["methodConfig"] = [{"name": [_name(each) for each in idempotent], "retryPolicy": RETRY_POLICY}]
    return msgspec.json.encode(config).decode()


def _name(method: str) -> dict[str, str]:
    service, _, name = method.lstrip("/").partition("/")
    if not service or not name:
        raise ValueError(f"{method} is not of the form /package.Service/Method")
    return {"service": service, "method": name}


# Messages are whatever the service's codec makes; nothing here looks into them.
Message = Any
Requests = AsyncIterable[Message] | Iterable[Message]


@dataclass(frozen=True, slots=True)
class CallDefaults:
    token: Secret
    deadline: timedelta
    peer: str = ""
    """What the service on the other side is called."""

    def apply(self, details: ClientCallDetails) -> ClientCallDetails:
        metadata = Metadata(*(details.metadata or ()))
        metadata["authorization"] = f"Bearer {self.token.reveal()}"
        if traceparent := current_traceparent():
            metadata[TRACEPARENT] = traceparent
        timeout = self.deadline.total_seconds() if details.timeout is None else details.timeout
        return ClientCallDetails(
            details.method, at_most(timeout), metadata, details.credentials, details.wait_for_ready
        )


def interceptors(defaults: CallDefaults) -> list[grpc.aio.ClientInterceptor]:
    return [_UnaryUnary(defaults), _UnaryStream(defaults), _StreamUnary(defaults), _StreamStream(defaults)]


class _Base:
    def __init__(self, defaults: CallDefaults) -> None:
        self._defaults = defaults


# What surrounds every call that is made: grpc.aio wants one interceptor for each shape of call.


class _UnaryUnary(_Base, grpc.aio.UnaryUnaryClientInterceptor):
    async def intercept_unary_unary(
        self,
        continuation: Callable[
            [ClientCallDetails, Message], Awaitable[grpc.aio.UnaryUnaryCall[Message, Message]]
        ],
        client_call_details: ClientCallDetails,
        request: Message,
    ) -> Message:
        call = await continuation(self._defaults.apply(client_call_details), request)
        return await _answer(call, self._defaults.peer)


class _UnaryStream(_Base, grpc.aio.UnaryStreamClientInterceptor):
    async def intercept_unary_stream(
        self,
        continuation: Callable[
            [ClientCallDetails, Message], Awaitable[grpc.aio.UnaryStreamCall[Message, Message]]
        ],
        client_call_details: ClientCallDetails,
        request: Message,
    ) -> AsyncIterator[Message]:
        call = await continuation(self._defaults.apply(client_call_details), request)
        return _answers(call, self._defaults.peer)


class _StreamUnary(_Base, grpc.aio.StreamUnaryClientInterceptor):
    async def intercept_stream_unary(
        self,
        continuation: Callable[
            [ClientCallDetails, Requests], Awaitable[grpc.aio.StreamUnaryCall[Message, Message]]
        ],
        client_call_details: ClientCallDetails,
        request_iterator: Requests,
    ) -> Message:
        call = await continuation(self._defaults.apply(client_call_details), request_iterator)
        return _Upload(call, self._defaults.peer)


class _StreamStream(_Base, grpc.aio.StreamStreamClientInterceptor):
    async def intercept_stream_stream(
        self,
        continuation: Callable[
            [ClientCallDetails, Requests], Awaitable[grpc.aio.StreamStreamCall[Message, Message]]
        ],
        client_call_details: ClientCallDetails,
        request_iterator: Requests,
    ) -> AsyncIterator[Message]:
        call = await continuation(self._defaults.apply(client_call_details), request_iterator)
        return _answers(call, self._defaults.peer)


class _Upload:
    """The call itself, but awaiting it raises our error.

    For this shape grpc.aio takes no plain answer from an interceptor, and a caller may still have to write.
    """

    def __init__(self, call: grpc.aio.StreamUnaryCall[Message, Message], peer: str) -> None:
        self._call = call
        self._peer = peer

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 — stands for the call's own attributes
        return getattr(self._call, name)

    def __await__(self) -> Generator[Any, None, Message]:
        return _answer(self._call, self._peer).__await__()


async def _answer(call: Awaitable[Message], peer: str) -> Message:
    try:
        return await call
    except AioRpcError as error:
        raise remote_error(error, peer) from None


async def _answers(call: AsyncIterable[Message], peer: str) -> AsyncIterator[Message]:
    try:
        async for answer in call:
            yield answer
    except AioRpcError as error:
        raise remote_error(error, peer) from None
