"""The frames of event streams, and the response that carries them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream

from deepoj_bff.inbound.http.auth.caller import Caller
from deepoj_bff.inbound.http.errors import ApiError, ErrorType, as_problem
from deepoj_kit.grpc import RemoteError

HEARTBEAT: Final = b": still here\n\n"
EVENT_STREAM: Final = "text/event-stream"
_HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    data: bytes
    id: str = ""

    def frame(self) -> bytes:
        """Encode it; JSON has no line breaks of its own."""
        head = f"id: {self.id}\nevent: {self.name}\n" if self.id else f"event: {self.name}\n"
        return head.encode() + b"data: " + self.data + b"\n\n"


def failure(error: Exception) -> Event:
    """Tell why a stream ends: its status was sent long ago."""
    return Event("error", _encode(as_problem(error)))


def about_contest(contest_id: str, data: bytes) -> bytes:
    """Put the contest into an encoded object."""
    return b'{"contest_id":"' + contest_id.encode() + b'",' + data[1:]


async def framed(events: AsyncGenerator[Event | None]) -> AsyncGenerator[bytes]:
    """Encode each event; None is a sign of life. A refusal of a service is the last event."""
    try:
        async with aclosing(events):
            async for each in events:
                yield HEARTBEAT if each is None else each.frame()
    except RemoteError as error:
        yield failure(error).frame()


def stream(frames: AsyncIterator[bytes], caller: Caller) -> Stream:
    return Stream(_while_current(frames, caller), media_type=EVENT_STREAM, headers=_HEADERS)


async def _while_current(frames: AsyncIterator[bytes], caller: Caller) -> AsyncIterator[bytes]:
    """Send nothing after a change of the caller's account: a caller who still may comes back and resumes."""
    try:
        async for each in frames:
            if not caller.is_current():
                detail = "your account has changed: prove again who you are"
                yield failure(ApiError(ErrorType.UNAUTHENTICATED, "credential_refused", detail)).frame()
                return
            yield each
    finally:
        if isinstance(frames, AsyncGenerator):
            await frames.aclose()


def described(text: str) -> dict[int, ResponseSpec]:
    return {200: ResponseSpec(str, description=text, media_type=EVENT_STREAM, generate_examples=False)}
