"""What surrounds every call that is made. grpc.aio wants one interceptor for each shape of call."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Generator, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import grpc
from grpc.aio import AioRpcError, ClientCallDetails, Metadata

from deepoj_kit.grpc.deadline import at_most
from deepoj_kit.grpc.errors import remote_error
from deepoj_kit.settings import Secret
from deepoj_kit.telemetry import TRACEPARENT, current_traceparent

# Messages are whatever the service's codec makes; nothing here looks into them.
Message = Any
Requests = AsyncIterable[Message] | Iterable[Message]


@dataclass(frozen=True, slots=True)
class CallDefaults:
    token: Secret
    deadline: timedelta

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


class _UnaryUnary(_Base, grpc.aio.UnaryUnaryClientInterceptor):
    async def intercept_unary_unary(
        self,
        continuation: Callable[
            [ClientCallDetails, Message], Awaitable[grpc.aio.UnaryUnaryCall[Message, Message]]
        ],
        client_call_details: ClientCallDetails,
        request: Message,
    ) -> Message:
        return await _answer(await continuation(self._defaults.apply(client_call_details), request))


class _UnaryStream(_Base, grpc.aio.UnaryStreamClientInterceptor):
    async def intercept_unary_stream(
        self,
        continuation: Callable[
            [ClientCallDetails, Message], Awaitable[grpc.aio.UnaryStreamCall[Message, Message]]
        ],
        client_call_details: ClientCallDetails,
        request: Message,
    ) -> AsyncIterator[Message]:
        return _answers(await continuation(self._defaults.apply(client_call_details), request))


class _StreamUnary(_Base, grpc.aio.StreamUnaryClientInterceptor):
    async def intercept_stream_unary(
        self,
        continuation: Callable[
            [ClientCallDetails, Requests], Awaitable[grpc.aio.StreamUnaryCall[Message, Message]]
        ],
        client_call_details: ClientCallDetails,
        request_iterator: Requests,
    ) -> Message:
        return _Upload(await continuation(self._defaults.apply(client_call_details), request_iterator))


class _StreamStream(_Base, grpc.aio.StreamStreamClientInterceptor):
    async def intercept_stream_stream(
        self,
        continuation: Callable[
            [ClientCallDetails, Requests], Awaitable[grpc.aio.StreamStreamCall[Message, Message]]
        ],
        client_call_details: ClientCallDetails,
        request_iterator: Requests,
    ) -> AsyncIterator[Message]:
        return _answers(await continuation(self._defaults.apply(client_call_details), request_iterator))


class _Upload:
    """The call itself, but awaiting it raises our error.

    For this shape grpc.aio takes no plain answer from an interceptor, and a caller may still have to write.
    """

    def __init__(self, call: grpc.aio.StreamUnaryCall[Message, Message]) -> None:
        self._call = call

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 — stands for the call's own attributes
        return getattr(self._call, name)

    def __await__(self) -> Generator[Any, None, Message]:
        return _answer(self._call).__await__()


async def _answer(call: Awaitable[Message]) -> Message:
    try:
        return await call
    except AioRpcError as error:
        raise remote_error(error) from None


async def _answers(call: AsyncIterable[Message]) -> AsyncIterator[Message]:
    try:
        async for answer in call:
            yield answer
    except AioRpcError as error:
        raise remote_error(error) from None
