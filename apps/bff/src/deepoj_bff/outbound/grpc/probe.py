"""Asks a service by its gRPC health protocol."""

from __future__ import annotations

import grpc

from deepoj_kit.grpc import is_serving


class GrpcProbe:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel

    async def is_serving(self) -> bool:
        return await is_serving(self._channel)
