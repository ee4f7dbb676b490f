"""The frames of event streams, and the response that carries them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream

from deepoj_bff.inbound.http.auth.caller import Caller
from deepoj_bff.inbound.http.errors import ApiError, ErrorType, as_problem

HEARTBEAT: Final = b": still here\n\n"
EVENT_STREAM: Final = "text/event-stream"
_HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}
_encode = msgspec.json.Encoder().encode


def frame(name: str, data: bytes, event_id: str = "") -> bytes:
    """Encode one event; JSON has no line breaks of its own."""
    head = f"id: {event_id}\nevent: {name}\n" if event_id else f"event: {name}\n"
    return head.encode() + b"data: " + data + b"\n\n"


def failure(error: Exception) -> bytes:
    """Tell why a stream ends: its status was sent long ago."""
    return frame("error", _encode(as_problem(error)))


def stream(frames: AsyncIterator[bytes], caller: Caller) -> Stream:
    return Stream(_while_current(frames, caller), media_type=EVENT_STREAM, headers=_HEADERS)


async def _while_current(frames: AsyncIterator[bytes], caller: Caller) -> AsyncIterator[bytes]:
    """Send nothing after a change of the caller's account: a caller who still may comes back and resumes."""
    try:
        async for each in frames:
            if not caller.is_current():
                detail = "your account has changed: prove again who you are"
                yield failure(ApiError(ErrorType.UNAUTHENTICATED, "credential_refused", detail))
                return
            yield each
    finally:
        if isinstance(frames, AsyncGenerator):
            await frames.aclose()


def described(text: str) -> dict[int, ResponseSpec]:
    return {200: ResponseSpec(str, description=text, media_type=EVENT_STREAM, generate_examples=False)}
