"""`grpc.health.v1`, following the readiness of the process.

The servicer of grpcio-health-checking never ends a watch, so each would hold up a graceful stop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import grpc
from grpc_health.v1 import health_pb2

from deepoj_kit.lifecycle import Readiness, State

SERVICE: Final = "grpc.health.v1.Health"
PREFIX: Final = f"/{SERVICE}/"

_ANSWER = health_pb2.HealthCheckResponse
SERVING: Final[bytes] = _ANSWER(status=_ANSWER.SERVING).SerializeToString()
NOT_SERVING: Final[bytes] = _ANSWER(status=_ANSWER.NOT_SERVING).SerializeToString()

Context = grpc.aio.ServicerContext[bytes, bytes]


class Health:
    """One status for the whole server, whatever name is asked for, so requests are not even decoded."""

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
        sent = b""
        while not self._draining():
            if self._status() != sent:
                sent = self._status()
                yield sent
            async with self._changed:
                if self._status() == sent and not self._draining():
                    await self._changed.wait()
        yield NOT_SERVING

    def _draining(self) -> bool:
        return self._readiness.state is State.DRAINING

    def _status(self) -> bytes:
        return SERVING if self._readiness.state is State.READY else NOT_SERVING

    async def _on_state(self, state: State) -> None:  # noqa: ARG002 — read from the readiness itself
        async with self._changed:
            self._changed.notify_all()
