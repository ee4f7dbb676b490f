"""Ask another service whether it serves."""

from __future__ import annotations

import grpc

from deepoj_kit.grpc.errors import RemoteError
from deepoj_kit.grpc.health import PREFIX, SERVING


async def is_serving(channel: grpc.aio.Channel, timeout: float = 1.0) -> bool:  # noqa: ASYNC109 — gRPC's deadline
    """Tell whether the service behind a channel is ready; one that does not answer is not."""
    check = channel.unary_unary(f"{PREFIX}Check", request_serializer=bytes, response_deserializer=bytes)
    try:
        return bytes(await check(b"", timeout=timeout)) == SERVING
    except RemoteError:
        return False
