"""`grpc.health.v1`, following the readiness of the process.

The servicer of grpcio-health-checking never ends a watch, so each would hold up a graceful stop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import grpc
from grpc_health.v1 import health_pb2

from deepoj_kit.grpc.errors import RemoteError
from deepoj_kit.lifecycle import Readiness, State

SERVICE: Final = "grpc.health.v1.Health"
PREFIX: Final = f"/{SERVICE}/"

_ANSWER = health_pb2.HealthCheckResponse
SERVING: Final[bytes] = _ANSWER(status=_ANSWER.SERVING).SerializeToString()
NOT_SERVING: Final[bytes] = _ANSWER(status=_ANSWER.NOT_SERVING).SerializeToString()

# What our channels watch: whether a server takes calls, which one that is starting does as well.
OPEN: Final = "open"
_WATCHES_OPEN: Final[bytes] = health_pb2.HealthCheckRequest(service=OPEN).SerializeToString()

Context = grpc.aio.ServicerContext[bytes, bytes]


class Health:
    """One status for the whole server, whatever name is asked for but `open`, so requests are not decoded."""

    def __init__(self, readiness: Readiness) -> None:
        self._readiness = readiness
        self._changed = asyncio.Condition()
        readiness.add_listener(self._on_state)

    def handler(self) -> grpc.GenericRpcHandler:
        methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
            "Check": grpc.unary_unary_rpc_method_handler(self._check),
            "Watch": grpc.unary_stream_rpc_method_handler(self._watch),
        }
        return grpc.method_handlers_generic_handler(SERVICE, methods)

    async def _check(self, request: bytes, context: Context) -> bytes:  # noqa: ARG002 — gRPC's signature
        return self._status()

    async def _watch(self, request: bytes, context: Context) -> AsyncIterator[bytes]:  # noqa: ARG002 — same
        """Send each change; end when the process drains, or the watch would hold the graceful stop."""
        status = self._openness if request == _WATCHES_OPEN else self._status
        sent = b""
        while not self._draining():
            if status() != sent:
                sent = status()
                yield sent
            async with self._changed:
                if status() == sent and not self._draining():
                    await self._changed.wait()
        yield NOT_SERVING

    def _draining(self) -> bool:
        return self._readiness.state is State.DRAINING

    def _status(self) -> bytes:
        return SERVING if self._readiness.state is State.READY else NOT_SERVING

    def _openness(self) -> bytes:
        return NOT_SERVING if self._draining() else SERVING

    async def _on_state(self, state: State) -> None:  # noqa: ARG002 — read from the readiness itself
        async with self._changed:
            self._changed.notify_all()


async def is_serving(channel: grpc.aio.Channel, timeout: float = 1.0) -> bool:  # noqa: ASYNC109 — gRPC's deadline
    """Tell whether the service behind a channel is ready; one that does not answer is not."""
    check = channel.unary_unary(f"{PREFIX}Check", request_serializer=bytes, response_deserializer=bytes)
    try:
        return bytes(await check(b"", timeout=timeout)) == SERVING
    except RemoteError:
        return False
